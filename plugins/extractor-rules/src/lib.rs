//! The offline extractor: reads a session as a dialogue and proposes what is worth remembering, with
//! verbatim evidence, and tells what happened. One pass, flat memory, the same answer every time;
//! what is not sure is left out.
//!
//! [`Reading`] takes events one by one and keeps a bounded digest of the turn at hand; at the end it
//! gives the [`Outcome`]. The component under `wasm32-wasip2` feeds it from the host's reader.

mod activity;
mod blocks;
mod brief;
mod claim;
mod command;
#[cfg(all(target_family = "wasm", feature = "component"))]
mod component;
mod cues;
mod draft;
mod habit;
mod json;
mod names;
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
mod turn;
mod uptake;
mod voice;

use acreta_sdk::extractor::{Candidate, Event, Summary};

use crate::activity::{Activity, attribute};
use crate::draft::Draft;
use crate::point::retracts;
use crate::summary::Story;
use crate::turn::{LONGEST_PROMPT, Turn, asks_person, said};
use crate::voice::{Message, is_machine};

/// What a session gave.
#[derive(Debug)]
pub struct Outcome {
    /// At most twelve, in the order of their evidence.
    pub candidates: Vec<Candidate>,
    pub summary: Summary,
}

/// A session being read.
#[derive(Debug, Default)]
pub struct Reading {
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
        self.drafts.extend(habit::drafts(&self.activity));
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
        if !retracted {
            self.drafts.extend(point::drafts(&self.turn, &self.before));
        }
        self.drafts.extend(pick::asked(&self.turn));
        if !retracted {
            self.drafts.extend(pick::picked(&self.turn, &self.before));
        }
        self.drafts.extend(brief::drafts(&self.turn));
        self.drafts.extend(claim::drafts(&self.turn, reaction));
        self.drafts.extend(claim::fix(&self.turn, reaction));
        self.drafts.extend(habit::steps(&self.turn));
        self.drafts
            .extend(habit::recipes(&self.turn, &self.activity));
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
