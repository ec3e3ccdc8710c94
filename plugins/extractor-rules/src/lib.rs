//! The offline extractor: reads a session as a dialogue and proposes what is worth remembering, with
//! verbatim evidence, and tells what happened. One pass, flat memory, the same answer every time;
//! what is not sure is left out.
//!
//! [`Reading`] takes events one by one and keeps a bounded digest of the turn at hand; at the end it
//! gives the [`Outcome`]. The component under `wasm32-wasip2` feeds it from the host's reader.

mod activity;
mod alone;
mod blocks;
mod brief;
mod cause;
mod choice;
mod claim;
mod command;
#[cfg(all(target_family = "wasm", feature = "component"))]
mod component;
mod cues;
mod draft;
mod habit;
mod json;
mod names;
mod options;
mod person;
mod phrases;
mod pick;
mod point;
mod polish;
mod select;
mod sentences;
mod stance;
mod summary;
#[cfg(test)]
mod tests;
mod title;
mod turn;
mod uptake;
mod verbs;
mod voice;

use acreta_sdk::extractor::{Candidate, Event, Summary};
use acreta_text::asks_person;

use crate::activity::{Activity, attribute};
use crate::draft::Draft;
use crate::point::retracts;
use crate::summary::Story;
use crate::turn::{LONGEST_PROMPT, Turn, said};
use crate::voice::{Message, is_machine};

/// What a session gave.
#[derive(Debug)]
pub struct Outcome {
    /// At most twelve, in the order of their evidence.
    pub candidates: Vec<Candidate>,
    pub summary: Summary,
}

/// A kind of evidence that can be left out, to see what it is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Standing,
    Choice,
    Answer,
    Brief,
    Claim,
    Fix,
    Habit,
    Recipe,
}

impl Kind {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "standing" => Self::Standing,
            "choice" => Self::Choice,
            "answer" => Self::Answer,
            "brief" => Self::Brief,
            "claim" => Self::Claim,
            "fix" => Self::Fix,
            "habit" => Self::Habit,
            "recipe" => Self::Recipe,
            _ => return None,
        })
    }
}

/// A session being read.
#[derive(Debug, Default)]
pub struct Reading {
    /// The kinds of evidence that are left out.
    without: Vec<Kind>,
    order: u64,
    turn: Turn,
    before: Turn,
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
    /// A reading that leaves kinds of evidence out: `standing` (what a person lays down), `choice`
    /// (an option picked in the dialogue), `answer` (to a question put by a tool), `brief`, `claim`,
    /// `fix`, `habit` (commands and steps) and `recipe`. Other names are of no kind and mean nothing.
    pub fn without(names: &[impl AsRef<str>]) -> Self {
        Self {
            without: names
                .iter()
                .filter_map(|name| Kind::of(name.as_ref()))
                .collect(),
            ..Self::default()
        }
    }

    fn looks_for(&self, kind: Kind) -> bool {
        !self.without.contains(&kind)
    }

    /// Takes the next event.
    pub fn take(&mut self, event: &Event) {
        self.order += 1;
        if attribute(event, "sidechain") == "true" || !attribute(event, "agent_id").is_empty() {
            return;
        }
        match (event.role.as_str(), event.kind.as_str()) {
            ("user", "text") => self.hear(event),
            ("assistant", "text") if !event.text.trim().is_empty() => {
                let said = said(event);
                self.turn.reply(event, self.order, &said);
                self.activity.remark(event, self.order, &said);
                self.story.said(event);
            }
            (_, "tool-call") => {
                self.turn.answered = true;
                let edits = self.activity.edits;
                self.activity.call(event, self.order);
                self.turn.edits += self.activity.edits - edits;
                if asks_person(attribute(event, "tool")) {
                    self.turn
                        .ask(event, self.order, attribute(event, "call_id"));
                }
            }
            (_, "tool-result") => {
                if asks_person(attribute(event, "tool")) {
                    self.turn.answer(event, attribute(event, "call_id"));
                }
                let edits = self.activity.edits;
                let passed = self.activity.result(event);
                self.turn.verified |= passed && self.turn.edits > 0;
                self.turn.edits += self.activity.edits - edits;
            }
            ("system", "note") => self.note(event),
            _ => {}
        }
    }

    /// What the session gave.
    pub fn finish(mut self) -> Outcome {
        self.close(None);
        if self.looks_for(Kind::Habit) {
            self.drafts.extend(habit::drafts(&self.activity));
        }
        let candidates = select::candidates(self.drafts);
        let summary = self.story.tell(&self.activity, &candidates);
        Outcome {
            candidates,
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
        if self.turn.answered {
            self.close(Some(&event.text));
        }
        let message = Message::of(&event.text, LONGEST_PROMPT);
        self.turn.hear(&event.id, self.order, message);
        self.story.heard(&event.id, message);
    }

    fn note(&mut self, event: &Event) {
        let lower = acreta_text::head(&event.text, 200).to_lowercase();
        if ["interrupt", "abort", "cancel"]
            .iter()
            .any(|mark| lower.contains(mark))
        {
            self.turn.interrupted = true;
            self.story.interrupted += 1;
        } else if lower.contains("error") {
            self.story.errors += 1;
        }
    }

    /// Ends the turn at hand; `reaction` is what the person said next.
    fn close(&mut self, reaction: Option<&str>) {
        let reaction = reaction.map(|text| acreta_text::head(text, 2048));
        let retracted = reaction.is_some_and(retracts);
        self.turn.files = self.activity.take_touched();
        let mut found: Vec<Draft> = Vec::new();
        if !retracted && self.looks_for(Kind::Standing) {
            found.extend(point::drafts(&self.turn, &self.before, reaction));
        }
        if self.looks_for(Kind::Answer) {
            found.extend(pick::asked(&self.turn));
        }
        if !retracted && self.looks_for(Kind::Choice) {
            found.extend(pick::picked(&self.turn, &self.before));
        }
        if self.looks_for(Kind::Brief) {
            found.extend(brief::drafts(&self.turn));
        }
        if self.looks_for(Kind::Claim) {
            found.extend(cause::drafts(&self.turn, reaction));
        }
        if self.looks_for(Kind::Fix) {
            found.extend(cause::fix(&self.turn, reaction));
        }
        if self.looks_for(Kind::Habit) {
            found.extend(habit::steps(&self.turn));
        }
        if self.looks_for(Kind::Recipe) {
            found.extend(habit::recipes(&self.turn, &self.activity));
        }
        self.drafts.append(&mut found);
        if self.drafts.len() > MOST_DRAFTS {
            self.drafts.sort_by(|left, right| {
                right
                    .score
                    .total_cmp(&left.score)
                    .then((left.order, left.place).cmp(&(right.order, right.place)))
            });
            self.drafts.truncate(MOST_DRAFTS / 2);
        }
        self.before = std::mem::take(&mut self.turn);
    }
}

const MOST_DRAFTS: usize = 400;
