//! Reads the threads of Amp: one JSON document per thread, rewritten as a whole on every change.
//!
//! Of a truncated document, the readable part is emitted; a person's words are never mixed with text that the tooling
//! writes in their name.

mod emit;
mod result;
mod sessions;

use acreta_sdk::adapter::calls::Calls;
use acreta_sdk::adapter::outline::Outline;
use acreta_sdk::adapter::{
    Adapter, Cursor, Description, EventWriter, Failure, Root, Session, Sink, document, failure,
};

/// Name of the agent whose sessions are read.
pub const AGENT: &str = "amp";

/// The field of a thread that holds the conversation.
const MESSAGES: &str = "messages";

/// The adapter.
pub struct Amp;

acreta_sdk::adapter!(Amp);

impl Adapter for Amp {
    fn describe() -> Description {
        let root = Root::new(
            AGENT,
            &[
                "$XDG_DATA_HOME/amp/threads",
                "~/.local/share/amp/threads",
                "<data>/amp/threads",
            ],
            &["*.json"],
            "Amp keeps one file per thread here; they are read to learn from finished work and \
             never changed.",
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
        let Some(outline) = Outline::of(&bytes, MESSAGES) else {
            return Err(failure::unreadable("the file is no thread any more"));
        };
        emit::thread(&outline, EventWriter::new(sink, Calls::default()))?;
        Ok(document::after(&bytes))
    }
}
