//! Tables of phrases, and their search in a text. Matches whole words only, ignores case and punctuation, and gives the
//! same result on every machine.
//!
//! Tables are split at compile time. Every phrase and every folded text carries a bit set of its words; a phrase is
//! searched for only if all of its bits are set in the text.

/// A table of phrases, written with [`phrases!`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Phrases(&'static [Phrase]);

/// A phrase of a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Phrase {
    text: &'static str,
    /// The key of its first word.
    first: u32,
    /// The bit set of all its words.
    marks: u64,
}

impl Phrase {
    /// A phrase with single spaces between its words.
    const fn of(text: &'static str) -> Self {
        let bytes = text.as_bytes();
        let mut phrase = Self {
            text,
            first: 0,
            marks: 0,
        };
        let mut start = 0;
        while start < bytes.len() {
            let mut end = start;
            while end < bytes.len() && bytes[end] != b' ' {
                end += 1;
            }
            let key = key(bytes.split_at(end).0.split_at(start).1);
            if start == 0 {
                phrase.first = key;
            }
            phrase.marks |= mark(key);
            start = end + 1;
        }
        phrase
    }
}

/// Builds a table from one text with `|` between the phrases.
macro_rules! phrases {
    ($text:literal $(,)?) => {{
        const TEXT: &str = $text;
        const TABLE: [$crate::phrases::Phrase; $crate::phrases::count(TEXT)] =
            $crate::phrases::split(TEXT);
        $crate::phrases::Phrases::of(&TABLE)
    }};
}
pub(crate) use phrases;

impl Phrases {
    pub(crate) const fn of(table: &'static [Phrase]) -> Self {
        Self(table)
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|phrase| phrase.text)
    }

    pub(crate) fn contains(self, word: &str) -> bool {
        self.iter().any(|phrase| phrase == word)
    }
}

/// Counts the phrases of a written table.
pub(crate) const fn count(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut count = 1;
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'|' {
            count += 1;
        }
        at += 1;
    }
    count
}

/// Splits a written table into phrases.
pub(crate) const fn split<const COUNT: usize>(text: &'static str) -> [Phrase; COUNT] {
    let mut table = [Phrase::of(""); COUNT];
    let mut rest = text;
    let mut filled = 0;
    while filled < COUNT {
        let bytes = rest.as_bytes();
        let mut end = 0;
        while end < bytes.len() && bytes[end] != b'|' {
            end += 1;
        }
        let (phrase, after) = rest.split_at(end);
        table[filled] = Phrase::of(phrase);
        filled += 1;
        rest = if after.is_empty() {
            after
        } else {
            after.split_at(1).1
        };
    }
    table
}

