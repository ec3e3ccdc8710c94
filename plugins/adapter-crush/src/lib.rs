//! Reads the sessions of Crush, the successor of the OpenCode written in Go: a database in each project, with that
//! program's tables.
//!
//! Crush stores nothing in the home directory, so there is no root to request: a database is read if a person names it.

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
