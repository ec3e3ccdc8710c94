//! Byte pair encoding of one piece: adjacent tokens are merged, lowest resulting token first. Takes `n log n` time,
//! because a piece may be a megabyte of letters.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// 256 tokens of single bytes, then a hash table of merges; see `build.rs`.
static TABLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/merges.bin"));
const BYTES: usize = 256 * 4;
const SLOT_BITS: u32 = 18;
const TOKEN_BITS: u32 = 18;
const HASH: u64 = 0x9E37_79B9_7F4A_7C15;
/// No token, or no position.
const NONE: u32 = u32::MAX;

/// Counts the tokens of pieces; reuses its buffers.
#[derive(Default)]
pub(crate) struct Merger {
    parts: Vec<MergePart>,
    /// Possible merges: merged token, position of its left part.
    waiting: BinaryHeap<Reverse<(u32, u32)>>,
}

/// A node of a linked list of tokens.
struct MergePart {
    token: u32,
    before: u32,
    after: u32,
    /// The token that this and the next part would merge into.
    merged: u32,
}

impl Merger {
    pub(crate) fn count(&mut self, piece: &[u8]) -> usize {
        if piece.len() < 2 {
            return piece.len();
        }
        self.fill(piece);
        let mut count = self.parts.len();
        while let Some(Reverse((token, at))) = self.waiting.pop() {
            // The part was merged in the meantime, or has another neighbour.
            if self.parts[at as usize].merged != token {
                continue;
            }
            self.merge(at, token);
            count -= 1;
        }
        count
    }

    fn fill(&mut self, piece: &[u8]) {
        self.parts.clear();
        self.waiting.clear();
        let mut before = NONE;
        for (at, byte) in (0_u32..).zip(piece) {
            self.parts.push(MergePart {
                token: token_of(*byte),
                before,
                after: at + 1,
                merged: NONE,
            });
            before = at;
        }
        if let Some(last) = self.parts.last_mut() {
            last.after = NONE;
        }
        for at in 0..before {
            self.look(at);
        }
    }

    /// Merges the part at a position with the next one.
    fn merge(&mut self, at: u32, token: u32) {
        let gone = self.parts[at as usize].after as usize;
        self.parts[gone].merged = NONE;
        let after = self.parts[gone].after;
        if after != NONE {
            self.parts[after as usize].before = at;
        }
        let part = &mut self.parts[at as usize];
        part.token = token;
        part.after = after;
        let before = part.before;
        self.look(at);
        if before != NONE {
            self.look(before);
        }
    }

    /// Looks up the merge of a part with the next one.
    fn look(&mut self, at: u32) {
        let part = &self.parts[at as usize];
        let merged = match self.parts.get(part.after as usize) {
            Some(next) => merged(part.token, next.token),
            None => NONE,
        };
        self.parts[at as usize].merged = merged;
        if merged != NONE {
            self.waiting.push(Reverse((merged, at)));
        }
    }
}

fn token_of(byte: u8) -> u32 {
    let (tokens, _) = TABLE[..BYTES].as_chunks();
    u32::from_le_bytes(tokens[usize::from(byte)])
}

/// Returns the token that two tokens merge into, or [`NONE`].
fn merged(left: u32, right: u32) -> u32 {
    let (slots, _) = TABLE[BYTES..].as_chunks();
    let key = u64::from(left) << TOKEN_BITS | u64::from(right);
    let mut slot = (key.wrapping_mul(HASH) >> (64 - SLOT_BITS)) as usize;
    loop {
        let found = u64::from_le_bytes(slots[slot]);
        if found == 0 {
            return NONE;
        }
        if found >> TOKEN_BITS == key {
            return (found & ((1 << TOKEN_BITS) - 1)) as u32;
        }
        slot = (slot + 1) % slots.len();
    }
}
