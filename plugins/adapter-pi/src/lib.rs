//! Reads the sessions of Pi and of its descendants: append-only JSONL files, one per session.
//!
//! Newer versions store a tree in the file: every entry names its parent, and going back to an earlier one starts
//! another branch. Only the branch of the last entry is emitted.
//!
//! Its descendants (Oh My Pi, OpenClaw) have adapters of a few lines over [`sessions`] and [`read`].

mod emit;
mod read;
mod sessions;
mod tree;

use acreta_sdk::adapter::{
    Adapter, Cursor, Description, Failure, Root, Session, Sink, path as place,
};

pub use read::{Entry, read, read_entries};
pub use sessions::{of_entries, sessions};

/// Name of the agent whose sessions are read.
pub const AGENT: &str = "pi";

/// Folders of programs whose entries are the same: their own, and the root they are granted as.
pub const OH_MY_PI: [&str; 2] = [".omp", "omp"];
pub const OPENCLAW: [&str; 2] = [".openclaw", "openclaw"];

/// The adapter.
pub struct Pi;

#[cfg(feature = "component")]
acreta_sdk::adapter!(Pi);

impl Adapter for Pi {
    fn describe() -> Description {
        let root = Root::new(
            AGENT,
            &["$PI_CODING_AGENT_DIR/sessions", "~/.pi/agent/sessions"],
            &["**/*.jsonl"],
            "Pi keeps one file per session here; they are read to learn from finished work and \
             never changed.",
        );
        Description::new(AGENT, vec![root])
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        if place::is_below(&OH_MY_PI, path) || place::is_below(&OPENCLAW, path) {
            return Ok(Vec::new());
        }
        sessions(path)
    }

    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        read(session, from, sink)
    }
}
