//! State that one read passes to the next, small enough for a cursor.
//!
//! Everything here is bounded by counts that also apply within one read, so a file read in steps gives the same events
//! as the file read at once.

use std::collections::VecDeque;

use acreta_sdk::adapter::calls::{Calls, hash, push_bounded};
use acreta_sdk::adapter::json::Value;
use acreta_sdk::adapter::{Attrs, Tokens, attr};
use serde::{Deserialize, Serialize};

use crate::places::Places;

/// Maximum number of the person's texts that wait for their second record.
const HEARD: usize = 8;

/// Maximum number of failed calls that wait for their result.
const FAILED: usize = 32;

/// Maximum length of a remembered id.
const ID_BYTES: usize = 256;

/// A history that is copied into a new file is written within this time.
const COPYING_MS: u64 = 1000;

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    /// Tool calls without a result yet.
    pub(crate) calls: Calls,
    pub(crate) thread: Thread,
    #[serde(default)]
    pub(crate) places: Places,
    /// The person's texts that one of the two streams emitted and the other did not repeat yet.
    heard: VecDeque<(u64, Stream)>,
    /// Calls that are known to have failed before their result.
    failed: VecDeque<String>,
    reply: Reply,
    /// Hash of the last emitted goal.
    goal: Option<u64>,
}

/// State of the thread of the current records.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Thread {
    pub(crate) id: Option<String>,
    /// Only another agent talks to it.
    pub(crate) is_subagent: bool,
    /// Records with a smaller number are its parent's.
    pub(crate) inherited: Option<(u64, String)>,
    /// The thread whose records are being copied, and the end of that time.
    pub(crate) copied: Option<(String, u64)>,
}

impl Thread {
    /// Returns the thread that a record was copied from.
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

    /// Marks the records that follow at once as another thread's.
    pub(crate) fn copy(&mut self, id: String, at_ms: Option<u64>) {
        if id.len() <= ID_BYTES {
            self.copied = Some((id, at_ms.unwrap_or(0).saturating_add(COPYING_MS)));
        }
    }
}

/// Stream that records a person's text: the conversation with the model, or the person's view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Stream {
    Item,
    Event,
}

impl State {
    /// Reports whether the other stream already emitted this text. If not, this one is about to.
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

    /// Notes that the agent speaks: texts that were not repeated until now never will be.
    pub(crate) fn answer(&mut self) {
        self.heard.clear();
    }

    pub(crate) fn fail(&mut self, call: &str) {
        if call.len() <= ID_BYTES {
            push_bounded(&mut self.failed, call.to_owned(), FAILED);
        }
    }

    /// Reports whether a call is known to have failed; asked once, with its result.
    pub(crate) fn has_failed(&mut self, call: &str) -> bool {
        let place = self.failed.iter().position(|failed| failed == call);
        place.and_then(|place| self.failed.remove(place)).is_some()
    }

    pub(crate) fn reply(&mut self) -> &mut Reply {
        &mut self.reply
    }

    /// Reports whether a goal differs from the last one.
    pub(crate) fn is_new_goal(&mut self, goal: &str) -> bool {
        let goal = Some(hash(goal.as_bytes()));
        let is_new = self.goal != goal;
        self.goal = goal;
        is_new
    }
}

/// Model and tokens of a reply. They are recorded before or after it, depending on the version, and always emitted with
/// the agent's next event.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Reply {
    model: Option<String>,
    is_model_told: bool,
    tokens: Option<Tokens>,
    /// Counts of the whole session so far. They are often recorded again without a change.
    #[serde(default)]
    so_far: Option<Tokens>,
    /// The last event was what the agent said: a reply without a call, which ends its turn.
    #[serde(default)]
    is_said: bool,
}

impl Reply {
    pub(crate) fn use_model(&mut self, model: &str) {
        if self.model.as_deref() != Some(model) && model.len() <= ID_BYTES {
            self.model = Some(model.to_owned());
            self.is_model_told = false;
        }
    }

    /// Notes the tokens of one reply, from the record that counts them: by how much the counts of the session grew, since
    /// a request that failed has no record of its own. The first counts of a fork include its parent's, and those of a
    /// session that starts over are lower; then the record of the last reply has to do.
    pub(crate) fn count(&mut self, info: Value<'_>) {
        let last = info.field("last_token_usage").map(counts);
        let Some(so_far) = info.field("total_token_usage").map(counts) else {
            self.add(last);
            return;
        };
        let before = self.so_far.replace(so_far);
        match before {
            Some(before) if before == so_far => {}
            Some(before) if before.input <= so_far.input && before.output <= so_far.output => {
                self.add(Some(so_far.since(before)));
            }
            _ => self.add(last),
        }
    }

    fn add(&mut self, tokens: Option<Tokens>) {
        if let Some(tokens) = tokens {
            self.tokens = Some(self.tokens.unwrap_or_default().plus(tokens));
        }
    }

    /// Notes that the agent said something, or that the person did.
    pub(crate) fn say(&mut self, by_agent: bool) {
        self.is_said = by_agent;
    }

    pub(crate) fn is_said(&self) -> bool {
        self.is_said
    }

    pub(crate) fn is_counted(&self) -> bool {
        self.tokens.is_some()
    }

    /// Returns the attributes for the agent's next event.
    pub(crate) fn take(&mut self) -> Attrs {
        self.is_said = false;
        let tokens = self.tokens.take();
        let mut attrs = Attrs::new();
        if tokens.is_some() || !self.is_model_told {
            attrs.extend(self.model.as_ref().map(|model| attr("model", model)));
            self.is_model_told = true;
        }
        attrs.extend(tokens.map(Tokens::attrs).unwrap_or_default());
        attrs
    }
}

/// Reads counts; cached tokens are a part of the input, and those of thinking of the output.
fn counts(usage: Value<'_>) -> Tokens {
    let count = |name: &str| usage.field(name).and_then(Value::number);
    let tokens = Tokens::new(
        count("input_tokens").unwrap_or(0),
        count("output_tokens").unwrap_or(0),
    );
    tokens.within(count("cached_input_tokens"), None)
}
