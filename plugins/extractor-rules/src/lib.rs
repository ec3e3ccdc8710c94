//! The offline extractor: reads a session as a dialogue, proposes the few statements that are certainly worth
//! remembering, with verbatim evidence, and summarises the session. One pass, bounded memory, deterministic. It decides
//! by structure (who answered what, how a sentence is built), never by subject, and accepts nothing on the agent's word
//! alone.
//!
//! [`Reading`] takes events one by one and returns the [`Outcome`] at the end. The component under `wasm32-wasip2`
//! feeds it from the host's reader.

mod activity;
mod ask;
mod blocks;
mod classes;
mod command;
#[cfg(all(target_family = "wasm", feature = "component"))]
mod component;
mod cure;
mod draft;
mod form;
mod json;
mod names;
mod numbered;
mod options;
mod phrases;
mod plain;
mod record;
mod said;
mod sentences;
mod summary;
#[cfg(test)]
mod tests;
mod view;
mod voice;
mod words;

use acreta_sdk::extractor::{Candidate, Event, Summary};
use acreta_text::asks_person;

use crate::activity::{Activity, attribute};
use crate::ask::{AgentReply, ToolQuestion};
use crate::draft::Draft;
use crate::said::MessageSource;
use crate::summary::Story;
pub use crate::summary::given_title;
use crate::voice::{Message, is_machine};

/// Result of reading a session.
#[derive(Debug)]
pub struct Outcome {
    /// At most twelve, in the order of their evidence.
    pub candidates: Vec<Candidate>,
    /// Likely but not certain candidates, marked `certainty = pending`; at most eight.
    pub pending: Vec<Candidate>,
    pub summary: Summary,
}

/// A kind of evidence that can be left out, to measure its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EvidenceKind {
    Standing,
    Choice,
    Answer,
    Cure,
    Compaction,
    Note,
}

impl EvidenceKind {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "standing" => Self::Standing,
            "choice" => Self::Choice,
            "answer" => Self::Answer,
            "cure" => Self::Cure,
            "compaction" => Self::Compaction,
            "note" => Self::Note,
            _ => return None,
        })
    }
}

/// A session being read.
#[derive(Debug, Default)]
pub struct Reading {
    /// The kinds of evidence that are left out.
    without: Vec<EvidenceKind>,
    order: u64,
    /// The agent's last text, until the person speaks.
    reply: AgentReply,
    asked: Vec<ToolQuestion>,
    /// Position of the person's last message.
    spoke: u64,
    /// The person asked for a note in a file of rules.
    wants_note: bool,
    /// Notes whose edit is not confirmed yet, by call.
    notes: Vec<(String, Vec<Draft>)>,
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
    /// A reading that leaves kinds of evidence out: `standing` (rules that a person states), `choice` (an answer to a
    /// question in the agent's text), `answer` (to a question asked by a tool), `cure` (of a command, twice),
    /// `compaction` (the person's words in one) and `note` (written into a file of rules). Other names are ignored.
    pub fn without(names: &[impl AsRef<str>]) -> Self {
        Self {
            without: names
                .iter()
                .filter_map(|name| EvidenceKind::of(name.as_ref()))
                .collect(),
            ..Self::default()
        }
    }

    fn looks_for(&self, kind: EvidenceKind) -> bool {
        !self.without.contains(&kind)
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
            (_, "compaction") if self.looks_for(EvidenceKind::Compaction) => {
                let found = record::listed(event, self.order);
                self.drafts.extend(found);
            }
            ("system", "note") => self.note(event),
            _ => {}
        }
    }

    /// Returns the result of the session.
    pub fn finish(mut self) -> Outcome {
        if self.looks_for(EvidenceKind::Cure) {
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
        if event.text.starts_with("[Request interrupted") {
            self.note(event);
            return;
        }
        if is_machine(&event.text) {
            return;
        }
        if said::retracts(&event.text) {
            let spoke = self.spoke;
            self.drafts.retain(|draft| draft.order != spoke);
        }
        self.spoke = self.order;
        let message = Message::of(&event.text, LONGEST_PROMPT);
        let mut picked = Vec::new();
        if self.looks_for(EvidenceKind::Choice) {
            picked = ask::picked(&self.reply, event, self.order);
        }
        let answers = !picked.is_empty();
        self.drafts.extend(picked);
        if self.looks_for(EvidenceKind::Standing) {
            let source = MessageSource {
                event_id: &event.id,
                order: self.order,
                noted: attribute(event, "command") == "#",
            };
            self.drafts.extend(said::drafts(&source, message, answers));
        }
        self.wants_note = record::asks_for_note(message.text);
        self.reply.text.clear();
        self.story.heard(&event.id, message);
        if self.drafts.len() > MOST_DRAFTS {
            self.drafts.drain(..MOST_DRAFTS / 2);
        }
    }

    fn call(&mut self, event: &Event) {
        let call = attribute(event, "call_id");
        if asks_person(attribute(event, "tool")) {
            self.asked.extend(ask::questions(event, call));
            let excess = self.asked.len().saturating_sub(MOST_ASKED);
            self.asked.drain(..excess);
        }
        if self.wants_note && self.looks_for(EvidenceKind::Note) && self.notes.len() < MOST_ASKED {
            let found = record::noted(event, self.order);
            if !found.is_empty() {
                self.notes.push((call.to_owned(), found));
            }
        }
        self.activity.call(event, self.order);
    }

    fn result(&mut self, event: &Event) {
        let call = attribute(event, "call_id");
        if asks_person(attribute(event, "tool")) {
            let found = ask::answered(&mut self.asked, event, call, self.order);
            if self.looks_for(EvidenceKind::Answer) {
                self.drafts.extend(found);
            }
        }
        if let Some(at) = self.notes.iter().position(|(known, _)| known == call) {
            let (_, found) = self.notes.remove(at);
            if attribute(event, "is_error") != "true" {
                self.drafts.extend(found);
            }
        }
        self.activity.result(event);
    }

    fn note(&mut self, event: &Event) {
        let lower = acreta_text::head(&event.text, 200).to_lowercase();
        if ["interrupt", "abort", "cancel"]
            .iter()
            .any(|mark| lower.contains(mark))
        {
            self.story.interrupted += 1;
        } else if lower.contains("error") {
            self.story.errors += 1;
        }
    }
}

const LONGEST_PROMPT: usize = 8 * 1024;
const LONGEST_REPLY: usize = 8 * 1024;
const MOST_ASKED: usize = 24;
const MOST_DRAFTS: usize = 400;
