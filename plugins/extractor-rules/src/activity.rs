//! What the agent did: files it edited, commands it ran and how they ended. Keeps a bounded record,
//! so that a session of any length costs the same memory.

use std::collections::{BTreeMap, VecDeque};

use acreta_sdk::extractor::Event;

use crate::alone::stands_alone;
use crate::command::{
    check_commands, command_line, complaint, edited_files, has_failed, is_misuse, may_edit,
    notable, runs_commands,
};
use crate::json::Json;
use crate::names::names;
use crate::phrases::{Phrases, phrases, repeated};
use crate::turn::Said;

/// One command and how it ended.
#[derive(Debug, Clone)]
pub(crate) struct Command {
    pub(crate) event_id: String,
    pub(crate) order: u64,
    /// One line, at most [`LONGEST_COMMAND`] bytes.
    pub(crate) line: String,
    pub(crate) call: String,
    pub(crate) failed: bool,
    pub(crate) done: bool,
    /// The telling line of its output, when it failed.
    pub(crate) complaint: String,
    /// The event that holds the complaint.
    pub(crate) result_id: String,
}

/// A command that failed and the variant of it that did not.
#[derive(Debug, Clone)]
pub(crate) struct Remedy {
    pub(crate) failed: Command,
    pub(crate) worked: Command,
}

/// An obstacle the agent named and the command it tried next.
#[derive(Debug, Clone)]
pub(crate) struct Detour {
    pub(crate) event_id: String,
    pub(crate) order: u64,
    /// Verbatim.
    pub(crate) obstacle: String,
    /// A verbatim start of the command.
    pub(crate) shown: String,
    pub(crate) command: Option<Command>,
}

/// The record of a session's doings.
#[derive(Debug, Default)]
pub(crate) struct Activity {
    recent: VecDeque<Command>,
    /// Edits whose result is still to come, by call.
    pending: VecDeque<(String, Vec<String>)>,
    pub(crate) remedies: Vec<Remedy>,
    pub(crate) detours: Vec<Detour>,
    /// Edited files with the number of edits.
    pub(crate) files: BTreeMap<String, u32>,
    /// Check commands (`cargo test`, `mise run lint`, …) with successes and the first success.
    pub(crate) checks: BTreeMap<String, (u32, Command)>,
    /// Telling commands in the order they were first run.
    pub(crate) notable: Vec<String>,
    /// The names of the files edited since they were last asked for, a few of them.
    touched: Vec<String>,
    pub(crate) edits: u64,
    pub(crate) commands: u64,
    pub(crate) failures: u64,
    /// Calls that the person did not let run.
    pub(crate) refused: u32,
    pub(crate) last_failed: bool,
}

impl Activity {
    /// Takes a tool call.
    pub(crate) fn call(&mut self, event: &Event, order: u64) {
        let tool = attribute(event, "tool").to_lowercase();
        if !may_edit(&tool, &event.text) && !runs_commands(&tool) {
            return;
        }
        let input = Json::parse(&event.text);
        let files = edited_files(&tool, &input, &event.text);
        let call = attribute(event, "call_id");
        if call.is_empty() {
            self.edited(files);
        } else if !files.is_empty() {
            // An edit counts once its result says that it was made.
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
            let name = file.rsplit(['/', '\\']).next().unwrap_or(&file);
            if self.touched.len() < MOST_TOUCHED && !self.touched.iter().any(|known| known == name)
            {
                self.touched.push(name.to_owned());
            }
            if self.files.len() < MOST_FILES || self.files.contains_key(&file) {
                *self.files.entry(file).or_insert(0) += 1;
            }
        }
    }

    /// The names of the files edited since the last time this was asked.
    pub(crate) fn take_touched(&mut self) -> Vec<String> {
        std::mem::take(&mut self.touched)
    }

