//! What a later read has to know of an earlier one, small enough to lie in a cursor.
//!
//! Everything here is bounded by counts that hold within one read as well, so that a file read in
//! steps gives the same events as the file read at once.

use std::collections::VecDeque;

use acreta_sdk::adapter::calls::{Calls, hash, push_bounded};
use acreta_sdk::adapter::json::Value;
use acreta_sdk::adapter::{Attrs, attr};
use serde::{Deserialize, Serialize};

use crate::places::Places;

/// How many of the person's texts wait for their second record.
const HEARD: usize = 8;

/// How many failed calls wait for their result.
const FAILED: usize = 32;

/// Longest id that is remembered.
const ID_BYTES: usize = 256;

/// A history that is copied into a new file is written at once.
const COPYING_MS: u64 = 1000;

#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct State {
    /// Tool calls without a result yet.
    pub(crate) calls: Calls,
    pub(crate) thread: Thread,
    #[serde(default)]
    pub(crate) places: Places,
    /// The person's texts that one of the two streams told and the other did not repeat yet.
    heard: VecDeque<(u64, Stream)>,
    /// Calls that failed, as is known before their result.
    failed: VecDeque<String>,
    reply: Reply,
    /// Hash of the goal that was told last.
    goal: Option<u64>,
}

/// What is known of the thread that the records at hand belong to.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Thread {
    pub(crate) id: Option<String>,
    /// Whether nobody but another agent speaks to it.
    pub(crate) is_subagent: bool,
    /// Records with a smaller number are its parent's.
    pub(crate) inherited: Option<(u64, String)>,
    /// The thread whose records are being copied, and when that is over.
    pub(crate) copied: Option<(String, u64)>,
}

impl Thread {
    /// The thread that a record was copied from.
    pub(crate) fn origin(&mut self, ordinal: Option<u64>, at_ms: Option<u64>) -> Option<&str> {
        if let Some((_, until)) = &self.copied
            && at_ms.is_some_and(|at_ms| at_ms > *until)
        {
            self.copied = None;
        }
        if let Some((id, _)) = &self.copied {
            return Some(id);
        }
        let (from, parent) = self.inherited.as_ref()?;
        (ordinal? < *from).then_some(parent)
    }

    /// Says that what follows at once belongs to another thread.
    pub(crate) fn copy(&mut self, id: String, at_ms: Option<u64>) {
        if id.len() <= ID_BYTES {
            self.copied = Some((id, at_ms.unwrap_or(0).saturating_add(COPYING_MS)));
        }
    }
}

/// What records a person's text: the conversation with the model, or what the person saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Stream {
    Item,
    Event,
}

impl State {
    /// Whether the other stream told this text before. If not, this one is about to.
    pub(crate) fn is_repeated(&mut self, text: &str, stream: Stream) -> bool {
        let letters: String = text.split_whitespace().collect();
        let key = hash(letters.as_bytes());
        let told = self
            .heard
            .iter()
            .position(|(heard, by)| *heard == key && *by != stream);
        match told {
            Some(place) => {
                self.heard.remove(place);
            }
            None => push_bounded(&mut self.heard, (key, stream), HEARD),
        }
        told.is_some()
    }

    /// Says that the agent speaks: what was not repeated until now never will be.
    pub(crate) fn answer(&mut self) {
        self.heard.clear();
    }

    pub(crate) fn fail(&mut self, call: &str) {
        if call.len() <= ID_BYTES {
            push_bounded(&mut self.failed, call.to_owned(), FAILED);
        }
    }

    /// Whether a call is known to have failed; asked once, with its result.
    pub(crate) fn has_failed(&mut self, call: &str) -> bool {
        let place = self.failed.iter().position(|failed| failed == call);
        place.and_then(|place| self.failed.remove(place)).is_some()
    }

    pub(crate) fn reply(&mut self) -> &mut Reply {
        &mut self.reply
    }

    /// Whether a goal is another one than the last.
    pub(crate) fn is_new_goal(&mut self, goal: &str) -> bool {
        let goal = Some(hash(goal.as_bytes()));
        let is_new = self.goal != goal;
        self.goal = goal;
        is_new
    }
}

/// Model and tokens of a reply. They are recorded before or behind it, depending on the version,
/// and always told with the next thing that the agent does.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Reply {
    model: Option<String>,
    is_model_told: bool,
    tokens: Option<(u64, u64)>,
    /// Hash of the counts so far: they are often recorded again without having changed.
    total: Option<u64>,
}

impl Reply {
    pub(crate) fn use_model(&mut self, model: &str) {
        if self.model.as_deref() != Some(model) && model.len() <= ID_BYTES {
            self.model = Some(model.to_owned());
            self.is_model_told = false;
        }
    }

    /// Takes note of what one reply took, from the record that counts tokens.
    pub(crate) fn count(&mut self, info: Value<'_>) {
        if let Some(total) = info.field("total_token_usage") {
            let total = Some(hash(total.raw()));
            if self.total == total {
                return;
            }
            self.total = total;
        }
        let Some(last) = info.field("last_token_usage") else {
            return;
        };
        let tokens = |name: &str| last.field(name).and_then(Value::number).unwrap_or(0);
        let (input, output) = self.tokens.unwrap_or_default();
        self.tokens = Some((
            input.saturating_add(tokens("input_tokens")),
            output.saturating_add(tokens("output_tokens")),
        ));
    }

    pub(crate) fn is_counted(&self) -> bool {
        self.tokens.is_some()
    }

    /// What the next event of the agent carries.
    pub(crate) fn take(&mut self) -> Attrs {
        let tokens = self.tokens.take();
        let mut attrs = Attrs::new();
        if tokens.is_some() || !self.is_model_told {
            attrs.extend(self.model.as_ref().map(|model| attr("model", model)));
            self.is_model_told = true;
        }
        if let Some((input, output)) = tokens {
            attrs.push(attr("input_tokens", input.to_string()));
            attrs.push(attr("output_tokens", output.to_string()));
        }
        attrs
    }
}
