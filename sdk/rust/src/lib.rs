//! SDK for plugins: for each role a trait, the macro that exports it as a component, and the helpers that every plugin
//! of that role needs. Enable the one feature that names the role.
//!
//! | feature | trait | macro | it is given |
//! |---|---|---|---|
//! | `adapter` | [`adapter::Adapter`] | [`adapter!`] | a session file's path and a sink for events |
//! | `extractor` | [`extractor::Extractor`] | [`extractor!`] | a session's events and a host |
//! | `explorer` | [`explorer::Explorer`] | [`explorer!`] | candidates and a host that searches memory |
//! | `memory-writer` | [`memory_writer::MemoryWriter`] | [`memory_writer!`] | actions and an empty folder |
//!
//! Everything here also compiles natively, so a plugin's logic is tested without a sandbox. The feature `testing` has
//! helpers for such tests, `conformance` the checks that every adapter passes. A macro expands to nothing outside a
//! component.

#[cfg(feature = "adapter")]
pub mod adapter;
#[cfg(any(
    feature = "adapter",
    feature = "explorer",
    feature = "extractor",
    feature = "memory-writer"
))]
#[doc(hidden)]
#[rustfmt::skip]
#[allow(unsafe_code, unreachable_pub, clippy::all, clippy::restriction, reason = "generated")]
pub mod bindings;
#[cfg(feature = "conformance")]
pub mod conformance;
#[cfg(feature = "explorer")]
pub mod explorer;
#[cfg(feature = "extractor")]
pub mod extractor;
#[cfg(any(
    feature = "adapter",
    feature = "explorer",
    feature = "extractor",
    feature = "memory-writer"
))]
mod failure;
pub mod lines;
#[cfg(feature = "memory-writer")]
pub mod memory_writer;
