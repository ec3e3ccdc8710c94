//! Reads the sessions of OpenClaw, which is built on Pi: its entries are Pi's, in a database for each of its agents.
//! Earlier versions kept them in files as Pi does.

mod store;

use acreta_sdk::adapter::database::MAGIC;
use acreta_sdk::adapter::{
    Adapter, Cursor, Description, Failure, Root, Session, Sink, file_probe, path as place,
};

/// Name of the agent whose sessions are read.
const AGENT: &str = "openclaw";

/// The adapter.
pub struct OpenClaw;

acreta_sdk::adapter!(OpenClaw);

impl Adapter for OpenClaw {
    fn describe() -> Description {
        let root = Root::new(
            AGENT,
            &["$OPENCLAW_STATE_DIR/agents", "~/.openclaw/agents"],
            &["*/agent/openclaw-agent.sqlite", "*/sessions/*.jsonl"],
            "OpenClaw keeps the sessions of its agents here; they are read to learn from finished \
             work and never changed. Keys in the same databases are not read.",
        );
        Description::new(AGENT, vec![root])
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        let sessions = match file_probe::beginning(path)?.starts_with(MAGIC) {
            true => store::sessions(path)?,
            false if place::is_below(&adapter_pi::OPENCLAW, path) => adapter_pi::sessions(path)?,
            false => Vec::new(),
        };
        let sessions = sessions.into_iter();
        Ok(sessions.map(|session| session.of_agent(AGENT)).collect())
    }

    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        match file_probe::beginning(&session.path)?.starts_with(MAGIC) {
            true => store::read(session, sink),
            false => adapter_pi::read(session, from, sink),
        }
    }
}
