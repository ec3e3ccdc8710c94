//! State that one read passes to the next, small enough for a cursor.
//!
//! Everything here is bounded by counts that also apply within one read, so a file read in steps gives the same events
//! as the file read at once.

use std::collections::VecDeque;

use acreta_sdk::adapter::Tokens;
use acreta_sdk::adapter::calls::{Calls, hash, push_bounded};
use serde::{Deserialize, Serialize};

/// Number of API messages that are remembered as counted. Those of subagents interleave with the rest.
const MESSAGES: usize = 64;

/// Maximum number of prompts in the queue, and of bytes kept of each.
const PROMPTS: usize = 32;
const PROMPT_BYTES: usize = 4 * 1024;

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    /// Tool calls without a result yet.
    pub(crate) calls: Calls,
    /// Hashes of the ids of API messages, with the tokens of each that were emitted.
    #[serde(default)]
    pub(crate) counted: VecDeque<(u64, Tokens)>,
    /// Prompts in the queue, the oldest first.
    pub(crate) prompts: VecDeque<Prompt>,
    /// The record before was a slash command of the person, and no other followed.
    #[serde(default)]
    pub(crate) is_after_command: bool,
}

/// A prompt that was typed while the agent was busy. A cursor has only its place: what a person typed stays in the
/// session file, and the next read takes it from there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Prompt {
    #[serde(skip)]
    pub(crate) text: String,
    #[serde(skip)]
    pub(crate) truncated_bytes: usize,
    pub(crate) at_ms: Option<u64>,
    pub(crate) start: u64,
    pub(crate) end: u64,
}

impl Prompt {
    /// Returns the prompt with its text, which is cut if it is long.
    pub(crate) fn saying(mut self, mut text: String) -> Self {
        let kept = text.floor_char_boundary(PROMPT_BYTES);
        self.truncated_bytes = text.len() - kept;
        text.truncate(kept);
        self.text = text;
        self
    }
}

impl State {
    /// Returns the tokens of a message that were not counted yet, and whether this is its first record. Claude Code
    /// repeats the counts on the record of every block; while a reply is streamed, only the last ones have all tokens out.
    pub(crate) fn count_message(&mut self, id: &str, tokens: Tokens) -> (Tokens, bool) {
        let id = hash(id.as_bytes());
        let known = self.counted.iter_mut().find(|(known, _)| *known == id);
        let Some((_, counted)) = known else {
            push_bounded(&mut self.counted, (id, tokens), MESSAGES);
            return (tokens, true);
        };
        let more = tokens.since(*counted);
        *counted = counted.plus(more);
        let grown = |count: Option<u64>| count.filter(|count| *count > 0);
        let more = Tokens {
            input: grown(more.input),
            output: grown(more.output),
            cache_read: grown(more.cache_read),
            cache_write: grown(more.cache_write),
            cost_dollars: None,
        };
        (more, false)
    }

    pub(crate) fn queue_prompt(&mut self, prompt: Prompt, text: String) {
        push_bounded(&mut self.prompts, prompt.saying(text), PROMPTS);
    }

    /// Gives the prompt that was typed at `start` its text again.
    pub(crate) fn recall_prompt(&mut self, start: u64, text: impl FnOnce() -> String) {
        if let Some(prompt) = self.prompts.iter_mut().find(|it| it.start == start) {
            *prompt = prompt.clone().saying(text());
        }
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
