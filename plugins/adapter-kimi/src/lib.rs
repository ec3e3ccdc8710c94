//! Reads the sessions of Kimi's command lines: Kimi Code (`~/.kimi-code`) and the older Kimi CLI (`~/.kimi`). Both
//! write a `wire.jsonl` per agent, append-only, with different records.
//!
//! The record itself shows which of the two wrote it. The origin that Kimi Code writes separates a person's words from
//! text that the tooling writes in their name.

mod code;
mod content;
mod emit;
mod fork;
mod legacy;
mod lines;
mod record;
mod sessions;

use acreta_sdk::adapter::{Adapter, Cursor, Description, Failure, Root, Session, Sink, journal};

use crate::emit::State;
use crate::lines::Lines;

/// Name of the agent whose sessions are read.
pub const AGENT: &str = "kimi";

/// The adapter.
pub struct Kimi;

acreta_sdk::adapter!(Kimi);

impl Adapter for Kimi {
    fn describe() -> Description {
        let root = |name, candidates: &[&str], patterns: &[&str], whose: &str| {
            let reason = format!(
                "{whose} keeps a folder per session here; its records of the conversation are read \
                 to learn from finished work and never changed."
            );
            Root::new(name, candidates, patterns, &reason)
        };
        let code = root(
            "kimi-code",
            &["$KIMI_CODE_HOME/sessions", "~/.kimi-code/sessions"],
            &["*/*/agents/*/wire.jsonl"],
            "Kimi Code",
        );
        let cli = root(
            "kimi-cli",
            &["$KIMI_SHARE_DIR/sessions", "~/.kimi/sessions"],
            &["*/*/wire.jsonl", "*/*/subagents/*/wire.jsonl"],
            "Kimi CLI",
        );
        Description::new(AGENT, vec![code, cli])
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        sessions::sessions(path)
    }

    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        let context = record::Context::of(session)?;
        journal::read::<Lines, State, _>(&session.path, from, sink, |told, state, record, span| {
            record::record(told, state, &context, *record, span)
        })
    }
}
