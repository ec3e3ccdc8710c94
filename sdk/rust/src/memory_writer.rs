//! The memory-writer role: drafts one file for each action that the host decided.
//!
//! A writer sees only an empty folder. The host checks the files it leaves there and commits all of them or none.
//!
//! ```
//! use std::fs;
//! use std::path::Path;
//!
//! use acreta_sdk::memory_writer::{Action, Context, Failure, Host, MemoryWriter, Written};
//!
//! struct Titles;
//!
//! acreta_sdk::memory_writer!(Titles);
//!
//! impl MemoryWriter for Titles {
//!     fn apply(
//!         draft: &Path,
//!         _context: &Context,
//!         actions: &[Action],
//!         _host: &impl Host,
//!     ) -> Result<Vec<Written>, Failure> {
//!         let mut written = Vec::new();
//!         for action in actions {
//!             let name = format!("{}.md", action.memory_id);
//!             fs::write(draft.join(&name), "").map_err(|error| Failure::io(&name, &error))?;
//!             written.push(Written::new(action, &name));
//!         }
//!         Ok(written)
//!     }
//! }
//! ```

use std::io;

#[doc(hidden)]
#[rustfmt::skip]
#[allow(unsafe_code, unreachable_pub, clippy::all, clippy::restriction, reason = "generated")]
pub mod bindings;

#[cfg(feature = "testing")]
pub mod testing;

use std::path::Path;

pub use crate::bindings::acreta::host;
pub use crate::bindings::acreta::types::types::{
    Attrs, Candidate, Evidence, Failure, Session, Summary,
};
pub use bindings::export;
pub use bindings::exports::acreta::memory_writer::memory_writer::{
    Action, Context, Guest, Written,
};
pub use host::registry::MemoryType;

/// Path of the folder to fill, inside a component.
pub const DRAFT: &str = "/draft";

/// Writes memory files.
pub trait MemoryWriter {
    /// Drafts one file under `draft` for each action. If one fails, all fail: the host discards an incomplete draft.
    fn apply(
        draft: &Path,
        context: &Context,
        actions: &[Action],
        host: &impl Host,
    ) -> Result<Vec<Written>, Failure>;
}

/// The host functions that a writer may call.
pub trait Host {
    /// Lists the types of memory, with the folder of each.
    fn memory_types(&self) -> Vec<MemoryType>;
    /// Returns one of the plugin's own settings, as JSON text.
    fn setting(&self, key: &str) -> Option<String>;
    /// Writes to the run's log; `level` is `error`, `warn`, `info` or `debug`.
    fn log(&self, level: &str, message: &str);
}

/// The sandbox's host.
pub struct Sandbox;

impl Host for Sandbox {
    fn memory_types(&self) -> Vec<MemoryType> {
        host::registry::memory_types()
    }

    fn setting(&self, key: &str) -> Option<String> {
        host::config::get(key)
    }

    fn log(&self, level: &str, message: &str) {
        host::log::write(level, message);
    }
}

impl Failure {
    /// Builds the failure of a file that could not be written.
    pub fn io(path: &str, cause: &io::Error) -> Self {
        Self {
            retryable: true,
            ..Self::new("io", format!("could not write `{path}`: {cause}"))
        }
    }
}

impl Written {
    /// Records that the file at `path` in the draft was written for the action.
    pub fn new(action: &Action, path: &str) -> Self {
        Self {
            action_id: action.id.clone(),
            path: path.to_owned(),
            attrs: Attrs::new(),
        }
    }
}

/// Exports a type that implements [`memory_writer::MemoryWriter`](crate::memory_writer::MemoryWriter)
/// as the component's memory-writer.
#[macro_export]
macro_rules! memory_writer {
    ($writer:ty) => {
        #[cfg(target_family = "wasm")]
        const _: () = {
            use $crate::memory_writer as role;

            struct AcretaExport;

            impl role::Guest for AcretaExport {
                fn apply(
                    context: role::Context,
                    actions: Vec<role::Action>,
                ) -> Result<Vec<role::Written>, role::Failure> {
                    let draft = ::std::path::Path::new(role::DRAFT);
                    <$writer as role::MemoryWriter>::apply(
                        draft,
                        &context,
                        &actions,
                        &role::Sandbox,
                    )
                }
            }

    role::export!(AcretaExport with_types_in role::bindings);
        };
    };
}
