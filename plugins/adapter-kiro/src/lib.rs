//! Reads the sessions of Kiro's command line, in their two shapes.
//!
//! The newer one is a journal per session, append-only, with a description next to it. The older one is a document with
//! the whole history; it is in a database together with Kiro's login, of which only the tables of conversations are
//! ever queried, and in files that a person saved.

mod content;
mod conversation;
mod document;
mod line;
mod sessions;
mod store;

use acreta_sdk::adapter::{
    Adapter, Cursor, Description, Failure, Root, Session, Sink, Speaker, journal,
};

/// Name of the agent whose sessions are read.
pub const AGENT: &str = "kiro";

/// The adapter.
pub struct Kiro;

acreta_sdk::adapter!(Kiro);

impl Adapter for Kiro {
    fn describe() -> Description {
        let journals = Root::new(
            "kiro",
            &["$KIRO_HOME/sessions/cli", "~/.kiro/sessions/cli"],
            &["*.jsonl"],
            "Kiro keeps a journal per session here; they are read to learn from finished work and \
             never changed.",
        );
        let database = Root::new(
            "kiro-cli",
            &["<data>/kiro-cli"],
            &["data.sqlite3"],
            "Older versions of Kiro keep their conversations in this database; only its tables of \
             conversations are read, and nothing is changed.",
        );
        Description::new(AGENT, vec![journals, database])
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        sessions::sessions(path)
    }

    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        match sessions::shape(&session.path)? {
            sessions::Shape::Database => store::read(session, from, sink),
            sessions::Shape::Document => document::read(session, from, sink),
            sessions::Shape::Journal => {
                let speaker = Speaker::of(session);
                journal::read::<line::Lines, (), _>(
                    &session.path,
                    from,
                    sink,
                    |told, _, record, span| line::record(told, speaker, *record, span),
                )
            }
        }
    }
}
