//! Reads the sessions of Mistral Vibe: a folder per session, in which a document names the newest snapshot and this one
//! the documents with the conversation as Vibe shows it. Snapshots are taken when a turn ends.
//!
//! ```text
//! unified/<id>/CURRENT                         names the generation; replaced at every snapshot
//! unified/<id>/meta.json                       directory, title, parent, model
//! unified/<id>/generations/<g>/manifest.json   names the chunks
//! unified/<id>/chunks/<hash>.json              a list of entries
//! ```
//!
//! Versions before 3 had one file of messages per session, in the form of OpenAI's chat interface.

mod messages;
mod meta;
mod unified;

use acreta_sdk::adapter::{Adapter, Cursor, Description, Failure, Root, Session, Sink};

/// Name of the agent whose sessions are read.
const AGENT: &str = "vibe";

/// Name of the document that names a session's newest snapshot.
const CURRENT: &str = "/CURRENT";

/// The adapter.
pub struct Vibe;

acreta_sdk::adapter!(Vibe);

impl Adapter for Vibe {
    fn describe() -> Description {
        let root = Root::new(
            AGENT,
            &["$VIBE_HOME/logs/session", "~/.vibe/logs/session"],
            &["unified/*/CURRENT", "*/messages.jsonl"],
            "Mistral Vibe keeps a folder per session here; they are read to learn from finished \
             work and never changed.",
        );
        Description::new(AGENT, vec![root])
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        match path.ends_with(CURRENT) {
            true => unified::sessions(path),
            false => messages::sessions(path),
        }
    }

    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        match session.path.ends_with(CURRENT) {
            true => unified::read(session, sink),
            false => messages::read(session, from, sink),
        }
    }
}
