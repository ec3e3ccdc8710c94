//! The offline extractor: reads a session as a dialogue, proposes the few statements that are certainly worth
//! remembering, with verbatim evidence, and summarises the session. One pass, bounded memory, deterministic. It decides
//! by structure (who answered what), and accepts nothing on the agent's word alone.
//!
//! [`Reading`] takes events one by one and returns the [`Outcome`] at the end. The component under `wasm32-wasip2`
//! feeds it from the host's reader.

mod activity;
mod ask;
mod command;
#[cfg(all(target_family = "wasm", feature = "component"))]
mod component;
mod cure;
mod draft;
mod options;
mod reply;
mod standing;
mod summary;
#[cfg(test)]
mod tests;
mod text;

use acreta_sdk::extractor::{Candidate, Event, Summary};
use acreta_text::asks_person;

use crate::activity::{Activity, attribute};
use crate::ask::ToolQuestion;
use crate::draft::Draft;
use crate::reply::{AgentReply, Answer};
use crate::summary::Story;
pub use crate::summary::given_title;

/// Result of reading a session.
#[derive(Debug)]
pub struct Outcome {
    /// At most twelve, in the order of their evidence.
    pub candidates: Vec<Candidate>,
    /// Likely but not certain candidates, marked `certainty = pending`; at most eight.
    pub pending: Vec<Candidate>,
    pub summary: Summary,
}

/// A session being read.
#[derive(Debug, Default)]
pub struct Reading {
    /// The kinds of evidence that are left out.
    without: Vec<String>,
    order: u64,
    /// The agent's last text, until the person speaks.
    reply: AgentReply,
    asked: Vec<ToolQuestion>,
    activity: Activity,
    story: Story,
    drafts: Vec<Draft>,
}

/// Reads a whole session.
pub fn read<'a>(events: impl IntoIterator<Item = &'a Event>) -> Outcome {
    let mut reading = Reading::default();
    for event in events {
        reading.take(event);
    }
    reading.finish()
}

impl Reading {
    /// A reading that leaves kinds of evidence out, to measure their value: `standing` (instructions that a person
    /// types), `choice` (an answer to a question in the agent's text), `answer` (to a question asked by a tool) and
    /// `cure` (of a command, twice).
    pub fn without(names: &[impl AsRef<str>]) -> Self {
        Self {
            without: names.iter().map(|name| name.as_ref().to_owned()).collect(),
            ..Self::default()
        }
    }

    fn looks_for(&self, kind: &str) -> bool {
        !self.without.iter().any(|name| name == kind)
    }

    /// Reads the next event.
    pub fn take(&mut self, event: &Event) {
        self.order += 1;
        if attribute(event, "sidechain") == "true" || !attribute(event, "agent_id").is_empty() {
            return;
        }
        match (event.role.as_str(), event.kind.as_str()) {
            ("user", "text") => self.hear(event),
            ("assistant", "text") if !event.text.trim().is_empty() => {
                self.reply.event_id.clone_from(&event.id);
                acreta_text::head(&event.text, LONGEST_REPLY).clone_into(&mut self.reply.text);
                self.story.said(event);
            }
            (_, "tool-call") => self.call(event),
            (_, "tool-result") => self.result(event),
            _ => {}
        }
    }

    /// Returns the result of the session.
    pub fn finish(mut self) -> Outcome {
        if self.looks_for("cure") {
            self.drafts.extend(self.activity.cures.drafts());
        }
        let (candidates, pending) = draft::candidates(self.drafts);
        let summary = self.story.tell(&self.activity, &candidates);
        Outcome {
            candidates,
            pending,
            summary,
        }
    }

    fn hear(&mut self, event: &Event) {
        // Programs put this into the person's mouth.
        if event.text.starts_with("[Request interrupted") {
            self.activity.interrupted += 1;
            return;
        }
        let typed = acreta_text::typed_sentences(&event.text);
        let mut found = Vec::new();
        if self.looks_for("choice") {
            let answer = Answer {
                reply: &self.reply,
                event,
                order: self.order,
                typed: &typed,
            };
            found = answer.drafts();
        }
        if self.looks_for("standing") {
            let is_note = attribute(event, "command") == "#";
            let said = standing::drafts(event, self.order, &typed, is_note);
            // What is said in an answer is in its quote already.
            let answers: Vec<String> = found.iter().map(Draft::said).collect();
            found.extend(said.into_iter().filter(|draft| {
                let said = draft.said();
                !answers.iter().any(|answer| answer.contains(&said))
            }));
        }
        self.drafts.extend(found);
        self.reply.text.clear();
        self.story.heard(event, &typed);
        if self.drafts.len() > MOST_DRAFTS {
            self.drafts.drain(..MOST_DRAFTS / 2);
        }
    }

    fn call(&mut self, event: &Event) {
        if asks_person(attribute(event, "tool")) {
            let call = attribute(event, "call_id");
            self.asked.extend(ask::questions(event, call));
            let excess = self.asked.len().saturating_sub(MOST_ASKED);
            self.asked.drain(..excess);
        }
        self.activity.call(event, self.order);
    }

    fn result(&mut self, event: &Event) {
        if asks_person(attribute(event, "tool")) {
            let call = attribute(event, "call_id");
            let found = ask::answered(&mut self.asked, event, call, self.order);
            if self.looks_for("answer") && attribute(event, "is_error") != "true" {
                self.drafts.extend(found);
            }
        }
        self.activity.result(event);
    }
}

const LONGEST_REPLY: usize = 8 * 1024;
const MOST_ASKED: usize = 24;
const MOST_DRAFTS: usize = 400;
