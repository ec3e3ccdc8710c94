//! Renders events as lines, by value: the person's words, questions with their options, the agent's conclusions,
//! failures with their cures, edits and commits have separate lines; routine calls share one line with the sizes of
//! their results. It delays a few events at most, because only later events distinguish a conclusion from narration and
//! a cure from an attempt.

mod run;

use std::collections::VecDeque;

use crate::Event;
use crate::call::{self, Call, CallKind};
use crate::failure::{Failures, deciding_lines, is_refusal, without_reminders};
use crate::shorten::{ends, one_line, size};
use crate::transcript::{TranscriptLine, Voice, attribute, is_of_subagent, voice};
use crate::{cues, person};
use run::{RoutineCall, RoutineRun};

/// Lines being rendered.
#[derive(Debug, Default)]
pub(crate) struct Digest {
    waiting: VecDeque<Slot>,
    run: Option<RoutineRun>,
    failures: Failures,
    in_gap: bool,
    /// Number of narrations since the last other event.
    narrated: usize,
    ready: Vec<TranscriptLine>,
}

/// An event whose line may still depend on later ones.
#[derive(Debug)]
enum Slot {
    Line(TranscriptLine),
    Agent {
        number: u64,
        event_id: String,
        text: String,
        /// Whether it ends a turn; `None` until that is known.
        ends_turn: Option<bool>,
    },
    Call {
        number: u64,
        event_id: String,
        call_id: String,
        call: Call,
        outcome: Option<CallOutcome>,
    },
}

/// Outcome of a call.
#[derive(Debug, Default)]
struct CallOutcome {
    event_id: String,
    bytes: usize,
    is_error: bool,
    /// The whole output, if it is short.
    words: String,
}

impl Digest {
    /// Adds the next event.
    pub(crate) fn take(&mut self, number: u64, event: &Event) {
        let Some(voice) = voice(event) else { return };
        if voice == Voice::Gap {
            if !std::mem::replace(&mut self.in_gap, true) {
                self.push_line(number, event, voice, gap(event));
            }
            return;
        }
        self.in_gap = false;
        match voice {
            Voice::Person | Voice::Note => {
                self.settle_agent(true);
                self.settle_calls();
                let shown = match voice {
                    Voice::Person => person::shown(&event.text),
                    _ => one_line(&event.text, NOTE),
                };
                self.push_line(number, event, voice, &shown);
            }
            Voice::Agent => {
                self.settle_agent(false);
                if !event.text.trim().is_empty() {
                    self.waiting.push_back(Slot::Agent {
                        number,
                        event_id: event.id.clone(),
                        text: ends(&event.text, AGENT_HELD, AGENT_HELD),
                        ends_turn: None,
                    });
                }
            }
            Voice::Call => {
                let call = call::read(attribute(event, "tool"), &event.text);
                self.settle_agent(matches!(call.shape, CallKind::Question | CallKind::Plan));
                self.waiting.push_back(Slot::Call {
                    number,
                    event_id: event.id.clone(),
                    call_id: attribute(event, "call_id").to_owned(),
                    call,
                    outcome: None,
                });
            }
            Voice::Answer | Voice::Result | Voice::Error => self.answer(number, event, voice),
            Voice::Gap => {}
        }
        self.drain();
    }

    /// Returns the finished lines, in order.
    pub(crate) fn ready(&mut self) -> Vec<TranscriptLine> {
        std::mem::take(&mut self.ready)
    }

    /// Returns the remaining lines.
    pub(crate) fn finish(mut self) -> Vec<TranscriptLine> {
        self.settle_agent(true);
        self.settle_calls();
        self.drain();
        self.flush();
        self.ready
    }

    fn push_line(&mut self, number: u64, event: &Event, voice: Voice, shown: &str) {
        let line = TranscriptLine::new(number, &event.id, voice, shown);
        self.waiting.extend(line.map(Slot::Line));
        self.drain();
    }

