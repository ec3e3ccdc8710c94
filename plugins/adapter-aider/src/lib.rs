//! Reads aider's chat histories: one markdown file per repository, with all of its sessions in order.
//!
//! Lines that start with `####` are the person's, lines that start with `>` are the console's, the rest is the agent's.
//! The file is in the repository and not in a home directory, so there is no root to request; times are local, taken as
//! UTC.

mod block;
mod line;
mod read;
mod sections;

use acreta_sdk::adapter::{Adapter, Cursor, Description, Failure, Session, Sink};

/// Name of the agent whose sessions are read.
pub const AGENT: &str = "aider";

/// The adapter.
pub struct Aider;

acreta_sdk::adapter!(Aider);

impl Adapter for Aider {
    fn describe() -> Description {
        Description::new(AGENT, Vec::new())
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        sections::sessions(path)
    }

    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        read::read(session, from, sink)
    }
}
