//! Splits the text of a passage for tantivy, while it is indexed: each word as it stands and, if it is another, its stem, both
//! at the word's place; names of several parts whole, too. So one field answers words in other forms, phrases, beginnings and
//! corrections, and a text is split once.
//!
//! ```text
//! Queues in retry_budget    0 queues  0 queue  1 in  2 retry_budget  2 retry  2 retri  3 budget
//! ```

use std::ops::Range;

use acreta_text::{Fnv, stem};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use crate::tokens::{self, PART_BYTES, Unit};

/// Number of stems that are remembered. A stem costs more than all else of a word, and texts repeat their words.
const STEMS: usize = 16 * 1024;

#[derive(Default)]
pub(super) struct PassageTokenizer {
    stems: Vec<Stem>,
    units: Vec<(Range<usize>, Unit)>,
}

/// A word and its stem, if that is another.
#[derive(Clone, Default)]
struct Stem {
    word: String,
    stem: Option<String>,
}

impl Clone for PassageTokenizer {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Tokenizer for PassageTokenizer {
    type TokenStream<'a> = PassageTokens<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> PassageTokens<'a> {
        if self.stems.is_empty() {
            self.stems = vec![Stem::default(); STEMS];
        }
        self.units.clear();
        PassageTokens {
            tokenizer: self,
            text,
            visited: 0,
            next: 0,
            position: 0,
            stem: None,
            token: Token::default(),
        }
    }
}

pub(super) struct PassageTokens<'a> {
    tokenizer: &'a mut PassageTokenizer,
    text: &'a str,
    /// Bytes that are split, and the next of the units that they gave.
    visited: usize,
    next: usize,
    /// Number of runs of letters and digits before the next one.
    position: usize,
    /// Slot of the stem that comes next.
    stem: Option<usize>,
    token: Token,
}

impl TokenStream for PassageTokens<'_> {
    fn advance(&mut self) -> bool {
        if let Some(slot) = self.stem.take()
            && let Some(stem) = &self.tokenizer.stems[slot].stem
        {
            self.token.text.clear();
            self.token.text.push_str(stem);
            return true;
        }
        loop {
            let Some((range, unit)) = self.unit() else {
                return false;
            };
            let text = &self.text[range.clone()];
            let position = match unit {
                Unit::Whole | Unit::Word | Unit::Camel => self.position,
                Unit::Hump => self.position - 1,
            };
            if matches!(unit, Unit::Word | Unit::Camel) {
                self.position += 1;
            }
            let is_left_out = match unit {
                // The same as the run in camel case that follows.
                Unit::Whole => range.len() <= PART_BYTES && text.chars().all(char::is_alphanumeric),
                Unit::Word | Unit::Camel | Unit::Hump => range.len() > PART_BYTES,
            };
            if is_left_out {
                continue;
            }
            self.token.offset_from = range.start;
            self.token.offset_to = range.end;
            self.token.position = position;
            lower(text, &mut self.token.text);
            if matches!(unit, Unit::Whole | Unit::Camel) {
                return true;
            }
            let slot = self.tokenizer.slot(&self.token.text);
            let has_stem = self.tokenizer.stems[slot].stem.is_some();
            match unit {
                Unit::Hump if has_stem => {
                    self.stem = Some(slot);
                    return self.advance();
                }
                _ => self.stem = has_stem.then_some(slot),
            }
            return true;
        }
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

impl PassageTokens<'_> {
    fn unit(&mut self) -> Option<(Range<usize>, Unit)> {
        let units = &mut self.tokenizer.units;
        if self.next == units.len() {
            units.clear();
            self.next = 0;
            self.visited = tokens::visit(self.text, self.visited, &|_| true, &mut |range, unit| {
                units.push((range, unit));
                false
            });
        }
        let unit = units.get(self.next).cloned()?;
        self.next += 1;
        Some(unit)
    }
}

impl PassageTokenizer {
    /// Returns the slot with the stem of a word.
    fn slot(&mut self, word: &str) -> usize {
        let slot = Fnv::of(word) as usize % STEMS;
        let known = &mut self.stems[slot];
        if known.word != word {
            let found = stem(word);
            known.stem = (found != word).then(|| found.into_owned());
            known.word.clear();
            known.word.push_str(word);
        }
        slot
    }
}

fn lower(text: &str, lower: &mut String) {
    lower.clear();
    match text.is_ascii() {
        true => {
            lower.push_str(text);
            lower.make_ascii_lowercase();
        }
        // By the whole word: the end of a word matters in Greek.
        false => lower.push_str(&text.to_lowercase()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<(usize, String)> {
        let mut tokenizer = PassageTokenizer::default();
        let mut stream = tokenizer.token_stream(text);
        let mut found = Vec::new();
        while let Some(token) = stream.next() {
            found.push((token.position, token.text.clone()));
        }
        found
    }

    #[test]
    fn words_have_their_stems_beside_them() {
        let long = "a".repeat(PART_BYTES + 1);
        let long = format!("{long} end");
        let table: [(&str, &[(usize, &str)]); 6] = [
            (
                "Queues in retry_budget!",
                &[
                    (0, "queues"),
                    (0, "queue"),
                    (1, "in"),
                    (2, "retry_budget"),
                    (2, "retry"),
                    (2, "retri"),
                    (3, "budget"),
                ],
            ),
            (
                "parseHTTPHeaders x",
                &[
                    (0, "parsehttpheaders"),
                    (0, "pars"),
                    (0, "http"),
                    (0, "header"),
                    (1, "x"),
                ],
            ),
            ("Größe", &[(0, "größe")]),
            (&long, &[(1, "end")]),
            ("", &[]),
            ("?!", &[]),
        ];
        for (text, expected) in table {
            let found = split(text);
            let found: Vec<(usize, &str)> =
                found.iter().map(|(at, it)| (*at, it.as_str())).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn what_is_asked_for_is_what_is_indexed() {
        let text = "The queueManager's std::parseHeader failed in src/Front_matter.rs:12 at 0.27.0, größerer Käse";
        let found: Vec<String> = split(text).into_iter().map(|(_, text)| text).collect();
        for term in tokens::terms(text) {
            assert!(found.contains(&term), "{term}");
        }
        // A phrase asks for words by their places.
        let words = acreta_text::words(text).enumerate();
        for word in words {
            assert!(split(text).contains(&word), "{word:?}");
        }
    }
}
