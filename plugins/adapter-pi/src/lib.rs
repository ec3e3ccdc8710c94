//! Reads the sessions of Pi and of its descendants: append-only JSONL files, one per session.
//!
//! Newer versions store a tree in the file: every entry names its parent, and going back to an earlier one starts
//! another branch. Only the branch of the last entry is emitted.

mod emit;
mod read;
mod sessions;
mod tree;

use acreta_sdk::adapter::{Adapter, Cursor, Description, Failure, Root, Session, Sink, file_probe};

/// Name of the agent whose sessions are read.
pub const AGENT: &str = "pi";

/// The adapter.
pub struct Pi;

acreta_sdk::adapter!(Pi);

impl Adapter for Pi {
    fn describe() -> Description {
        let root = |name: &str, candidates: &[&str], reason: &str| Root {
            name: name.to_owned(),
            candidates: candidates.iter().map(|path| (*path).to_owned()).collect(),
            patterns: vec!["**/*.jsonl".to_owned()],
            reason: format!(
                "{reason} keeps one file per session here; they are read to learn from finished \
                 work and never changed."
            ),
        };
        let own = ["$PI_CODING_AGENT_DIR/sessions", "~/.pi/agent/sessions"];
        Description {
            agent: AGENT.to_owned(),
            roots: vec![
                root("pi", &own, "Pi"),
                root("omp", &["~/.omp/agent/sessions"], "Oh My Pi"),
            ],
            attrs: Vec::new(),
        }
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        sessions::sessions(path, file_probe::open(path)?)
    }

    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        read::read(session, from, sink)
    }
}
