//! The steps of a session that matter for cures: commands with their outcome, changes, and messages of the person.

use crate::shell::ShellLine;
use crate::signature::Causes;

#[derive(Debug)]
pub(crate) enum SessionStep {
    Command(Box<CommandRun>),
    /// A tool other than a shell may have changed something.
    Changed,
    /// The person wrote a message, and may have done anything meanwhile.
    Person,
}

#[derive(Debug)]
pub(crate) struct CommandRun {
    pub(crate) event_id: String,
    pub(crate) at_ms: Option<u64>,
    pub(crate) text: String,
    pub(crate) line: ShellLine,
    pub(crate) end: CommandEnd,
}

#[derive(Debug)]
pub(crate) enum CommandEnd {
    /// Succeeded, according to its exit code and its output.
    Good,
    Failed {
        causes: Causes,
        signatures: Vec<String>,
    },
    /// Refused, interrupted or still running: it had no effect yet.
    Unfinished,
    Unclear,
}
