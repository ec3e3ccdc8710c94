//! Consecutive routine calls: one line for all of them, each with the size of its result.

use crate::shorten::size;
use crate::transcript::{TranscriptLine, Voice};

/// A line being built.
#[derive(Debug)]
pub(super) struct RoutineRun {
    number: u64,
    event_ids: Vec<String>,
    text: String,
    /// The last call, its number of repetitions, and the offset of its text.
    last: (String, usize, usize),
    /// Bytes of the results of the last call.
    bytes: usize,
}

/// A routine call with its result.
pub(super) struct RoutineCall<'a> {
    pub(super) number: u64,
    pub(super) event_ids: Vec<String>,
    pub(super) call: &'a str,
    pub(super) result: &'a str,
    pub(super) bytes: usize,
}

impl RoutineRun {
    pub(super) fn new(step: RoutineCall<'_>) -> Self {
        Self {
            number: step.number,
            event_ids: step.event_ids,
            text: format!("{}{}", step.call, step.result),
            last: (step.call.to_owned(), 1, 0),
            bytes: step.bytes,
        }
    }

    pub(super) fn has_room(&self, step: &RoutineCall<'_>) -> bool {
        self.last.0 == step.call
            || self.text.len() + step.call.len() + step.result.len() <= LONGEST_RUN
    }

    pub(super) fn add(&mut self, step: RoutineCall<'_>) {
        if self.last.0 == step.call {
            self.last.1 += 1;
            self.bytes += step.bytes;
            self.text.truncate(self.last.2);
            let times = format!("{} (×{}), {}", step.call, self.last.1, size(self.bytes));
            self.text.push_str(&times);
        } else {
            self.text.push_str("; ");
            self.last = (step.call.to_owned(), 1, self.text.len());
            self.bytes = step.bytes;
            self.text.push_str(step.call);
            self.text.push_str(step.result);
        }
        // Only the first few of very many can be cited.
        if self.event_ids.len() < MOST_IDS {
            self.event_ids.extend(step.event_ids);
        }
    }

    pub(super) fn finish(self) -> Option<TranscriptLine> {
        let mut line = TranscriptLine::new(self.number, "", Voice::Call, &self.text)?;
        line.event_ids = self.event_ids;
        Some(line)
    }
}

const LONGEST_RUN: usize = 360;
const MOST_IDS: usize = 24;
