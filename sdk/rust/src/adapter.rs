//! The adapter role: implement [`Guest`] and hand the type to [`export!`].

#[doc(hidden)]
pub mod bindings {
    wit_bindgen::generate!({
        path: ["../../wit/types", "../../wit/host", "../../wit/adapter"],
        world: "acreta:adapter/adapter-plugin@0.1.0",
        pub_export_macro: true,
        export_macro_name: "export",
        default_bindings_module: "acreta_sdk::adapter::bindings",
        additional_derives: [PartialEq],
        generate_all,
    });
}

pub use bindings::acreta::host;
pub use bindings::acreta::types::types::{Attrs, Event, Failure, Origin, Session};
pub use bindings::export;
pub use bindings::exports::acreta::adapter::adapter::{Cursor, Description, Guest, Root};

/// Where an adapter's events go: the host in a component, a list in a test.
pub trait Sink {
    /// Hands over events in order; an error ends the read.
    fn emit(&mut self, batch: Vec<Event>) -> Result<(), Failure>;
    /// Reports a line or row that could not be read.
    fn diagnose(&mut self, record: &str, start: u64, end: u64, message: &str);
}

/// The host's sink.
pub struct HostSink;

impl Sink for HostSink {
    fn emit(&mut self, batch: Vec<Event>) -> Result<(), Failure> {
        host::sink::emit(&batch)
    }

    fn diagnose(&mut self, record: &str, start: u64, end: u64, message: &str) {
        host::sink::diagnose(record, start, end, message);
    }
}
