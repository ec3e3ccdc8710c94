//! The steps of a session that matter for cures: commands with their outcome, changes, and where the person spoke.

use crate::shell::Line;
use crate::signature::Causes;

#[derive(Debug)]
pub(crate) enum Step {
    Command(Box<Ran>),
    /// A tool that is no shell may have changed something.
    Changed,
    /// The person spoke, and may have done anything meanwhile.
    Person,
}

#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) event_id: String,
    pub(crate) at_ms: Option<u64>,
    pub(crate) text: String,
    pub(crate) line: Line,
    pub(crate) end: End,
}

#[derive(Debug)]
pub(crate) enum End {
    /// Succeeded as far as its exit code and its output tell.
    Good,
    Failed {
        causes: Causes,
        signatures: Vec<String>,
    },
    /// Refused, interrupted or still running: it did nothing, or not yet.
    Unfinished,
    Unclear,
}
