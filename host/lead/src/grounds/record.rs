//! Index of a session, built once for all candidates of a batch: the person's messages with their typed parts, the
//! agent's words around cited ones, and the text of tools and programs.

use std::collections::{HashMap, HashSet};

use acreta_model::{Candidate, Event, TraceReader};

use super::carrier::Carrier;
use super::document::Habits;
use super::echo::{Echo, PassageSource};
use super::filled::is_command;
use super::selection;
use super::stance::{Stance, sentences};
use super::terms::terms;
use super::typed::typed;
use super::{is_answer, is_own_word, is_person_text};
use crate::grounds::unit::TypedSentence;

/// A message of the person.
#[derive(Debug, Default, Clone)]
pub(super) struct PersonMessage {
    pub(super) id: String,
    /// Its position in the trace.
    pub(super) place: usize,
    /// Sentences that the person typed and that did not occur before.
    pub(super) units: Vec<TypedSentence>,
    /// The agent's words that the message refers to.
    pub(super) taken_up: Option<String>,
    /// The agent's option that the message names, with the message.
    pub(super) chosen: Option<ChosenOption>,
    /// The agent's words right before and after, if a candidate cites the message.
    pub(super) around: Vec<String>,
    text: String,
    cut: String,
    follows_command: bool,
    is_answer: bool,
    asked: Vec<String>,
}

/// An option of the agent that a short answer names.
#[derive(Debug, Default, Clone)]
pub(super) struct ChosenOption {
    pub(super) option: String,
    pub(super) answer: String,
}

impl PersonMessage {
    /// Returns the sentences that state or want something.
    pub(super) fn asserted(&self) -> impl Iterator<Item = &str> {
        let units = self
            .units
            .iter()
            .filter(|unit| unit.stance == Stance::Asserted);
        units.map(|unit| unit.text.as_str())
    }

    /// Reports whether it answers a question that a tool asked.
    pub(super) fn is_answer(&self) -> bool {
        self.is_answer
    }

    /// Returns the sentences that only name a subject: questions and suppositions.
    pub(super) fn asked_about(&self) -> impl Iterator<Item = &str> {
        let units = self
            .units
            .iter()
            .filter(|unit| unit.stance == Stance::NotAsserted);
        units.map(|unit| unit.text.as_str())
    }
}

#[derive(Debug, Default)]
pub(super) struct SessionIndex {
    pub(super) messages: Vec<PersonMessage>,
    pub(super) echo: Echo,
    /// Tool results that end with the person's own words, by position, and where these words begin: agents put there
    /// what a person says when they refuse a tool.
    answered: HashMap<usize, usize>,
}

/// Bytes of text read at a time.
const PAGE: u32 = 1024 * 1024;

/// Maximum bytes of the agent's words kept per turn.
const TURN_BYTES: usize = 64 * 1024;

/// Maximum bytes kept of a person's message beyond the typed part; enough to detect a paste.
const MESSAGE_BYTES: usize = 256 * 1024;

impl SessionIndex {
    /// Reads the trace twice: first for the statements, then for where else they occur.
    pub(super) fn read(
        candidates: &[Candidate],
        trace: &mut dyn TraceReader,
        see: impl FnMut(&Event),
    ) -> Self {
        let mut record = Self::default();
        let evidence = candidates.iter().flat_map(|candidate| &candidate.evidence);
        let cited: HashSet<&str> = evidence
            .map(|evidence| evidence.event_id.as_str())
            .collect();
        record.read_messages(&cited, trace, see);
        record.tell_typed();
        for candidate in candidates {
            for sentence in statements(candidate) {
                record.echo.look_for_sentence(&sentence);
            }
        }
        record.read_elsewhere(trace);
        record.drop_repeated();
        trace.rewind();
        record
    }

    pub(super) fn message(&self, id: &str) -> Option<usize> {
        self.messages.iter().position(|message| message.id == id)
    }

    fn read_messages(
        &mut self,
        cited: &HashSet<&str>,
        trace: &mut dyn TraceReader,
        mut see: impl FnMut(&Event),
    ) {
        let mut turn: Vec<String> = Vec::new();
        let mut turn_bytes = 0;
        let mut has_command = false;
        let mut result: Option<(usize, Event)> = None;
        each(trace, |place, event| {
            see(event);
            if let Some((at, before)) = result.take()
                && is_person_text(event)
                && record_of(&before.id) == record_of(&event.id)
                && let Some(prefix) = before.text.trim_end().strip_suffix(event.text.trim())
            {
                self.answered.insert(at, prefix.len());
            }
            if event.kind == "tool-result" && event.text.len() <= TURN_BYTES {
                result = Some((place, event.clone()));
            }
            if is_person_text(event) || is_answer(event) {
                let is_cited = cited.contains(event.id.as_str());
                let asked = if is_cited {
                    std::mem::take(&mut turn)
                } else {
                    Vec::new()
                };
                turn.clear();
                turn_bytes = 0;
                self.messages.push(PersonMessage {
                    id: event.id.clone(),
                    place,
                    text: acreta_text::head(&event.text, MESSAGE_BYTES).to_owned(),
                    follows_command: has_command,
                    is_answer: is_answer(event),
                    around: asked.clone(),
                    asked,
                    ..PersonMessage::default()
                });
                has_command = is_command(&event.text);
            } else if is_own_word(event) {
                has_command = false;
                let is_question = event
                    .attrs
                    .get("tool")
                    .is_some_and(acreta_text::asks_person);
                if (event.kind == "text" || is_question)
                    && turn_bytes + event.text.len() <= TURN_BYTES
                {
                    turn_bytes += event.text.len();
                    turn.push(event.text.clone());
                    if let Some(last) = self.messages.last_mut()
                        && cited.contains(last.id.as_str())
                    {
                        last.around.push(event.text.clone());
                    }
                }
            }
        });
    }

