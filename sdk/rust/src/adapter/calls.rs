//! Tool calls that wait for their result, and other lists that a cursor carries from one read to
//! the next.
//!
//! Everything here is bounded by counts that hold within one read as well, so that a file read in
//! steps gives the same events as the file read at once.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// How many tool calls may wait for their result.
const CALLS: usize = 256;

/// Longest id and name of a call that are remembered together.
const CALL_BYTES: usize = 512;

/// Calls without a result yet: id and tool, the oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Calls(VecDeque<(String, String)>);

impl Calls {
    pub fn open(&mut self, id: &str, tool: &str) {
        if id.len() + tool.len() <= CALL_BYTES {
            push_bounded(&mut self.0, (id.to_owned(), tool.to_owned()), CALLS);
        }
    }

    /// Whether a call waits for its result.
    pub fn is_open(&self, id: &str) -> bool {
        self.0.iter().any(|(open, _)| open == id)
    }

    /// The tool whose call this was; the call no longer waits.
    pub fn close(&mut self, id: &str) -> Option<String> {
        let place = self.0.iter().rposition(|(open, _)| open == id)?;
        self.0.remove(place).map(|(_, tool)| tool)
    }
}

/// Adds an element and forgets the oldest beyond `most`.
pub fn push_bounded<T>(queue: &mut VecDeque<T>, element: T, most: usize) {
    if queue.len() >= most {
        queue.pop_front();
    }
    queue.push_back(element);
}

/// FNV-1a, 64 bits: stable for ever, and nobody gains by a collision but a lost duplicate.
pub fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
