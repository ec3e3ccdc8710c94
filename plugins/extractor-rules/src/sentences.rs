//! Splits text into sentences. Every sentence is a slice of its text, so a quote is always verbatim; code blocks,
//! tables and rules are never part of one.

use crate::blocks::{Block, Blocks, TextPosition};
use crate::phrases::{Phrases, phrases};

/// One sentence, list item or heading.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sentence<'a> {
    /// Verbatim, without list marks and surrounding space.
    pub(crate) text: &'a str,
    pub(crate) place: TextPosition,
    /// Number of the block: sentences of one paragraph or item share it.
    pub(crate) block: usize,
}

/// Returns the sentences of a markdown-like text, in order. Lazy: reads the text only as far as needed.
pub(crate) fn sentences(text: &str) -> Sentences<'_> {
    Sentences {
        blocks: Blocks::of(text),
        opened: 0,
        pieces: Pieces::of(""),
        place: TextPosition::Prose,
        given: 0,
    }
}

pub(crate) struct Sentences<'a> {
    blocks: Blocks<'a>,
    /// Number of blocks opened so far.
    opened: usize,
    /// The rest of the current block.
    pieces: Pieces<'a>,
    place: TextPosition,
    given: usize,
}

impl<'a> Iterator for Sentences<'a> {
    type Item = Sentence<'a>;

    fn next(&mut self) -> Option<Sentence<'a>> {
        loop {
            if let Some(text) = self.pieces.next() {
                self.given += 1;
                return Some(Sentence {
                    text,
                    place: if text.ends_with([':', '：']) {
                        TextPosition::Lead
                    } else {
                        self.place
                    },
                    block: self.opened - 1,
                });
            }
            // The limit applies between blocks: an opened block is returned whole.
            if self.given > MOST_SENTENCES {
                return None;
            }
            let Block { text, place } = self.blocks.next()?;
            self.opened += 1;
            if place == TextPosition::Heading {
                self.given += 1;
                return Some(Sentence {
                    text,
                    place,
                    block: self.opened - 1,
                });
            }
            self.pieces = Pieces::of(text);
            self.place = place;
        }
    }
}

const MOST_SENTENCES: usize = 400;
/// A sentence with an ellipsis before this length continues after it.
const SHORTEST_THOUGHT: usize = 16;

/// A paragraph cut into sentences.
struct Pieces<'a> {
    paragraph: &'a str,
    /// Offset of the next piece.
    start: usize,
    in_code: bool,
}

impl<'a> Pieces<'a> {
    fn of(paragraph: &'a str) -> Self {
        Self {
            paragraph,
            start: 0,
            in_code: false,
        }
    }

    /// Returns the end of the next piece.
    fn end(&mut self) -> usize {
        let bytes = self.paragraph.as_bytes();
        for (index, byte) in bytes.iter().enumerate().skip(self.start) {
            match byte {
                b'`' => self.in_code = !self.in_code,
                b';' if !self.in_code && is_list_number(&bytes[index + 1..]) => return index + 1,
                0xe3 | 0xef if !self.in_code && is_wide_stop(&bytes[index..]) => return index + 3,
                b'.' | b'!' | b'?' | b'"' | b'*' | b')' | b'_' | b' '
                    if !self.in_code && self.ends_at(index) =>
                {
                    return index + 1;
                }
                _ => {}
            }
        }
        bytes.len()
    }

