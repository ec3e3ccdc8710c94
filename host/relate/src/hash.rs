//! Hashes of texts, equal on every machine.

use acreta_text::Fnv;

/// Returns the hash of a text.
pub(crate) fn hash(text: &str) -> u64 {
    Fnv::of(text)
}

/// Combines two hashes in this order.
pub(crate) fn join(first: u64, second: u64) -> u64 {
    (first.rotate_left(5) ^ second).wrapping_mul(0x0100_0000_01b3)
}
