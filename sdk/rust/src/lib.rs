//! What a plugin is written with: the bindings of its role and the helpers every plugin of that
//! role needs. Enable the one feature that names the role.
//!
//! Everything here also compiles natively, so that a plugin's logic is tested without a sandbox.

#[cfg(feature = "adapter")]
pub mod adapter;
#[cfg(feature = "explorer")]
pub mod explorer;
#[cfg(feature = "extractor")]
pub mod extractor;
pub mod lines;
#[cfg(feature = "memory-writer")]
pub mod memory_writer;
