//! Reads the sessions of Claude Code: append-only JSONL files, one per session or subagent.
//!
//! One tolerant decoder for every version of the format. A damaged line costs that line and a
//! diagnostic; a person's words are never mixed with what the tooling writes in their name.
//!
//! Everything but `component` compiles natively and reads from any file-like source.

mod aside;
#[cfg(target_family = "wasm")]
mod component;
mod failure;
mod json;
mod objects;
mod output;
mod place;
mod read;
mod record;
mod sessions;
mod state;
mod tell;
mod time;
mod voice;

use acreta_sdk::adapter::{Description, Root};

pub use read::read;
pub use sessions::sessions;

/// Name of the agent whose sessions are read.
pub const AGENT: &str = "claude";

/// What the adapter reads and what it asks for.
pub fn describe() -> Description {
    let candidates = [
        "$CLAUDE_CONFIG_DIR/projects",
        "~/.claude/projects",
        "~/.config/claude/projects",
    ];
    Description {
        agent: AGENT.to_owned(),
        roots: vec![Root {
            name: AGENT.to_owned(),
            candidates: candidates.map(str::to_owned).into(),
            patterns: vec!["**/*.jsonl".to_owned()],
            reason: "Claude Code keeps one file per session here; they are read to learn from \
                     finished work and never changed."
                .to_owned(),
        }],
        attrs: Vec::new(),
    }
}
