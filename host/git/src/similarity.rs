//! Estimates the similarity of two files as git does for renames: both are split into lines or chunks of 64 bytes, and
//! the bytes of equal chunks are counted.

use std::collections::HashMap;

/// The score of equal files, as in git.
pub(crate) const MOST: u64 = 60_000;

/// A file as counts of hashed chunks.
pub(crate) struct ChunkCounts {
    size: u64,
    counts: HashMap<u32, u64>,
}

impl ChunkCounts {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        // Git's constants; a prime keeps the table small.
        const PRIME: u32 = 107_927;
        const PIECE: u64 = 64;
        let is_text = !bytes[..bytes.len().min(8000)].contains(&0);
        let mut counts: HashMap<u32, u64> = HashMap::new();
        let (mut first, mut second, mut length) = (0u32, 0u32, 0u64);
        let mut put = |first: u32, second: u32, length: u64| {
            let value = first.wrapping_add(second.wrapping_mul(0x61)) % PRIME;
            *counts.entry(value).or_default() += length;
        };
        for (index, byte) in bytes.iter().enumerate() {
            if is_text && *byte == b'\r' && bytes.get(index + 1) == Some(&b'\n') {
                continue;
            }
            let old = first;
            first = (first << 7) ^ (second >> 25);
            second = (second << 7) ^ (old >> 25);
            first = first.wrapping_add(u32::from(*byte));
            length += 1;
            if length < PIECE && *byte != b'\n' {
                continue;
            }
            put(first, second, length);
            (first, second, length) = (0, 0, 0);
        }
        if length > 0 {
            put(first, second, length);
        }
        Self {
            size: bytes.len() as u64,
            counts,
        }
    }

    /// Returns the score of a rename from `self` to `to`; 0 below `least`.
    pub(crate) fn score(&self, to: &Self, least: u64) -> u64 {
        let larger = self.size.max(to.size);
        let smaller = self.size.min(to.size);
        if larger == 0 || larger * (MOST - least) < (larger - smaller) * MOST {
            return 0;
        }
        let copied: u64 = self
            .counts
            .iter()
            .filter_map(|(piece, count)| Some((*count).min(*to.counts.get(piece)?)))
            .sum();
        copied * MOST / larger
    }
}
