//! State that one read passes to the next, small enough for a cursor.
//!
//! Everything here is bounded by counts that also apply within one read, so a file read in steps gives the same events
//! as the file read at once.

use std::collections::VecDeque;

use acreta_sdk::adapter::calls::{Calls, hash, push_bounded};
use serde::{Deserialize, Serialize};

/// Number of API messages that are remembered as counted. Those of subagents interleave with the rest.
const MESSAGES: usize = 64;

/// Maximum number of prompts in the queue, and of bytes kept of each.
const PROMPTS: usize = 32;
const PROMPT_BYTES: usize = 4 * 1024;

#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct State {
    /// Tool calls without a result yet.
    pub(crate) calls: Calls,
    /// Hashes of the ids of API messages whose tokens were emitted.
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
    /// Returns `true` the first time a message is counted.
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

    /// Removes a prompt from the queue by its text.
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
