//! The sandbox for untrusted code. The only crate that uses wasmtime.
//!
//! A component is inspected before it is compiled, compiled once, and instantiated afresh for every call, with only the
//! directories of its role. Whatever a guest does, a call ends in a result or in a
//! [`PluginError`](acreta_types::PluginError) that names the plugin, and the host survives.
//!
//! Calls block; they must not be made on a thread of an async runtime.

mod bindings;
mod bridge;
mod cache;
mod clock;
mod compiler;
mod engine;
mod fault;
mod filesystem;
mod granted_folder;
mod handles;
mod limits;
mod plugin;
mod ports;
mod sockets;
mod sqlite;
mod state;
mod streams;
mod ticker;
mod traps;
mod wall_clock;

pub use acreta_plugin_registry::{Inspection, RefusedComponent, WIT_VERSION, inspect};
pub use cache::{CodeKey, Loaded};
pub use compiler::{COMPILE, LINES, compile_as_child};
pub use engine::{ComponentSource, Sandbox, SandboxOptions};
pub use limits::stop_guests;
pub use plugin::{LoadError, Plugin};
pub use state::Settings;
pub use traps::{Frame, Trap, TrapLog};
