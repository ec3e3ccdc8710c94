//! Reads the events of a session in order and keeps what matters for cures: commands with their outcome, changes, and
//! where the person spoke. Holds command lines and error lines, never a whole output.

use std::collections::HashMap;

use acreta_model::{CureRecord, Event};

use crate::calls::{command_line, continued, may_change, runs_commands, still_running};
use crate::commands::is_search;
use crate::find;
use crate::outcome::{Outcome, is_quiet, outcome};
use crate::shell::Line;
use crate::signature::{causes, signatures_of};
use crate::steps::{End, Ran, Step};

/// Takes the events of one session.
#[derive(Debug, Default)]
pub struct Collector {
    steps: Vec<Step>,
    /// Calls without a result, by id: the place in `steps`.
    open: HashMap<String, usize>,
    /// Commands that went on after their result, by the number that the agent asks for the rest with.
    running: HashMap<u64, usize>,
    /// The agent marks commands that failed.
    has_marks: bool,
}

/// A failed command, for whoever replays a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    pub command: String,
    /// One for each program of the line.
    pub signatures: Vec<String>,
    /// The lines that say what was wrong, normalised.
    pub causes: Vec<String>,
}

impl Collector {
    /// Takes the next event. Returns the failure that it reports, if it does: of a command that does more than look.
    pub fn take(&mut self, event: &Event) -> Option<Failed> {
        // Copies of another session's events are that session's.
        if event.attrs.get("copied_from").is_some() {
            return None;
        }
        match (event.role.as_str(), event.kind.as_str()) {
            ("user", "text") => self.steps.push(Step::Person),
            ("assistant", "tool-call") => self.call(event),
            (_, "tool-result") => return self.result(event),
            _ => {}
        }
        None
    }

    /// The cures of the session.
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
            } else if runs_commands(tool) || may_change(tool) {
                self.steps.push(Step::Changed);
            }
            return;
        };
        let line = Line::parse(&text);
        if let Some(call) = event.attrs.get("call_id").filter(|call| !call.is_empty()) {
            self.open.insert(call.to_owned(), self.steps.len());
        }
        self.steps.push(Step::Command(Box::new(Ran {
            event_id: event.id.clone(),
            at_ms: event.at_ms,
            text,
            line,
            end: End::Unfinished,
        })));
    }

    fn result(&mut self, event: &Event) -> Option<Failed> {
        let at = self.open.remove(event.attrs.get("call_id")?)?;
        let Some(Step::Command(ran)) = self.steps.get_mut(at) else {
            return None;
        };
        if let Some(number) = still_running(&event.text) {
            self.running.insert(number, at);
        }
        self.has_marks |= event.attrs.get("is_error") == Some("true");
        ran.end = match outcome(event, self.has_marks) {
            Outcome::Failed => {
                let causes = causes(&event.text);
                let signatures = signatures_of(&ran.line, &causes);
                End::Failed { causes, signatures }
            }
            Outcome::Unfinished => End::Unfinished,
            Outcome::Succeeded if !ran.line.is_masked() || is_quiet(&event.text) => End::Good,
            Outcome::Succeeded | Outcome::Unknown => End::Unclear,
        };
        match &ran.end {
            End::Failed { signatures, causes } if !is_search(&ran.line) => Some(Failed {
                command: ran.text.clone(),
                signatures: signatures.clone(),
                causes: causes.normalised.clone(),
            }),
            _ => None,
        }
    }
}