    /// Links a result to its call.
    fn answer(&mut self, number: u64, event: &Event, voice: Voice) {
        let output = without_reminders(&event.text).trim();
        let id = attribute(event, "call_id");
        let mut open = self.waiting.iter_mut().rev().filter_map(|slot| match slot {
            Slot::Call {
                call_id,
                outcome: outcome @ None,
                call,
                ..
            } => Some((call_id, outcome, call)),
            _ => None,
        });
        let found = open.find(|(call_id, ..)| id.is_empty() || call_id.as_str() == id);
        let mut shape = None;
        if let Some((_, outcome, call)) = found {
            shape = Some(call.shape);
            let is_few = output.len() <= FEW_WORDS;
            *outcome = Some(CallOutcome {
                event_id: event.id.clone(),
                bytes: event.text.len(),
                is_error: voice == Voice::Error,
                words: if is_few {
                    one_line(output, FEW_WORDS)
                } else {
                    String::new()
                },
            });
        }
        let shown = match (voice, shape) {
            (Voice::Answer, _) => ends(output, ANSWER_HEAD, ANSWER_TAIL),
            (Voice::Error, _) if is_refusal(output) => deciding_lines(output),
            // A missing file or an edit that did not match is routine.
            (Voice::Error, Some(CallKind::Routine | CallKind::Edit)) => {
                one_line(output, SMALL_ERROR)
            }
            (Voice::Error, _) => deciding_lines(output),
            (_, Some(CallKind::Plan)) => ends(output, ANSWER_HEAD / 4, 0),
            (_, Some(CallKind::Delegation)) => ends(output, REPORT_HEAD, REPORT_TAIL),
            (_, Some(_)) => return,
            // A result without its call is at least mentioned.
            (_, None) => format!(
                "{}, {}",
                one_line(output, FEW_WORDS),
                size(event.text.len())
            ),
        };
        self.push_line(number, event, voice, &shown);
    }

    fn settle_agent(&mut self, ends: bool) {
        for slot in &mut self.waiting {
            if let Slot::Agent { ends_turn, .. } = slot {
                ends_turn.get_or_insert(ends);
            }
        }
    }

    /// Gives up on calls that have no result by now.
    fn settle_calls(&mut self) {
        for slot in &mut self.waiting {
            if let Slot::Call { outcome, .. } = slot {
                outcome.get_or_insert_with(CallOutcome::default);
            }
        }
    }

    fn drain(&mut self) {
        while let Some(slot) = self.waiting.front() {
            let is_settled = match slot {
                Slot::Line(_) => true,
                Slot::Agent { ends_turn, .. } => ends_turn.is_some(),
                Slot::Call { outcome, .. } => outcome.is_some(),
            };
            if !is_settled && self.waiting.len() <= MOST_WAITING {
                return;
            }
            if let Some(slot) = self.waiting.pop_front() {
                self.emit(slot);
            }
        }
    }

    fn emit(&mut self, slot: Slot) {
        match slot {
            Slot::Line(line) => self.push(line),
            Slot::Agent {
                number,
                event_id,
                text,
                ends_turn,
            } => {
                let weight = weigh(&text, ends_turn.unwrap_or(true));
                let narrated = if weight == Weight::Narration {
                    self.narrated + 1
                } else {
                    0
                };
                let shown = said(&text, weight, narrated);
                if let Some(line) = TranscriptLine::new(number, &event_id, Voice::Agent, &shown) {
                    self.push(line);
                }
                self.narrated = narrated;
            }
            Slot::Call {
                number,
                event_id,
                call,
                outcome,
                ..
            } => self.emit_call(number, event_id, call, outcome.unwrap_or_default()),
        }
    }

