//! The explorer role: implement [`Guest`] and hand the type to [`export!`].

#[doc(hidden)]
pub mod bindings {
    wit_bindgen::generate!({
        path: ["../../wit/types", "../../wit/host", "../../wit/explorer"],
        world: "acreta:explorer/explorer-plugin@0.1.0",
        pub_export_macro: true,
        export_macro_name: "export",
        default_bindings_module: "acreta_sdk::explorer::bindings",
        generate_all,
    });
}

pub use bindings::acreta::host;
pub use bindings::acreta::types::types::{Attrs, Candidate, Evidence, Failure};
pub use bindings::export;
pub use bindings::exports::acreta::explorer::explorer::{Finding, Guest};
