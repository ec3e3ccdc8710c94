//! Notes: the person says something that lasts, the agent is reminded, and notes it in the person's words; the session
//! proves it, and the next one is told. A note of a tool's words is refused.

use serde_json::Value;

use super::{PromptPlan, Trial};
use crate::script::{PRINTED, TicketStep, is_call_of};

const SAID: &str = "Release branches are cut on Thursdays, never on another day.";
const TITLE: &str = "The day on which release branches are cut";

/// Title of the note that quotes a tool's output.
const WRONG_TITLE: &str = "Checks are skipped before a release";

/// Part of acreta's reminder; neither its skill nor its tools say it.
const REMINDER: &str = "said something that later sessions should follow, call memory_note";

impl Trial<'_> {
    /// Reports whether the agent can make notes and its sessions are read.
    pub(super) fn notes(&self) -> bool {
        self.program.has_tools && self.is_read
    }

    /// Sends the third prompt of the newest session in `alpha`, or the first of a new one, and lets the model make a
    /// right note and a wrong one.
    pub(super) fn note(&mut self) -> Result<(), String> {
        if !self.notes() {
            return Ok(());
        }
        let note = |title, quote| TicketStep::Note {
            title,
            quote,
            in_shell: !self.has_server(),
        };
        let (right, wrong) = (note(TITLE, SAID), note(WRONG_TITLE, PRINTED));
        let ticket = self.ask(PromptPlan {
            check: "note",
            directory: self.scratch.project("alpha"),
            project: "alpha",
            steps: vec![TicketStep::Shell, right, wrong],
            arguments: self.program.resume.unwrap_or(self.program.fresh),
            session: (self.program.newest)(self.scratch).unwrap_or_default(),
            input_tokens: 120,
            about: &format!(" {SAID}"),
        })?;
        let seen = self.script.seen(ticket);
        let has_hook = self.is_known && self.program.init.prompt;
        let first = seen.bodies.first().map_or("", String::as_str);
        // The third prompt of a session has it, and some agents resume none.
        let is_third = self.program.resume.is_some();
        if has_hook && is_third && !first.contains(REMINDER) {
            self.fail("note", "the reminder did not reach the model");
        }
        let calls: Vec<_> = seen
            .answers
            .values()
            .filter_map(|a| a.call.as_ref())
            .collect();
        let is_offered = calls.iter().any(|call| is_call_of(call, "memory_note"));
        if self.has_server() && !is_offered {
            self.fail("note", "memory_note was not offered");
        }
        let has = |words: &str| seen.results.values().any(|text| text.contains(words));
        if !has("it becomes memory when this session is read") {
            self.fail("note", "the note was not taken");
        }
        if has_hook && !has("not the person's words") {
            self.fail("note", "the wrong quote was taken");
        }
        Ok(())
    }

    /// Reads the session and checks what became of its notes.
    pub(super) fn notes_read(&mut self) -> Result<(), String> {
        if !self.notes() {
            return Ok(());
        }
        self.sync()?;
        let alpha = self.scratch.project("alpha");
        let ask = |arguments: &[&str]| -> Result<Value, String> {
            let ran = self.scratch.acreta(&alpha, arguments)?;
            Ok(serde_json::from_str(&ran.stdout).unwrap_or_default())
        };
        let listed = ask(&["memory", "list", "--json"])?;
        let memories = listed["memories"].as_array().into_iter().flatten();
        let grounded: Vec<&Value> = memories.filter(|row| row["trust"] == "grounded").collect();
        let titled = |title: &str| grounded.iter().find(|row| row["title"] == title);
        // The rules may find the sentence, too; the memory then has its words as the title.
        let id = titled(TITLE).or_else(|| titled(SAID));
        let id = id.and_then(|row| row["id"].as_str());
        let found_by = match id {
            Some(id) => {
                ask(&["memory", "show", id, "--json"])?["evidence"]["contributions"][0]["found_by"]
                    .to_string()
            }
            None => String::new(),
        };
        let pending = ask(&["memory", "pending", "--all", "--json"])?;
        let state = |title: &str| {
            let mut rows = pending["pending"].as_array().into_iter().flatten();
            let row = rows.find(|row| row["title"] == title);
            row.and_then(|row| row["state"].as_str()).unwrap_or("none")
        };
        let (state, wrong_state) = (state(TITLE), state(WRONG_TITLE));
        let is_believed = titled(WRONG_TITLE).is_some();
        let status = ask(&["status", "--json"])?;
        let refused = &status["notes"][self.program.name]["refused_here"];
        let is_refused = refused
            .as_object()
            .is_some_and(|reasons| !reasons.is_empty());
        if id.is_none() {
            self.fail("note", "the note did not become a grounded memory");
        } else if !found_by.contains("extractor-notes") {
            self.fail("note", format!("the memory was found by {found_by}"));
        }
        if state != "promoted" {
            self.fail("note", format!("the note's record is {state}"));
        }
        if is_believed || wrong_state != "none" && !is_refused {
            self.fail("note", format!("the wrong note's record is {wrong_state}"));
        }
        Ok(())
    }

    /// Checks the brief of a session after the note.
    pub(super) fn note_told(&mut self, ticket: u32) {
        if !self.notes() {
            return;
        }
        let seen = self.script.seen(ticket);
        let first = seen.bodies.get(self.first_briefed());
        let first = first.map_or("", String::as_str);
        if self.is_known && self.program.init.brief && !first.contains(SAID) {
            self.fail("note", "the next brief does not have it");
        }
        if first.contains(PRINTED) || first.contains(WRONG_TITLE) {
            self.fail("note", "the next brief has the wrong note");
        }
    }
}
