//! Connects the agents on a machine: detects them, determines the wanted content of their files, and applies and undoes
//! the changes. A plan only reads; its changes are shown as a diff first, written through `acreta-fs` with a backup of
//! every file, and can be undone byte for byte.
//!
//! Everything in a file apart from acreta's own entry stays unchanged: comments, order, indentation, line endings.
//! Nothing is read from the process itself: home, variables and paths are passed in.

mod agent;
mod apply;
mod command;
mod error;
mod files;
mod json;
mod json_edit;
mod learning;
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
pub use learning::{Learning, needs_catch_up};
pub use machine::{Machine, Platform};
pub use plan::{ChangedEntry, FileChange, Note, Plan, plan};
pub use receipt::{AddedEntry, Before, Receipt, Written};
pub use setup::Setup;
pub use undo::{Refusal, Refused, Undone, undo};