    /// Cuts text that was not typed out of each message, judged by its form and by the person's habits.
    fn tell_typed(&mut self) {
        let mut retracted = Vec::new();
        for index in 0..self.messages.len() {
            let mut habits = Habits::default();
            for other in
                near(index, self.messages.len(), HABIT_MESSAGES).filter(|other| *other != index)
            {
                habits.add(&self.messages[other].text);
            }
            let message = &mut self.messages[index];
            if message.is_answer {
                message.taken_up = Some(selection::answered(&message.text, &message.asked));
                continue;
            }
            let told = typed(&message.text, &habits, message.follows_command);
            if told
                .units
                .first()
                .is_some_and(|unit| unit.stance == Stance::Retracts)
            {
                retracted.push(index);
            }
            let answer: Vec<&str> = told.units.iter().map(|unit| unit.text.as_str()).collect();
            let answer_text = answer.join("\n");
            message.taken_up = selection::taken_up(&answer_text, &message.asked);
            let option = selection::chosen_option(&answer_text, &message.asked);
            message.chosen = option.map(|option| ChosenOption {
                option,
                answer: answer_text,
            });
            if let Some(chosen) = &message.chosen {
                self.echo.look_for_sentence(&chosen.option);
            }
            self.echo.look_for_rows(&answer.join("\n"));
            for unit in &told.units {
                self.echo.look_for_rows(&unit.text);
            }
            (message.units, message.cut) = (told.units, told.cut);
            message.text.clear();
            message.asked.clear();
        }
        for index in retracted {
            let (earlier, later) = self.messages.split_at_mut(index);
            if let Some(last) = earlier.last_mut() {
                for unit in &mut last.units {
                    unit.stance = Stance::NotAsserted;
                }
            }
            withdraw(earlier, &later[0]);
        }
    }

    fn read_elsewhere(&mut self, trace: &mut dyn TraceReader) {
        let mut next = 0;
        let (messages, echo, answered) = (&self.messages, &mut self.echo, &self.answered);
        each(trace, |place, event| {
            if messages
                .get(next)
                .is_some_and(|message| message.place == place)
            {
                echo.read(&messages[next].cut, place, PassageSource::Injected);
                next += 1;
            } else if event.kind == "tool-call" {
                echo.read(&event.text, place, PassageSource::Call);
            } else if event.kind == "tool-result" {
                let own = answered.get(&place).copied();
                let text = &event.text[..own.unwrap_or(event.text.len())];
                echo.read(text, place, PassageSource::Tool);
            } else if !is_own_word(event) {
                echo.read(&event.text, place, PassageSource::Injected);
            }
        });
    }

    /// Drops sentences that also occur in tool output or injected text.
    fn drop_repeated(&mut self) {
        for message in &mut self.messages {
            let place = message.place;
            let whole: Vec<&str> = message
                .units
                .iter()
                .map(|unit| unit.text.as_str())
                .collect();
            if self.echo.is_elsewhere(&whole.join("\n"), place) {
                message.units.clear();
                continue;
            }
            message
                .units
                .retain(|unit| !self.echo.is_elsewhere(&unit.text, place));
        }
    }
}

/// Withdraws statements of earlier messages about the things that a message retracts.
fn withdraw(earlier: &mut [PersonMessage], by: &PersonMessage) {
    let mut named = Carrier::default();
    let withdrawn = by
        .units
        .iter()
        .filter(|unit| unit.stance == Stance::Retracts);
    withdrawn.for_each(|unit| named.add(&unit.text));
    for unit in earlier.iter_mut().flat_map(|message| &mut message.units) {
        let about = terms(&unit.text);
        let shared = about.iter().filter(|term| named.has(term)).count();
        if shared > 0 && shared * 3 >= about.len() {
            unit.stance = Stance::NotAsserted;
        }
    }
}

/// Returns the record of the agent's file that an event comes from.
fn record_of(id: &str) -> &str {
    id.split_once('#').map_or(id, |(record, _)| record)
}

/// Number of messages around one from which the person's habits are determined.
const HABIT_MESSAGES: usize = 20;

/// Returns the positions around one.
pub(super) fn near(index: usize, count: usize, distance: usize) -> std::ops::Range<usize> {
    index.saturating_sub(distance)..(index + distance + 1).min(count)
}

/// Returns the sentences of a candidate: its title, and those of its body.
pub(super) fn statements(candidate: &Candidate) -> Vec<String> {
    let mut found = vec![candidate.title.trim().to_owned()];
    found.extend(sentences(&candidate.body));
    found
}

/// Visits the trace, page by page. Stops at the first page that cannot be read.
fn each(trace: &mut dyn TraceReader, mut visit: impl FnMut(usize, &Event)) {
    trace.rewind();
    let mut place = 0;
    while let Ok(page) = trace.next(PAGE) {
        if page.is_empty() {
            break;
        }
        for event in &page {
            visit(place, event);
            place += 1;
        }
    }
}
