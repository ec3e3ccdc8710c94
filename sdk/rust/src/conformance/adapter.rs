//! The suite of adapters: an adapter asks for what it needs and says why, leaves other agents' files
//! alone, and tells its own the same way every time, whole, in steps, and damaged.

mod damage;
mod described;
mod growth;
mod reading;
mod strangers;
mod subject;
mod table;

pub use described::is_hidden;
pub use growth::{Growth, Known, grow};
pub use reading::{originals, unlike};
pub use subject::{
    Answer, Cursor, Description, Diagnostic, Effort, Event, Failure, Fixture, Folder, Reading,
    Root, Session, Strangers, Subject,
};
pub use table::checks;
