//! Reads the output of OpenHands: a trajectory, which is one list of events, or the output of an evaluation, which is a
//! line per task with the events in its `history`.
//!
//! Neither has a fixed location: a person names the file. In an evaluation there is no person, and the text in the
//! person's position is the task.

mod emit;
mod event;
mod outputs;
mod trajectory;

use acreta_sdk::adapter::{Adapter, Cursor, Description, Failure, Session, Sink, file_probe};

/// Name of the agent whose sessions are read.
pub const AGENT: &str = "openhands";

/// The adapter.
pub struct OpenHands;

acreta_sdk::adapter!(OpenHands);

impl Adapter for OpenHands {
    fn describe() -> Description {
        Description::new(AGENT, Vec::new())
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        let beginning = file_probe::beginning(path)?;
        match Form::of(&beginning) {
            Some(Form::Trajectory) if trajectory::is_one(&beginning) => trajectory::sessions(path),
            Some(Form::Outputs) => outputs::sessions(path),
            _ => Ok(Vec::new()),
        }
    }

    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        match Form::of(&file_probe::beginning(&session.path)?) {
            Some(Form::Outputs) => outputs::read(session, from, sink),
            _ => trajectory::read(session, from, sink),
        }
    }
}

/// Format of the file.
enum Form {
    /// One list of events.
    Trajectory,
    /// A line per task.
    Outputs,
}

impl Form {
    fn of(beginning: &[u8]) -> Option<Self> {
        match beginning.trim_ascii_start().first()? {
            b'[' => Some(Form::Trajectory),
            b'{' => Some(Form::Outputs),
            _ => None,
        }
    }
}