    /// Takes what the agent says between commands: an obstacle it is about to get around.
    pub(crate) fn remark(&mut self, event: &Event, order: u64, said: &[Said<'_>]) {
        if self.detours.len() >= MOST_DETOURS || event.text.len() > 600 {
            return;
        }
        if !said.iter().any(|one| one.folded.any(BYPASSES)) {
            return;
        }
        let obstacle = said.iter().find(|Said { sentence, folded }| {
            folded.any(OBSTACLES)
                && (4..=22).contains(&folded.word_count())
                && !names(sentence.text).is_empty()
                && stands_alone(sentence.text)
                && !folded.any(phrases!("i|i'll|let me|test"))
        });
        if let Some(obstacle) = obstacle {
            self.detours.push(Detour {
                event_id: event.id.clone(),
                order,
                obstacle: obstacle.sentence.text.to_owned(),
                shown: String::new(),
                command: None,
            });
        }
    }

    /// The lines of the commands still in view that worked.
    pub(crate) fn ran(&self) -> impl Iterator<Item = &str> {
        self.recent
            .iter()
            .filter(|command| command.done && !command.failed)
            .map(|command| command.line.as_str())
    }

    /// Takes a tool result and says whether a check passed in it.
    pub(crate) fn result(&mut self, event: &Event) -> bool {
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
            return false;
        };
        let command = &mut self.recent[position];
        command.done = true;
        command.failed = failed;
        self.last_failed = failed;
        if failed {
            self.failures += 1;
            command.complaint = complaint(text);
            command.result_id.clone_from(&event.id);
            return false;
        }
        let command = &self.recent[position];
        if let Some(detour) = self.detours.last_mut()
            && detour.command.is_none()
            && command.order > detour.order
        {
            detour.shown = command
                .line
                .split_whitespace()
                .next()
                .unwrap_or("")
                .to_owned();
            detour.command = Some(command.clone());
        }
        let mut passed = false;
        for check in check_commands(&command.line) {
            passed = true;
            if self.checks.len() < MOST_CHECKS || self.checks.contains_key(&check) {
                self.checks
                    .entry(check)
                    .or_insert_with(|| (0, command.clone()))
                    .0 += 1;
            }
        }
        self.note_remedy(position);
        passed
    }

    /// Looks for a command that failed shortly before the one at `position` worked.
    fn note_remedy(&mut self, position: usize) {
        if self.remedies.len() >= MOST_REMEDIES {
            return;
        }
        let worked = &self.recent[position];
        let is_known = |failed: &Command| {
            let mut known = self.remedies.iter();
            known.any(|remedy| remedy.failed.line == failed.line)
        };
        let is_alike = |failed: &Command| {
            let tried = acreta_text::tokens(&failed.line);
            let shared = repeated(&tried, &worked.line);
            shared * 2 >= tried.len().max(1) && shared >= 2
        };
        let before = self.recent.iter().take(position).rev().take(5);
        let failed = before.filter(|command| command.failed).find(|failed| {
            failed.line != worked.line
                && is_misuse(&failed.complaint)
                && !is_known(failed)
                && is_alike(failed)
        });
        if let Some(failed) = failed {
            self.remedies.push(Remedy {
                failed: failed.clone(),
                worked: worked.clone(),
            });
        }
    }
}

/// The value of an event's attribute, empty when it is not there.
pub(crate) fn attribute<'a>(event: &'a Event, key: &str) -> &'a str {
    event
        .attrs
        .iter()
        .find(|(name, _)| name == key)
        .map_or("", |(_, value)| value.as_str())
}

/// Whether a tool's result says that the person did not let it run.
fn is_refusal(text: &str) -> bool {
    let head = acreta_text::head(text, 200);
    head.contains("doesn't want to proceed with this tool use")
        || head.contains("tool use was rejected")
}

const LONGEST_RESULT: usize = 8 * 1024;
const WINDOW: usize = 24;
const MOST_FILES: usize = 60;
const MOST_TOUCHED: usize = 2;
const MOST_CHECKS: usize = 24;
const MOST_NOTABLE: usize = 12;
const MOST_REMEDIES: usize = 12;
const MOST_DETOURS: usize = 6;

/// Announcements of a way around.
const BYPASSES: Phrases =
    phrases!("bypass|work around|workaround|let me use|use the|get around|avoid");

/// Ways a tool stands in the way.
const OBSTACLES: Phrases = phrases!(
    "is filtering|filters|is stripping|strips|truncates|is truncating|is hiding|\
     swallows|is swallowing|is caching|intercepts|is intercepting|doesn't support|\
     does not support|isn't supported|is not supported|isn't available|rejects",
);
