//! Reads the transcripts of Windsurf's Cascade: a JSONL file per conversation, a step per line.
//!
//! A step names its type and carries its details under that name. No step has a time or an id; steps other than the
//! person's and the agent's words are tool calls.

mod emit;
mod sessions;
mod step;

use acreta_sdk::adapter::{
    Adapter, Cursor, Description, Failure, Root, Session, Sink, file_probe, journal,
};

/// Name of the agent whose sessions are read.
pub const AGENT: &str = "windsurf";

/// The adapter.
pub struct Windsurf;

acreta_sdk::adapter!(Windsurf);

impl Adapter for Windsurf {
    fn describe() -> Description {
        let root = Root::new(
            AGENT,
            &["~/.windsurf/transcripts"],
            &["**/*.jsonl"],
            "Windsurf leaves a transcript of each Cascade conversation here; they are read to learn \
             from finished work and never changed.",
        );
        Description::new(AGENT, vec![root])
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        sessions::sessions(path, file_probe::open(path)?)
    }

    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        journal::read::<step::Steps, (), _>(
            &session.path,
            from,
            sink,
            |event_writer, (), record, span| emit::step(event_writer, *record, span),
        )
    }
}
