//! Reads the histories that SpecStory saves: a markdown document per session of some other agent.
//!
//! The document is rewritten whenever the session continues, so it is read whole. It is in the repository and not in a
//! home directory; there is no root to request.

mod author;
mod emit;
mod header;
mod sessions;
mod tool;
mod turns;

use acreta_sdk::adapter::{Adapter, Cursor, Description, Failure, Session, Sink, document};

/// Name of the agent whose sessions are read.
pub const AGENT: &str = "specstory";

/// The adapter.
pub struct SpecStory;

acreta_sdk::adapter!(SpecStory);

impl Adapter for SpecStory {
    fn describe() -> Description {
        Description::new(AGENT, Vec::new())
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        sessions::sessions(path)
    }

    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        let bytes = document::load(&session.path)?;
        if !document::is_told(&bytes, from)? {
            emit::document(&bytes, sink)?;
        }
        Ok(document::after(&bytes))
    }
}
