//! Reads the sessions of OpenClaude, a fork of Claude Code that stores the same records under another root.

use acreta_sdk::adapter::{
    Adapter, Cursor, Description, Failure, Root, Session, Sink, file_probe, path as place,
};

/// Name of the agent whose sessions are read.
const AGENT: &str = "openclaude";

/// The adapter.
pub struct OpenClaude;

acreta_sdk::adapter!(OpenClaude);

impl Adapter for OpenClaude {
    fn describe() -> Description {
        let root = Root::new(
            AGENT,
            &["$OPENCLAUDE_CONFIG_DIR/projects", "~/.openclaude/projects"],
            &["**/*.jsonl"],
            "OpenClaude keeps one file per session here; they are read to learn from finished work \
             and never changed.",
        );
        Description::new(AGENT, vec![root])
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        if !place::is_below(&adapter_claude::OPENCLAUDE, path) {
            return Ok(Vec::new());
        }
        let sessions = adapter_claude::sessions(path, file_probe::open(path)?)?;
        let sessions = sessions.into_iter();
        Ok(sessions.map(|session| session.of_agent(AGENT)).collect())
    }

    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        adapter_claude::read(session, file_probe::open(&session.path)?, from, sink)
    }
}
