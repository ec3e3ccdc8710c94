//! Reads the sessions of Gemini CLI: files of records in which later ones change earlier ones, and, in older versions,
//! one document per session.
//!
//! A file is read twice: once to find the latest record of each message, and once to emit the messages in order.
//! Neither pass holds more than one record.

mod emit;
mod index;
pub mod part;
mod project;
mod record;
mod sessions;

use acreta_sdk::adapter::calls::Calls;
use acreta_sdk::adapter::{
    Adapter, Cursor, Description, EventWriter, Failure, Root, Session, Sink, attr, cursor, failure,
    file_probe,
};

use crate::emit::Conversation;
use crate::index::Index;

/// Name of the agent whose sessions are read.
pub const AGENT: &str = "gemini";

/// The adapter.
pub struct Gemini;

#[cfg(feature = "component")]
acreta_sdk::adapter!(Gemini);

impl Adapter for Gemini {
    fn describe() -> Description {
        let root = Root::new(
            AGENT,
            &["$GEMINI_CLI_HOME/.gemini", "~/.gemini"],
            &["tmp/*/chats/**/*.jsonl", "tmp/*/chats/**/*.json"],
            "Gemini CLI keeps one file per session here and says beside them which project they \
             belong to; they are read to learn from finished work and never changed.",
        );
        Description {
            attrs: vec![
                attr("deletes_after_days", "30"),
                attr(
                    "retention_setting",
                    "settings.json general.sessionRetention.maxAge",
                ),
            ],
            ..Description::new(AGENT, vec![root])
        }
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        sessions::sessions(path)
    }

    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        let mut file = file_probe::open(&session.path)?;
        let size = file_probe::size(&mut file)?;
        let () = cursor::resume(&mut file, from)?;
        if from.offset > 0 && from.offset < size {
            return Err(failure::invalid_cursor(
                "what was added may change what was told",
            ));
        }
        if from.offset > 0 {
            return Ok(from.clone());
        }
        let mut told = EventWriter::new(sink, Calls::default());
        let index = Index::of(&session.path, &mut told)?;
        let mut conversation = Conversation::new(session, told);
        for entry in index.entries() {
            let bytes = entry.load(&mut file)?;
            conversation.message(&bytes, entry)?;
        }
        conversation.finish()?;
        cursor::stop(&mut file, size, &())
    }
}
