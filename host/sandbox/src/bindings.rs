//! The WIT packages as Rust. Types and host imports are generated once and shared by the four roles.

pub(crate) mod shared {
    wasmtime::component::bindgen!({
        inline: "
            package acreta:bridge;
            world imports {
                import acreta:host/log@0.1.0;
                import acreta:host/config@0.1.0;
                import acreta:host/registry@0.1.0;
                import acreta:host/sink@0.1.0;
                import acreta:host/sqlite@0.1.0;
                import acreta:host/trace@0.1.0;
                import acreta:host/llm@0.1.0;
                import acreta:host/search@0.1.0;
            }
        ",
        path: ["../../wit/types", "../../wit/host"],
        imports: { default: trappable },
        with: {
            "acreta:host/sqlite.database": crate::handles::DatabaseHandle,
            "acreta:host/sqlite.rows": crate::handles::RowsHandle,
            "acreta:host/trace.reader": crate::handles::TraceHandle,
        },
        require_store_data_send: true,
    });
}

macro_rules! role {
    ($module:ident, $package:literal, $world:literal) => {
        pub(crate) mod $module {
            wasmtime::component::bindgen!({
                path: ["../../wit/types", "../../wit/host", $package],
                world: $world,
                with: {
                    "acreta:types": super::shared::acreta::types,
                    "acreta:host": super::shared::acreta::host,
                },
                require_store_data_send: true,
            });
        }
    };
}

role!(
    adapter,
    "../../wit/adapter",
    "acreta:adapter/adapter-plugin"
);
role!(
    extractor,
    "../../wit/extractor",
    "acreta:extractor/extractor-plugin"
);
role!(
    explorer,
    "../../wit/explorer",
    "acreta:explorer/explorer-plugin"
);
role!(
    memory_writer,
    "../../wit/memory-writer",
    "acreta:memory-writer/memory-writer-plugin"
);
