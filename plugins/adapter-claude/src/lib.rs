//! Reads the sessions of Claude Code: append-only JSONL files, one per session or subagent.
//!
//! One tolerant decoder for every version of the format. A damaged line costs only that line and a diagnostic; a
//! person's words are never mixed with text that the tooling writes in their name.

mod aside;
mod author;
mod emit;
mod place;
mod read;
mod record;
mod sessions;
mod state;

use acreta_sdk::adapter::{
    Adapter, Cursor, Description, Failure, Root, Session, Sink, attr, file_probe, path as folders,
};

pub use read::read;
pub use sessions::sessions;

/// Name of the agent whose sessions are read.
pub const AGENT: &str = "claude";

/// Folders of OpenClaude, whose records are the same: its own, and the root it is granted as.
pub const OPENCLAUDE: [&str; 2] = [".openclaude", "openclaude"];

/// The adapter.
pub struct Claude;

#[cfg(feature = "component")]
acreta_sdk::adapter!(Claude);

impl Adapter for Claude {
    fn describe() -> Description {
        let root = Root::new(
            AGENT,
            &[
                "$CLAUDE_CONFIG_DIR/projects",
                "~/.claude/projects",
                "~/.config/claude/projects",
            ],
            &["**/*.jsonl"],
            "Claude Code keeps one file per session here; they are read to learn from finished \
             work and never changed.",
        );
        Description {
            attrs: vec![
                attr("deletes_after_days", "30"),
                attr("retention_setting", "../settings.json cleanupPeriodDays"),
            ],
            ..Description::new(AGENT, vec![root])
        }
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        if folders::is_below(&OPENCLAUDE, path) {
            return Ok(Vec::new());
        }
        sessions(path, file_probe::open(path)?)
    }

    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        read(session, file_probe::open(&session.path)?, from, sink)
    }
}
