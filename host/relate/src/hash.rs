//! FNV-1a: the same number for the same text on every machine, and quick on short words.

use std::hash::Hasher;

/// The number of a text.
pub(crate) fn hash(text: &str) -> u64 {
    let mut hasher = Fnv::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// The number of two things in this order.
pub(crate) fn join(first: u64, second: u64) -> u64 {
    (first.rotate_left(5) ^ second).wrapping_mul(PRIME)
}

const PRIME: u64 = 0x0100_0000_01b3;

/// Hasher of the word tables, whose keys come from this crate and are never hostile.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(PRIME);
        }
    }
}
