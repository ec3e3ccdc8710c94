//! The suite of adapters: an adapter requests only what it needs and gives reasons, ignores other agents' files, and
//! emits the same events for its own files on every read: whole, in steps, and damaged.

mod damage;
mod described;
mod growth;
mod reading;
mod strangers;
mod subject;
mod table;

pub use described::is_hidden;
pub use growth::{GrownSession, Growth, grow};
pub use reading::{originals, unlike};
pub use subject::{Answer, Diagnostic, Effort, Fixture, Folder, Reading, Strangers, Subject};
pub use table::checks;

pub use crate::adapter::{Cursor, Description, Event, Failure, Origin, Root, Session};
