//! Reads the sessions of Crush, which the OpenCode written in Go became: a database in each project,
//! with that program's tables.
//!
//! Crush keeps nothing in the home, so there is no root to ask for: a database is read when a person
//! names it.

use acreta_sdk::adapter::{Adapter, Cursor, Description, Failure, Session, Sink};
use adapter_opencode::Program;

/// The adapter.
pub struct Crush;

acreta_sdk::adapter!(Crush);

impl Adapter for Crush {
    fn describe() -> Description {
        Description::new(Program::Crush.agent(), Vec::new())
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        adapter_opencode::sessions(path, Program::Crush)
    }

    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        adapter_opencode::read(session, from, sink)
    }
}
