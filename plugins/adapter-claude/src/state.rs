//! What a later read has to know of an earlier one, small enough to lie in a cursor.
//!
//! Everything here is bounded by counts that hold within one read as well, so that a file read in
//! steps gives the same events as the file read at once.

use std::collections::VecDeque;

use acreta_sdk::adapter::calls::{Calls, hash, push_bounded};
use serde::{Deserialize, Serialize};

/// How many API messages are remembered as counted. Those of subagents interleave with the rest.
const MESSAGES: usize = 64;

/// How many prompts may wait in the queue, and how much of each is kept.
const PROMPTS: usize = 32;
const PROMPT_BYTES: usize = 4 * 1024;

#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct State {
    /// Tool calls without a result yet.
    pub(crate) calls: Calls,
    /// Hashes of the ids of API messages whose tokens were told.
    pub(crate) messages: VecDeque<u64>,
    /// Prompts in the queue, the oldest first.
    pub(crate) prompts: VecDeque<Prompt>,
}

/// A prompt that was typed while the agent was busy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Prompt {
    pub(crate) text: String,
    pub(crate) truncated_bytes: usize,
    pub(crate) at_ms: Option<u64>,
    pub(crate) start: u64,
    pub(crate) end: u64,
}

impl State {
    /// True the first time a message is asked about.
    pub(crate) fn count_message(&mut self, id: &str) -> bool {
        let id = hash(id.as_bytes());
        let is_new = !self.messages.contains(&id);
        if is_new {
            push_bounded(&mut self.messages, id, MESSAGES);
        }
        is_new
    }

    pub(crate) fn queue_prompt(&mut self, mut prompt: Prompt) {
        let kept = prompt.text.floor_char_boundary(PROMPT_BYTES);
        prompt.truncated_bytes = prompt.text.len() - kept;
        prompt.text.truncate(kept);
        push_bounded(&mut self.prompts, prompt, PROMPTS);
    }

    pub(crate) fn next_prompt(&mut self) -> Option<Prompt> {
        self.prompts.pop_front()
    }

    /// Takes a prompt out of the queue by what it says.
    pub(crate) fn drop_prompt(&mut self, text: &str) {
        let place = self
            .prompts
            .iter()
            .position(|prompt| text.starts_with(&prompt.text));
        if let Some(place) = place {
            self.prompts.remove(place);
        }
    }

    pub(crate) fn forget_prompts(&mut self) {
        self.prompts.clear();
    }
}
