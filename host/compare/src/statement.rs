//! A statement prepared for comparison. Parsing is expensive and comparing is cheap: to compare many statements, parse
//! each once.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use acreta_text::{beginning, content_words};
use acreta_types::MemoryType;

use crate::token::{Mark, Token, is_quoted, is_unspaced, sentences};

/// A parsed memory or candidate.
#[derive(Debug, Clone)]
pub struct Statement {
    memory_type: MemoryType,
    /// Laid down by a person: a decision, a convention or a preference.
    pub(crate) is_norm: bool,
    /// The title's tokens.
    pub(crate) title: Vec<Token>,
    /// The body's sentences.
    pub(crate) body: Vec<Vec<Token>>,
    /// All it says, in order: the body, after the title unless the body quotes a person or contains the title.
    pub(crate) said: Vec<Token>,
    /// The body quotes a person, and the title is a label that somebody chose for the quote.
    pub(crate) is_quote: bool,
    /// What it says names the subject: at least half of the title's words, if it is a quote.
    pub(crate) names_subject: bool,
    /// Sorted hashes of the comparable words.
    words: Vec<u64>,
    /// Sorted hashes of the title's comparable words.
    title_words: Vec<u64>,
}

impl Statement {
    pub fn new(memory_type: MemoryType, kind: &str, title: &str, body: &str) -> Self {
        let is_quote = is_quoted(body);
        let title_tokens: Vec<Token> = sentences(title).into_iter().flatten().collect();
        let body_sentences = sentences(body);
        let mut said: Vec<Token> = body_sentences.iter().flatten().cloned().collect();
        if !is_quote && !contains(&said, &title_tokens) {
            said = title_tokens.iter().cloned().chain(said).collect();
        }
        let title_words = hashed(&comparable_words(title));
        let body_words = hashed(&comparable_words(body));
        // Titles are free wordings: `Friday deploys` is in `never deploy on Fridays`.
        let stems = |text| -> BTreeSet<String> {
            let words = comparable_words(text);
            words
                .iter()
                .map(|word| beginning(word).to_owned())
                .collect()
        };
        let title_stems = stems(title);
        let shared_stems = title_stems.intersection(&stems(body)).count();
        let mut words = title_words.clone();
        words.extend(body_words);
        words.sort_unstable();
        words.dedup();
        Self {
            memory_type,
            is_norm: memory_type == MemoryType::Decision
                || matches!(kind, "convention" | "preference"),
            title: title_tokens,
            body: body_sentences,
            said,
            is_quote,
            names_subject: !is_quote || shared_stems > 0 && 2 * shared_stems >= title_stems.len(),
            words,
            title_words,
        }
    }

    pub fn memory_type(&self) -> MemoryType {
        self.memory_type
    }

    /// Returns the share of common words of title and body, 0 to 1.
    pub fn overlap(&self, other: &Self) -> f64 {
        overlap(&self.words, &other.words)
    }

    /// Returns the share of common words of the titles, 0 to 1.
    pub fn title_overlap(&self, other: &Self) -> f64 {
        overlap(&self.title_words, &other.title_words)
    }

    /// Reports whether both contain the same names and numbers.
    pub fn has_same_values(&self, other: &Self) -> bool {
        self.values_not_in(other).is_empty() && other.values_not_in(self).is_empty()
    }

    /// Returns its names and numbers, with repetitions.
    pub(crate) fn values(&self) -> impl Iterator<Item = (Mark, &str)> {
        self.tokens()
            .filter_map(|token| token.mark.map(|mark| (mark, token.text.as_str())))
    }

    /// Returns its names and numbers that another statement does not contain, not even as a word.
    pub(crate) fn values_not_in(&self, other: &Self) -> Vec<(Mark, &str)> {
        let known: BTreeSet<&str> = other.tokens().map(|token| token.text.as_str()).collect();
        let mut values: Vec<_> = self
            .values()
            .filter(|(_, text)| !known.contains(text))
            .collect();
        values.sort_unstable_by_key(|(_, text)| *text);
        values.dedup_by_key(|(_, text)| *text);
        values
    }

    /// Reports whether a person lays down a value with it, which may contradict another.
    pub fn sets_value(&self) -> bool {
        self.is_norm && self.values().next().is_some()
    }

    /// Reports whether all its words but names and numbers are in another statement.
    pub(crate) fn has_no_other_words(&self, other: &Self) -> bool {
        let plain = self.words_of(|mark| mark.is_none());
        shared(&plain, &other.words) == plain.len()
    }

    /// Reports whether both have a word or name in common.
    pub(crate) fn shares_words(&self, other: &Self) -> bool {
        let is_word = |mark| mark != Some(Mark::Number);
        shared(&self.words_of(is_word), &other.words_of(is_word)) > 0
    }

    fn words_of(&self, is_wanted: impl Fn(Option<Mark>) -> bool) -> Vec<u64> {
        let tokens = self.tokens().filter(|token| is_wanted(token.mark));
        let texts: Vec<&str> = tokens.map(|token| token.text.as_str()).collect();
        hashed(&comparable_words(&texts.join(" ")))
    }

    pub(crate) fn tokens(&self) -> impl Iterator<Item = &Token> {
        self.title.iter().chain(self.body.iter().flatten())
    }
}

/// Returns the words by which texts are looked up: the tokens and, in scripts without spaces, the letters.
pub fn comparable_words(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for token in content_words(text) {
        if !token.is_ascii() && token.chars().any(is_unspaced) {
            let letters = token.chars().filter(|letter| is_unspaced(*letter));
            found.extend(letters.map(String::from));
            let others = token.split(is_unspaced).filter(|rest| !rest.is_empty());
            found.extend(others.map(ToOwned::to_owned));
        } else {
            found.insert(token);
        }
    }
    found
}

/// Reports whether one list of tokens contains another as a whole.
fn contains(all: &[Token], part: &[Token]) -> bool {
    let is_part =
        |window: &[Token]| (window.iter().zip(part)).all(|(one, other)| one.text == other.text);
    part.is_empty() || all.windows(part.len()).any(is_part)
}

fn hashed(words: &BTreeSet<String>) -> Vec<u64> {
    let hash = |word: &String| {
        let mut hasher = DefaultHasher::new();
        word.hash(&mut hasher);
        hasher.finish()
    };
    let mut hashes: Vec<u64> = words.iter().map(hash).collect();
    hashes.sort_unstable();
    hashes
}

fn overlap(left: &[u64], right: &[u64]) -> f64 {
    let shared = shared(left, right);
    let all = left.len() + right.len() - shared;
    if all == 0 {
        0.0
    } else {
        shared as f64 / all as f64
    }
}

/// Counts the common numbers of two sorted lists without duplicates.
fn shared(left: &[u64], right: &[u64]) -> usize {
    let is_in_right = |one: &&u64| right.binary_search(one).is_ok();
    left.iter().filter(is_in_right).count()
}
