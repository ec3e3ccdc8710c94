//! Reads the sessions of Continue: one JSON document per session, rewritten as a whole on every change.
//!
//! The format has no ids and no times, so the index of its item in the history identifies an event. Of a truncated
//! document, the readable part is emitted.

mod emit;
mod sessions;

use acreta_sdk::adapter::calls::Calls;
use acreta_sdk::adapter::outline::Outline;
use acreta_sdk::adapter::{
    Adapter, Cursor, Description, EventWriter, Failure, Root, Session, Sink, document, failure,
};

/// Name of the agent whose sessions are read.
pub const AGENT: &str = "continue";

/// The field of a session that holds the conversation.
const HISTORY: &str = "history";

/// The adapter.
pub struct Continue;

acreta_sdk::adapter!(Continue);

impl Adapter for Continue {
    fn describe() -> Description {
        let root = Root::new(
            AGENT,
            &["$CONTINUE_GLOBAL_DIR/sessions", "~/.continue/sessions"],
            &["*.json"],
            "Continue keeps one file per session here; they are read to learn from finished work \
             and never changed.",
        );
        Description::new(AGENT, vec![root])
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        sessions::sessions(path)
    }

    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        let bytes = document::load(&session.path)?;
        if document::is_told(&bytes, from)? {
            return Ok(from.clone());
        }
        let Some(outline) = Outline::of(&bytes, HISTORY) else {
            return Err(failure::unreadable("the file is no session any more"));
        };
        emit::session(&outline, EventWriter::new(sink, Calls::default()))?;
        Ok(document::after(&bytes))
    }
}
