//! Reads the sessions of Codex: append-only JSONL files, one per thread, plain or compressed.
//!
//! One tolerant decoder for every version of the format. Records that Codex writes twice are emitted once, and a
//! person's words are never mixed with text that the tooling writes in their name.

mod author;
mod base;
mod compressed;
mod emit;
mod home;
mod item;
mod meta;
mod notice;
mod outcome;
mod places;
mod read;
mod record;
mod sessions;
mod state;

use acreta_sdk::adapter::{Adapter, Cursor, Description, Failure, Root, Session, Sink};

/// Name of the agent whose sessions are read.
pub const AGENT: &str = "codex";

/// The adapter.
pub struct Codex;

acreta_sdk::adapter!(Codex);

impl Adapter for Codex {
    fn describe() -> Description {
        let root = Root::new(
            AGENT,
            &["$CODEX_HOME", "~/.codex"],
            &[
                "sessions/**/*.jsonl",
                "sessions/**/*.jsonl.zst",
                "archived_sessions/**/*.jsonl",
                "archived_sessions/**/*.jsonl.zst",
            ],
            "Codex keeps one file per session in the folders `sessions` and `archived_sessions` \
             here; they are read to learn from finished work and never changed.",
        );
        Description::new(AGENT, vec![root])
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        sessions::sessions(path)
    }

    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        read::read(session, from, sink)
    }
}
