//! Word counts of a file and of each passage of a few lines: words that occur close together are better evidence than
//! scattered ones. Stored as sorted hashes with binary search in place.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::artifact::bytes::ByteWriter;
use crate::rank::terms;

/// Maximum number of distinct words stored per file; further ones are ignored.
const MOST_WORDS: usize = 20_000;

/// Lines per passage.
const PASSAGE_LINES: usize = 40;

/// Maximum number of passages stored per file.
const MOST_PASSAGES: usize = 400;

type WordCounts = HashMap<u32, u32, BuildHasherDefault<IdentityHasher>>;

/// Writes the word counts of the whole file and of each passage.
pub(crate) fn write_words(writer: &mut ByteWriter, text: &[u8]) {
    let mut total = WordCounts::default();
    let mut total_length = 0u32;
    let mut passages = ByteWriter::default();
    let mut rest = text;
    let mut number = 0;
    while !rest.is_empty() {
        let end = end_of_lines(rest, PASSAGE_LINES);
        let (lines, after) = rest.split_at(end);
        rest = after;
        let mut counts = WordCounts::default();
        let mut length = 0u32;
        terms::words(lines, |word| {
            length += 1;
            *counts.entry(terms::hash(word)).or_default() += 1;
        });
        total_length = total_length.saturating_add(length);
        for (word, count) in &counts {
            if total.len() < MOST_WORDS || total.contains_key(word) {
                *total.entry(*word).or_default() += count;
            }
        }
        number += 1;
        if number <= MOST_PASSAGES && !counts.is_empty() && counts.len() <= usize::from(u16::MAX) {
            passages.u16(counts.len() as u16);
            passages.u16(length.min(u32::from(u16::MAX)) as u16);
            write_counts(&mut passages, counts);
        }
    }
    writer.u32(total.len() as u32);
    writer.u32(total_length);
    write_counts(writer, total);
    let passages = passages.done();
    writer.u32(passages.len() as u32);
    writer.raw(&passages);
}

/// Looks up the count of a word in sorted hashes.
pub(crate) fn count(hashes: &[u8], counts: &[u8], word: u32) -> u8 {
    let at = |index: usize| {
        let bytes = hashes.get(index * 4..index * 4 + 4).unwrap_or_default();
        u32::from_le_bytes(bytes.try_into().unwrap_or([0; 4]))
    };
    let (mut low, mut high) = (0, counts.len());
    while low < high {
        let middle = low + (high - low) / 2;
        match at(middle).cmp(&word) {
            std::cmp::Ordering::Equal => return counts[middle],
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    0
}

/// Writes the sorted hashes, then the count of each.
fn write_counts(writer: &mut ByteWriter, counts: WordCounts) {
    let mut counts: Vec<(u32, u32)> = counts.into_iter().collect();
    counts.sort_unstable();
    for (word, _) in &counts {
        writer.u32(*word);
    }
    for (_, count) in &counts {
        writer.u8((*count).min(255) as u8);
    }
}

/// Returns the offset at which the first `count` lines end.
fn end_of_lines(text: &[u8], count: usize) -> usize {
    text.iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'\n')
        .nth(count - 1)
        .map_or(text.len(), |(at, _)| at + 1)
}

/// An identity hasher: words are already hashes.
#[derive(Default)]
struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0 << 8 | u64::from(*byte);
        }
    }

    fn write_u32(&mut self, value: u32) {
        self.0 = u64::from(value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}
