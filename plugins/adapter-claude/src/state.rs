//! What a later read has to know of an earlier one, small enough to lie in a cursor.
//!
//! Everything here is bounded by counts that hold within one read as well, so that a file read in
//! steps gives the same events as the file read at once.

use std::collections::VecDeque;
use std::io::{self, Read, Seek, SeekFrom};

use serde::{Deserialize, Serialize};

/// How many API messages are remembered as counted. Those of subagents interleave with the rest.
const MESSAGES: usize = 64;

/// How many tool calls may wait for their result.
const CALLS: usize = 256;

/// How many prompts may wait in the queue, and how much of each is kept.
const PROMPTS: usize = 32;
const PROMPT_BYTES: usize = 4 * 1024;

/// Longest id and name of a call that are remembered together.
const CALL_BYTES: usize = 512;

/// How much of the file before the cursor is compared.
const FINGERPRINT_BYTES: u64 = 256;

#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct State {
    /// Hash of the bytes before the cursor.
    pub(crate) fingerprint: u64,
    /// Hashes of the ids of API messages whose tokens were told.
    messages: VecDeque<u64>,
    /// Tool calls without a result yet: id and tool.
    calls: VecDeque<(String, String)>,
    /// Prompts in the queue, the oldest first.
    prompts: VecDeque<Prompt>,
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
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        // Numbers, strings and lists of them always have a JSON form.
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// True the first time a message is asked about.
    pub(crate) fn count_message(&mut self, id: &str) -> bool {
        let id = hash(id.as_bytes());
        let is_new = !self.messages.contains(&id);
        if is_new {
            push_bounded(&mut self.messages, id, MESSAGES);
        }
        is_new
    }

    pub(crate) fn open_call(&mut self, id: &str, tool: &str) {
        if id.len() + tool.len() <= CALL_BYTES {
            push_bounded(&mut self.calls, (id.to_owned(), tool.to_owned()), CALLS);
        }
    }

    /// The tool whose call this was.
    pub(crate) fn close_call(&mut self, id: &str) -> Option<String> {
        let place = self.calls.iter().rposition(|(open, _)| open == id)?;
        self.calls.remove(place).map(|(_, tool)| tool)
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

fn push_bounded<T>(queue: &mut VecDeque<T>, element: T, most: usize) {
    if queue.len() >= most {
        queue.pop_front();
    }
    queue.push_back(element);
}

/// Hash of the last bytes before `offset`: a file that was rewritten rarely keeps them.
pub(crate) fn fingerprint(file: &mut (impl Read + Seek), offset: u64) -> io::Result<u64> {
    let length = offset.min(FINGERPRINT_BYTES);
    file.seek(SeekFrom::Start(offset - length))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    Ok(hash(&bytes))
}

/// FNV-1a, 64 bits: stable for ever, and nobody gains by a collision but a lost duplicate.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
