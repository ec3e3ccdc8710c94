//! Reads SWE-agent's trajectories: one document per attempt at a task, with the model's messages in `history` and its
//! steps in `trajectory`.
//!
//! There is no person in them: the first message is the task, and later messages of the role `user` come from the
//! environment. A person names the file; it has no fixed location.

mod attempt;
mod emit;

use acreta_sdk::adapter::{
    Adapter, Cursor, Description, Failure, Session, Sink, document, file_probe,
};

use crate::attempt::Attempt;

/// Name of the agent whose sessions are read.
pub const AGENT: &str = "swe-agent";

/// The adapter.
pub struct SweAgent;

acreta_sdk::adapter!(SweAgent);

impl Adapter for SweAgent {
    fn describe() -> Description {
        Description::new(AGENT, Vec::new())
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        if !attempt::may_be_one(&file_probe::beginning(path)?) {
            return Ok(Vec::new());
        }
        let bytes = document::load(path)?;
        let attempt = Attempt::of(&bytes);
        Ok(attempt
            .map(|attempt| attempt.session(path, document::revision(&bytes)))
            .into_iter()
            .collect())
    }

    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        let bytes = document::load(&session.path)?;
        if !document::is_told(&bytes, from)? {
            emit::attempt(&bytes, sink)?;
        }
        Ok(document::after(&bytes))
    }
}