    fn emit_call(&mut self, number: u64, event_id: String, call: Call, outcome: CallOutcome) {
        let key = match call.shape {
            CallKind::Command | CallKind::Commit => {
                call::key(call.full.split_once(' ').map_or("", |cut| cut.1))
            }
            _ => String::new(),
        };
        let mut cures = None;
        if outcome.is_error {
            self.failures.add(number, key);
        } else if !key.is_empty() {
            cures = self.failures.cured(number, &key);
        }
        let alone = match call.shape {
            CallKind::Question
            | CallKind::Plan
            | CallKind::Edit
            | CallKind::Commit
            | CallKind::Delegation => true,
            CallKind::Command => outcome.is_error || cures.is_some(),
            CallKind::Routine => false,
        };
        let result = if outcome.event_id.is_empty() || outcome.is_error {
            String::new()
        } else if outcome.words.is_empty() {
            format!(", {}", size(outcome.bytes))
        } else {
            format!(" → {}", outcome.words)
        };
        if !alone {
            self.join(number, event_id, &call, &outcome, &result);
            return;
        }
        let mut shown = match cures {
            Some(failed) => format!("(works now, failed at {failed}) {}", call.full),
            None => call.full,
        };
        if matches!(call.shape, CallKind::Command) {
            shown.push_str(&result);
        }
        if let Some(mut line) = TranscriptLine::new(number, &event_id, Voice::Call, &shown) {
            line.event_ids
                .extend((!outcome.words.is_empty()).then_some(outcome.event_id));
            self.push(line);
        }
    }

    /// Appends a routine call to the line of those before it.
    fn join(
        &mut self,
        number: u64,
        event_id: String,
        call: &Call,
        outcome: &CallOutcome,
        result: &str,
    ) {
        let ids = [event_id, outcome.event_id.clone()];
        let step = RoutineCall {
            number,
            event_ids: ids.into_iter().filter(|id| !id.is_empty()).collect(),
            call: &call.compact,
            result,
            bytes: outcome.bytes,
        };
        if self.run.as_ref().is_some_and(|run| !run.has_room(&step)) {
            self.flush();
        }
        match &mut self.run {
            Some(run) => run.add(step),
            None => self.run = Some(RoutineRun::new(step)),
        }
    }

    fn push(&mut self, line: TranscriptLine) {
        self.flush();
        self.narrated = 0;
        self.ready.push(line);
    }

    fn flush(&mut self) {
        let run = self.run.take();
        self.ready.extend(run.and_then(RoutineRun::finish));
    }
}

const MOST_WAITING: usize = 64;
const AGENT_HELD: usize = 6_000;
const NOTE: usize = 160;
const ANSWER_HEAD: usize = 2_400;
const ANSWER_TAIL: usize = 600;
const FEW_WORDS: usize = 110;
const REPORT_HEAD: usize = 700;
const REPORT_TAIL: usize = 500;
const SMALL_ERROR: usize = 160;

const CONCLUSION_HEAD: usize = 5_000;
const CONCLUSION_TAIL: usize = 2_000;
const FINDING_HEAD: usize = 1_200;
const FINDING_TAIL: usize = 600;
const NARRATION: usize = 360;

/// After this many consecutive narrations, a few words are enough.
const MUCH_NARRATION: usize = 4;
const NARRATION_AGAIN: usize = 100;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Weight {
    /// The end of a turn.
    Conclusion,
    /// A cause or a decision within a turn.
    Finding,
    Narration,
}

fn weigh(text: &str, ends_turn: bool) -> Weight {
    if ends_turn {
        Weight::Conclusion
    } else if cues::concludes(text) {
        Weight::Finding
    } else {
        Weight::Narration
    }
}

/// Renders the agent's text: conclusions nearly whole, findings shortened, narration on one line.
fn said(text: &str, weight: Weight, narrated: usize) -> String {
    match weight {
        Weight::Conclusion => ends(text, CONCLUSION_HEAD, CONCLUSION_TAIL),
        Weight::Finding => ends(text, FINDING_HEAD, FINDING_TAIL),
        Weight::Narration if narrated > MUCH_NARRATION => one_line(text, NARRATION_AGAIN),
        Weight::Narration => one_line(text, NARRATION),
    }
}

fn gap(event: &Event) -> &'static str {
    if is_of_subagent(event) {
        "(a subagent's work, left out)"
    } else {
        "(text put there by a program, left out)"
    }
}

#[cfg(test)]
mod tests;
