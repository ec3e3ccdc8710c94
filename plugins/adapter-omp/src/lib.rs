//! Reads the sessions of Oh My Pi, a fork of Pi that stores the same entries under another root.

use acreta_sdk::adapter::{
    Adapter, Cursor, Description, Failure, Root, Session, Sink, path as place,
};

/// Name of the agent whose sessions are read.
const AGENT: &str = "omp";

/// The adapter.
pub struct OhMyPi;

acreta_sdk::adapter!(OhMyPi);

impl Adapter for OhMyPi {
    fn describe() -> Description {
        let root = Root::new(
            AGENT,
            &["~/.omp/agent/sessions"],
            &["**/*.jsonl"],
            "Oh My Pi keeps one file per session here; they are read to learn from finished work and \
             never changed.",
        );
        Description::new(AGENT, vec![root])
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        if !place::is_below(&adapter_pi::OH_MY_PI, path) {
            return Ok(Vec::new());
        }
        let sessions = adapter_pi::sessions(path)?.into_iter();
        Ok(sessions.map(|session| session.of_agent(AGENT)).collect())
    }

    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        adapter_pi::read(session, from, sink)
    }
}
