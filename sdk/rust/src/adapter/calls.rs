//! Tool calls that wait for their result, and other lists that a cursor carries from one read to
//! the next.
//!
//! Everything here is bounded by counts that also apply within one read, so a file read in steps gives the same events
//! as the file read at once.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// Maximum number of tool calls that wait for their result.
const CALLS: usize = 256;

/// Maximum length of a call's id and name together, in bytes.
const CALL_BYTES: usize = 512;

/// Calls without a result yet, as (id, tool), oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Calls(VecDeque<(String, String)>);

impl Calls {
    pub fn open(&mut self, id: &str, tool: &str) {
        if id.len() + tool.len() <= CALL_BYTES {
            push_bounded(&mut self.0, (id.to_owned(), tool.to_owned()), CALLS);
        }
    }

    /// Reports whether a call waits for its result.
    pub fn is_open(&self, id: &str) -> bool {
        self.0.iter().any(|(open, _)| open == id)
    }

    /// Returns the tool of a waiting call.
    pub fn tool(&self, id: &str) -> Option<&str> {
        let waiting = self.0.iter().rev().find(|(open, _)| open == id)?;
        Some(&waiting.1)
    }

    /// Removes a waiting call and returns its tool.
    pub fn close(&mut self, id: &str) -> Option<String> {
        let place = self.0.iter().rposition(|(open, _)| open == id)?;
        self.0.remove(place).map(|(_, tool)| tool)
    }
}

/// Appends an element and drops the oldest beyond `most`.
pub fn push_bounded<T>(queue: &mut VecDeque<T>, element: T, most: usize) {
    if queue.len() >= most {
        queue.pop_front();
    }
    queue.push_back(element);
}

/// FNV-1a, 64 bits. The value never changes between versions; a collision costs at most one lost duplicate.
pub fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
