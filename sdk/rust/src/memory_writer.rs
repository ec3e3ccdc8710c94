//! The memory-writer role: implement [`Guest`] and hand the type to [`export!`].

#[doc(hidden)]
pub mod bindings {
    wit_bindgen::generate!({
        path: ["../../wit/types", "../../wit/host", "../../wit/memory-writer"],
        world: "acreta:memory-writer/memory-writer-plugin@0.1.0",
        pub_export_macro: true,
        export_macro_name: "export",
        default_bindings_module: "acreta_sdk::memory_writer::bindings",
        generate_all,
    });
}

pub use bindings::acreta::host;
pub use bindings::acreta::types::types::{Attrs, Candidate, Evidence, Failure, Session, Summary};
pub use bindings::export;
pub use bindings::exports::acreta::memory_writer::memory_writer::{
    Action, Context, Guest, Written,
};