/// Hash of a word; collisions are rare.
const fn key(word: &[u8]) -> u32 {
    let mut key = 0x811c_9dc5_u32;
    let mut at = 0;
    while at < word.len() {
        key = (key ^ word[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    key
}

/// Returns the bit of a word in the bit set of a text.
const fn mark(key: u32) -> u64 {
    1 << (key >> 26)
}

/// A text folded for phrase search: its words in lower case, each followed by a space.
///
/// Apostrophes stay inside words (`don't`); all other characters except letters and digits separate words.
#[derive(Debug)]
pub(crate) struct Folded {
    text: String,
    words: Vec<Word>,
    /// The bit set of all words.
    marks: u64,
}

/// Offset of a word in the folded text, and its key.
#[derive(Debug)]
struct Word {
    start: usize,
    key: u32,
}

impl Folded {
    pub(crate) fn of(text: &str) -> Self {
        let mut folded = Self {
            text: String::with_capacity(text.len() + 1),
            words: Vec::with_capacity(text.len() / 5 + 1),
            marks: 0,
        };
        let mut start = 0;
        for character in text.chars() {
            match character {
                'a'..='z' | '0'..='9' | '\'' => folded.text.push(character),
                'A'..='Z' => folded.text.push(character.to_ascii_lowercase()),
                '\u{2019}' => folded.text.push('\''),
                other if !other.is_ascii() && other.is_alphanumeric() => {
                    folded.text.extend(other.to_lowercase());
                }
                _ => start = folded.end_word(start),
            }
        }
        folded.end_word(start);
        folded
    }

    /// Ends the word that starts at `start`, if there is one, and returns the start of the next one.
    fn end_word(&mut self, start: usize) -> usize {
        if start < self.text.len() {
            let key = key(&self.text.as_bytes()[start..]);
            self.marks |= mark(key);
            self.words.push(Word { start, key });
            self.text.push(' ');
        }
        self.text.len()
    }

    /// Reports whether one of the phrases occurs in the text as whole words.
    pub(crate) fn any(&self, phrases: Phrases) -> bool {
        phrases.0.iter().any(|phrase| self.has(phrase))
    }

    /// Counts the phrases that occur in the text as whole words.
    pub(crate) fn count(&self, phrases: Phrases) -> usize {
        phrases.0.iter().filter(|phrase| self.has(phrase)).count()
    }

    /// Reports whether the text opens with one of the phrases.
    pub(crate) fn opens(&self, phrases: Phrases) -> bool {
        self.words.first().is_some_and(|first| {
            phrases
                .0
                .iter()
                .any(|phrase| phrase.first == first.key && self.has_at(first.start, phrase))
        })
    }

    fn has(&self, phrase: &Phrase) -> bool {
        self.marks & phrase.marks == phrase.marks
            && self
                .words
                .iter()
                .any(|word| word.key == phrase.first && self.has_at(word.start, phrase))
    }

    /// Reports whether a phrase occurs at the start of a word.
    fn has_at(&self, start: usize, phrase: &Phrase) -> bool {
        self.text[start..]
            .strip_prefix(phrase.text)
            .is_some_and(|after| after.starts_with(' '))
    }

    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        self.text.split_terminator(' ')
    }

    pub(crate) fn word_count(&self) -> usize {
        self.words.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_found_as_whole_words_in_any_case() {
        let table = phrases!("never|don't|instead of|by design");
        let cases: &[(&str, usize)] = &[
            ("NEVER do it", 1),
            ("Don\u{2019}t, ever, instead\n of it", 2),
            ("nevermore: a lever", 0),
            ("instead, of it: by-design", 2),
            ("instead it is of no use by any design", 0),
            ("don't do it instead. Of course never by design", 4),
            ("d\u{e9}sign n\u{212a}ver", 0),
            ("", 0),
        ];
        for (text, count) in cases {
            let folded = Folded::of(text);
            assert_eq!(folded.count(table), *count, "{text}");
            assert_eq!(folded.any(table), *count > 0, "{text}");
        }
    }

    #[test]
    fn a_text_opens_with_a_phrase_or_not() {
        let table = phrases!("no|let's use|it");
        for (text, opens) in [
            ("No, it is not", true),
            ("  Let\u{2019}s  use tabs", true),
            ("it", true),
            ("its name", false),
            ("let's not use it", false),
            ("", false),
        ] {
            assert_eq!(Folded::of(text).opens(table), opens, "{text}");
        }
    }

    #[test]
    fn folding_keeps_words_and_drops_the_rest() {
        let folded = Folded::of("`Stra\u{df}e` -- \u{130}t's\tOK\u{2026}\u{c4}!");
        let words: Vec<&str> = folded.words().collect();
        assert_eq!(words, ["stra\u{df}e", "i\u{307}t's", "ok", "\u{e4}"]);
        assert_eq!(folded.word_count(), words.len());
        assert_eq!(Folded::of("\u{2014} \u{2026}").words().count(), 0);
    }

    #[test]
    fn a_table_is_taken_apart_as_it_is_written() {
        let written: Vec<&str> = phrases!("a b|c|d'e f").iter().collect();
        assert_eq!(written, ["a b", "c", "d'e f"]);
        assert!(phrases!("a|b").contains("b"));
        assert!(!phrases!("a b|c").contains("b"));
    }
}
