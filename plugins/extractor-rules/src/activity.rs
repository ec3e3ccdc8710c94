//! The agent's actions: edited files, and commands with their outcome. The record is bounded, so that memory use does
//! not depend on the length of a session.

use std::collections::{BTreeMap, VecDeque};

use acreta_sdk::extractor::Event;
use serde_json::Value;

use crate::command::{
    Command, command_line, complaint, edited_files, has_failed, may_edit, notable, runs_commands,
};
use crate::cure::Cures;

/// The record of a session's actions.
#[derive(Debug, Default)]
pub(crate) struct Activity {
    recent: VecDeque<Command>,
    /// Edits that wait for their result, by call.
    pending: VecDeque<(String, Vec<String>)>,
    pub(crate) cures: Cures,
    /// Edited files with the number of edits.
    pub(crate) files: BTreeMap<String, u32>,
    /// Notable commands in the order they were first run.
    pub(crate) notable: Vec<String>,
    pub(crate) edits: u64,
    pub(crate) commands: u64,
    /// Number of calls that the person refused.
    pub(crate) refused: u32,
    pub(crate) interrupted: u32,
    pub(crate) last_failed: bool,
}

impl Activity {
    /// Records a tool call.
    pub(crate) fn call(&mut self, event: &Event, order: u64) {
        let tool = attribute(event, "tool").to_lowercase();
        if !may_edit(&tool, &event.text) && !runs_commands(&tool) {
            return;
        }
        let input: Value = serde_json::from_str(&event.text).unwrap_or_default();
        let files = edited_files(&tool, &input, &event.text);
        let call = attribute(event, "call_id");
        if call.is_empty() {
            self.edited(files);
        } else if !files.is_empty() {
            // An edit counts once its result confirms it.
            self.pending.push_back((call.to_owned(), files));
            if self.pending.len() > WINDOW {
                self.pending.pop_front();
            }
        }
        if let Some(line) = command_line(&tool, &input) {
            self.commands += 1;
            if let Some(notable) = notable(&line)
                && self.notable.len() < MOST_NOTABLE
                && !self.notable.contains(&notable)
            {
                self.notable.push(notable);
            }
            self.recent.push_back(Command {
                event_id: event.id.clone(),
                order,
                line,
                call: attribute(event, "call_id").to_owned(),
                failed: false,
                done: false,
                complaint: String::new(),
                result_id: String::new(),
            });
            if self.recent.len() > WINDOW {
                self.recent.pop_front();
            }
        }
    }

    fn edited(&mut self, files: Vec<String>) {
        for file in files {
            self.edits += 1;
            if self.files.len() < MOST_FILES || self.files.contains_key(&file) {
                *self.files.entry(file).or_insert(0) += 1;
            }
        }
    }

    /// Records a tool result.
    pub(crate) fn result(&mut self, event: &Event) {
        let call = attribute(event, "call_id");
        let text = acreta_text::head(&event.text, LONGEST_RESULT);
        let refused = is_refusal(text);
        self.refused += u32::from(refused);
        let failed = refused || attribute(event, "is_error") == "true" || has_failed(text);
        if let Some(at) = self.pending.iter().position(|(pending, _)| pending == call)
            && let Some((_, files)) = self.pending.remove(at)
            && !failed
        {
            self.edited(files);
        }
        let Some(position) = self
            .recent
            .iter()
            .rposition(|command| !command.done && command.call == call)
        else {
            return;
        };
        let command = &mut self.recent[position];
        command.done = true;
        command.failed = failed;
        self.last_failed = failed;
        if failed {
            command.complaint = complaint(text);
            command.result_id.clone_from(&event.id);
        } else {
            self.cures.look(&self.recent, position);
        }
    }
}

/// Returns the value of an event's attribute; empty if it is missing.
pub(crate) fn attribute<'a>(event: &'a Event, key: &str) -> &'a str {
    event
        .attrs
        .iter()
        .find(|(name, _)| name == key)
        .map_or("", |(_, value)| value.as_str())
}

/// Reports whether a tool's result means that the person refused the call.
fn is_refusal(text: &str) -> bool {
    let head = acreta_text::head(text, 200);
    head.contains("doesn't want to proceed with this tool use")
        || head.contains("tool use was rejected")
}

const LONGEST_RESULT: usize = 8 * 1024;
const WINDOW: usize = 24;
const MOST_FILES: usize = 60;
const MOST_NOTABLE: usize = 12;
