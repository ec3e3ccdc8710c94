//! Cheap prefilters for words and shingles: what they reject is certainly not wanted. Tool output is long, and hardly
//! any of its words are wanted.

use std::collections::HashSet;

/// A Bloom filter of hashes: false positives are possible, false negatives are not.
#[derive(Debug)]
pub(super) struct HashFilter(Box<[u64; WORDS]>);

const WORDS: usize = 4096;

impl Default for HashFilter {
    fn default() -> Self {
        Self(Box::new([0; WORDS]))
    }
}

impl HashFilter {
    pub(super) fn insert(&mut self, hash: u64) {
        let (word, bit) = Self::at(hash);
        self.0[word] |= bit;
    }

    pub(super) fn may_hold(&self, hash: u64) -> bool {
        let (word, bit) = Self::at(hash);
        self.0[word] & bit != 0
    }

    /// Returns word index and bit. The upper bits of a product are mixed better.
    fn at(hash: u64) -> (usize, u64) {
        let mixed = hash >> 32;
        ((mixed >> 6) as usize % WORDS, 1 << (mixed & 63))
    }
}

/// The first two letters of wanted words, in lower case. A word of one letter is followed by a blank.
#[derive(Debug, Default)]
pub(super) struct WordStarts {
    /// For each first letter, a bit for each second letter.
    ascii: Vec<u128>,
    others: HashSet<[char; 2]>,
}

impl WordStarts {
    pub(super) fn insert(&mut self, word: &str) {
        let mut letters = word.chars();
        let Some(first) = letters.next() else {
            return;
        };
        let second = letters.next().unwrap_or(' ');
        if first.is_ascii() && second.is_ascii() {
            self.ascii.resize(128, 0);
            self.ascii[first as usize] |= 1 << (second as u32);
        } else {
            self.others.insert([first, second]);
        }
    }

    pub(super) fn has(&self, first: char, second: Option<char>) -> bool {
        let second = second.unwrap_or(' ');
        if first.is_ascii() && second.is_ascii() {
            return self.has_ascii(first as u8, second as u8);
        }
        self.others.contains(&[first, second])
    }

    /// Reports whether a word of ASCII letters begins like a wanted one, ignoring case.
    pub(super) fn begins(&self, word: &[u8]) -> bool {
        let letter = |at: usize| word.get(at).map_or(b' ', u8::to_ascii_lowercase);
        self.has_ascii(letter(0), letter(1))
    }

    /// Reports whether an ASCII name, or the part before its first slash, may be wanted.
    pub(super) fn may_begin_name(&self, name: &str) -> bool {
        let name = name.as_bytes();
        self.begins(name) || name.get(1) == Some(&b'/') && self.begins(&name[..1])
    }

    fn has_ascii(&self, first: u8, second: u8) -> bool {
        let row = self.ascii.get(usize::from(first)).copied();
        second < 128 && row.unwrap_or(0) & (1 << second) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_was_put_in_is_ruled_out() {
        let mut bits = HashFilter::default();
        let hashes = (0..1000_u64).map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        hashes.clone().for_each(|hash| bits.insert(hash));
        let mut hashes = hashes;
        assert!(hashes.all(|hash| bits.may_hold(hash)));
        let others = (1000..9000_u64).map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        assert!(others.filter(|hash| bits.may_hold(*hash)).count() < 200);
    }

    #[test]
    fn a_start_is_two_letters() {
        let mut starts = WordStarts::default();
        for word in ["redis", "x", "größe", "/etc", "日本"] {
            starts.insert(word);
        }
        for (word, expected) in [
            ("redis", true),
            ("Release", true),
            ("X", true),
            ("xy", false),
            ("postgres", false),
        ] {
            assert_eq!(starts.begins(word.as_bytes()), expected, "{word}");
        }
        assert!(starts.has('g', Some('r')) && starts.has('日', Some('本')));
        assert!(!starts.has('g', Some('ö')));
        assert!(starts.may_begin_name("x/y") && starts.may_begin_name("Redis.io"));
        assert!(!starts.may_begin_name("y/x"));
    }
}
