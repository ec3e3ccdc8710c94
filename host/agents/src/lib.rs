//! Connecting the agents on a machine: which there are, what each one's files should say, and the
//! way there and back. A plan only reads; what it changes is shown as a diff first, written through
//! `acreta-fs` with a backup of every file, and undone byte for byte.
//!
//! Everything in a file that is not acreta's own entry stays as it is: comments, order, indentation,
//! line endings. Nothing is read from the process itself: home, variables and paths are handed in.

mod agent;
mod apply;
mod command;
mod error;
mod files;
mod gitignore;
mod json;
mod json_edit;
mod machine;
mod moments;
mod plan;
mod receipt;
mod setup;
mod texts;
mod toml;
mod undo;
mod wanted;

pub use agent::{Agent, Detected, ReadOnly, detect, read_only};
pub use apply::apply;
pub use error::{ApplyError, Problem, ReceiptError};
pub use machine::{Machine, Platform};
pub use plan::{FileChange, Kept, Note, Plan, plan};
pub use receipt::{Before, Entry, Receipt, Written};
pub use setup::Setup;
pub use undo::{Refusal, Refused, Undone, undo};
