//! Reads the events of a session in order and keeps what matters for cures: commands with their outcome, changes, and
//! messages of the person. Stores command lines and error lines, never a whole output.

use std::collections::HashMap;

use acreta_types::{CureRecord, Event};

use crate::calls::{
    command_line, continued, may_change, only_wraps_commands, runs_commands, still_running,
};
use crate::commands::is_search;
use crate::find;
use crate::outcome::{CommandOutcome, is_quiet, outcome};
use crate::shell::ShellLine;
use crate::signature::{causes, signatures_of};
use crate::steps::{CommandEnd, CommandRun, SessionStep};

/// Collects the cures from the events of one session.
#[derive(Debug, Default)]
pub struct Collector {
    steps: Vec<SessionStep>,
    /// Calls without a result, by id; the value is an index of `steps`.
    open: HashMap<String, usize>,
    /// Commands that continued after their result, by the session number with which the agent polls them.
    running: HashMap<u64, usize>,
    /// The agent marks commands that failed.
    has_marks: bool,
}

/// A failed command, for callers that replay a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedCommand {
    pub command: String,
    /// One for each program of the line.
    pub signatures: Vec<String>,
    /// The lines that state the error, normalised.
    pub causes: Vec<String>,
}

impl Collector {
    /// Adds the next event. Returns the failure that it reports, if any; failures of read-only commands are not
    /// reported.
    pub fn take(&mut self, event: &Event) -> Option<FailedCommand> {
        // Copies of another session's events belong to that session.
        if event.attrs.get("copied_from").is_some() {
            return None;
        }
        match (event.role.as_str(), event.kind.as_str()) {
            ("user", "text") => self.steps.push(SessionStep::Person),
            ("assistant", "tool-call") => self.call(event),
            (_, "tool-result") => return self.result(event),
            _ => {}
        }
        None
    }

    /// Returns the cures of the session.
    pub fn finish(self) -> Vec<CureRecord> {
        find::cures(&self.steps)
    }

    fn call(&mut self, event: &Event) {
        let tool = event.attrs.get("tool").unwrap_or_default();
        let Some(text) = command_line(event) else {
            if let Some(number) = continued(event) {
                if let (Some(at), Some(call)) =
                    (self.running.get(&number), event.attrs.get("call_id"))
                {
                    self.open.insert(call.to_owned(), *at);
                }
            } else if (runs_commands(tool) || may_change(tool)) && !only_wraps_commands(event) {
                self.steps.push(SessionStep::Changed);
            }
            return;
        };
        let line = ShellLine::parse(&text);
        if let Some(call) = event.attrs.get("call_id").filter(|call| !call.is_empty()) {
            self.open.insert(call.to_owned(), self.steps.len());
        }
        self.steps.push(SessionStep::Command(Box::new(CommandRun {
            event_id: event.id.clone(),
            at_ms: event.at_ms,
            text,
            line,
            end: CommandEnd::Unfinished,
        })));
    }

    fn result(&mut self, event: &Event) -> Option<FailedCommand> {
        let at = self.open.remove(event.attrs.get("call_id")?)?;
        let Some(SessionStep::Command(ran)) = self.steps.get_mut(at) else {
            return None;
        };
        if let Some(number) = still_running(&event.text) {
            self.running.insert(number, at);
        }
        self.has_marks |= event.attrs.get("is_error") == Some("true");
        ran.end = match outcome(event, self.has_marks) {
            CommandOutcome::Failed => {
                let causes = causes(&event.text);
                let signatures = signatures_of(&ran.line, &causes);
                CommandEnd::Failed { causes, signatures }
            }
            CommandOutcome::Unfinished => CommandEnd::Unfinished,
            CommandOutcome::Succeeded if !ran.line.is_masked() || is_quiet(&event.text) => {
                CommandEnd::Good
            }
            CommandOutcome::Succeeded | CommandOutcome::Unknown => CommandEnd::Unclear,
        };
        match &ran.end {
            CommandEnd::Failed { signatures, causes } if !is_search(&ran.line) => {
                Some(FailedCommand {
                    command: ran.text.clone(),
                    signatures: signatures.clone(),
                    causes: causes.normalised.clone(),
                })
            }
            _ => None,
        }
    }
}