    /// Reports whether a sentence ends with the byte at `index`, which is outside code.
    fn ends_at(&self, index: usize) -> bool {
        let bytes = self.paragraph.as_bytes();
        let next = bytes.get(index + 1);
        let is_stop = |byte: u8| matches!(byte, b'.' | b'!' | b'?');
        if bytes[index] == b' ' {
            return next == Some(&b' ')
                && index - self.start > 12
                && opens_clause(&self.paragraph[index..]);
        }
        // A quote, bracket or emphasis may close after the stop.
        let stop = if is_stop(bytes[index]) {
            index
        } else if index > self.start && is_stop(bytes[index - 1]) {
            index - 1
        } else {
            return false;
        };
        next.is_none_or(u8::is_ascii_whitespace)
            && !(bytes[stop] == b'.' && is_abbreviation(&self.paragraph[self.start..stop]))
            && !(self.paragraph[..stop].ends_with("..") && stop - self.start < SHORTEST_THOUGHT)
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        while self.start < self.paragraph.len() {
            let end = self.end();
            let piece = self.paragraph[self.start..end].trim();
            self.start = end;
            if piece.chars().any(char::is_alphanumeric) {
                return Some(piece);
            }
        }
        None
    }
}

/// Reports whether a text opens with the number of the next list item: ` 2. `
fn is_list_number(bytes: &[u8]) -> bool {
    matches!(bytes, [b' ', digit, b'.' | b')', ..] | [digit, b'.' | b')', ..] if digit.is_ascii_digit())
}

/// Reports whether a text opens with a full-width full stop, exclamation or question mark.
fn is_wide_stop(bytes: &[u8]) -> bool {
    // After a semicolon the next list item may follow.
    let lists = bytes.starts_with("；".as_bytes()) && bytes.get(3).is_some_and(u8::is_ascii_digit);
    let stops = ["。", "！", "？"];
    lists || stops.iter().any(|stop| bytes.starts_with(stop.as_bytes()))
}

/// Reports whether a text opens with a word that starts a new clause.
fn opens_clause(text: &str) -> bool {
    const OPENERS: Phrases = phrases!(
        "i|we|it|you|this|that|they|can|let's|but|so|also|please|how|what|and|i'd|i'm|\
         it's|don't|use|never|always",
    );
    let first = text.split_whitespace().next().unwrap_or("").to_lowercase();
    OPENERS.contains(&first)
}

/// Reports whether the text before a full stop ends with an abbreviation or a list number.
fn is_abbreviation(before: &str) -> bool {
    const ABBREVIATIONS: Phrases = phrases!("e.g|i.e|etc|vs|cf|approx|mr|dr|no|st|incl");
    let word = before.rsplit([' ', '\n', '(']).next().unwrap_or(before);
    ABBREVIATIONS
        .iter()
        .any(|abbreviation| word.eq_ignore_ascii_case(abbreviation))
        || ((1..=2).contains(&word.len())
            && word.len() == before.trim_start().len()
            && word.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        sentences(text).map(|sentence| sentence.text).collect()
    }

    #[test]
    fn prose_items_and_headings_come_apart() {
        let cases: &[(&str, &[&str])] = &[
            ("One thing. another thing", &["One thing.", "another thing"]),
            (
                "Use e.g. `a. b` here. Then stop.",
                &["Use e.g. `a. b` here.", "Then stop."],
            ),
            (
                "# Title\n\n- first\n- second. third",
                &["Title", "first", "second.", "third"],
            ),
            ("before\n```\ncode. here.\n```\nafter", &["before", "after"]),
            ("| a | b |\n|---|---|\nText.", &["Text."]),
            (
                "keep it local so that we can test it  it needs a container",
                &[
                    "keep it local so that we can test it",
                    "it needs a container",
                ],
            ),
            (
                "It runs on iOS 8. Move it",
                &["It runs on iOS 8.", "Move it"],
            ),
            (
                "1. wide rows; 2. narrow rows",
                &["wide rows;", "2. narrow rows"],
            ),
            (
                "先跑测试。然后提交！好吗？",
                &["先跑测试。", "然后提交！", "好吗？"],
            ),
            ("", &[]),
            ("…—", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(&texts(text), expected, "{text}");
        }
    }

    #[test]
    fn a_wrapped_line_stays_with_its_sentence() {
        let text =
            "Updating a team to assign a lead or to change its members is very\n  slow. Fix it.";
        let found = texts(text);
        assert_eq!(found.len(), 2);
        assert!(text.contains(found[0]));
    }
}
