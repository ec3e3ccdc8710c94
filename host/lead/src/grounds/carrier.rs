//! Sets of terms that texts contain: words by their stems, names verbatim, numbers in any notation.

use crate::grounds::terms::slips;
use std::collections::{BTreeSet, HashSet};

use super::terms::{ContentTerm, bare_name, number_word, pieces, plain, stem, terms};

/// Everything that a text contains: keys of its terms, verbatim tokens and words, numbers written as words.
#[derive(Debug, Default, Clone)]
pub(super) struct Carrier {
    keys: HashSet<String>,
    tokens: BTreeSet<String>,
    words: HashSet<String>,
    /// Plain words in order, for names that blanks or hyphens join.
    row: String,
}

impl Carrier {
    pub(super) fn add(&mut self, text: &str) {
        let clean = plain(text);
        for term in terms(&clean) {
            if !term.word.is_empty() && !term.is_name {
                self.words.insert(term.word.clone());
            }
            if term.is_name {
                self.keys.insert(stem(&term.key));
                self.tokens.insert(term.key.clone());
                self.words.extend(acreta_text::words(&term.key));
                for part in acreta_text::words(&term.key) {
                    self.keys.insert(stem(&part));
                }
            }
            self.keys.insert(term.key);
        }
        for token in pieces(&clean.replace('`', " ")) {
            self.tokens.insert(bare_name(&token));
            let digits: String = token.chars().filter(char::is_ascii_digit).collect();
            if token.starts_with(|one: char| one.is_ascii_digit()) && !digits.is_empty() {
                let number: String = token.chars().take_while(char::is_ascii_digit).collect();
                self.tokens.insert(number);
            }
        }
        self.tokens.extend(chinese_numbers(&clean));
        for word in acreta_text::words(&clean) {
            if let Some(number) = number_word(&word) {
                self.tokens.insert(number.to_owned());
            }
            self.row.push(' ');
            self.row.push_str(&word);
        }
        self.row.push_str(" ;");
    }

    /// Reports whether it contains the term: a name verbatim, a word by its stem.
    pub(super) fn has(&self, term: &ContentTerm) -> bool {
        if term.is_name {
            self.has_name(&term.key)
        } else {
            self.keys.contains(&term.key) || self.tokens.contains(&term.key)
        }
    }

    fn has_name(&self, name: &str) -> bool {
        let inflected = || {
            name.chars().all(char::is_alphabetic)
                && (self.keys.contains(&stem(name))
                    || self
                        .words
                        .iter()
                        .any(|word| word.chars().count() >= 4 && name.starts_with(word.as_str())))
        };
        let as_row = || {
            let parts: Vec<&str> = name.split(['-', '_']).collect();
            parts.len() > 1
                && parts
                    .iter()
                    .all(|part| part.chars().all(char::is_alphanumeric))
                && self.row.contains(&format!(" {} ", parts.join(" ")))
        };
        self.tokens.contains(name)
            || self.tokens.iter().any(|token| {
                token
                    .strip_prefix(name)
                    .is_some_and(|rest| rest.starts_with(['/', '(']))
                    || token
                        .strip_suffix(name)
                        .is_some_and(|rest| rest.ends_with('/'))
                    || token.trim_end_matches("()") == name
            })
            || inflected()
            || as_row()
    }

    /// Reports whether it contains a word that differs in a vowel of its ending (`usem`, `usam`).
    pub(super) fn has_inflected(&self, term: &ContentTerm) -> bool {
        let own: Vec<char> = term.word.chars().collect();
        let is_vowel = |one: char| matches!(one, 'a' | 'e' | 'i' | 'o' | 'u');
        let is_form = |word: &String| {
            let other: Vec<char> = word.chars().collect();
            let mut changed = own
                .iter()
                .zip(&other)
                .enumerate()
                .filter(|(_, (a, b))| a != b);
            own.len() == other.len()
                && changed
                    .all(|(place, (a, b))| place + 2 >= own.len() && is_vowel(*a) && is_vowel(*b))
        };
        !term.is_name && own.len() >= 4 && self.words.iter().any(is_form)
    }

    /// Returns the word that a term is a typo of.
    pub(super) fn misspelt(&self, term: &ContentTerm) -> Option<&str> {
        let length = term.word.chars().count();
        if term.is_name || length < 4 || !term.word.chars().all(char::is_alphabetic) {
            return None;
        }
        let first = term.word.chars().next();
        let allowed = if length >= 8 { 2 } else { 1 };
        let mut words = self
            .words
            .iter()
            .filter(|word| word.chars().next() == first);
        words
            .find(|word| slips(word, &term.word) <= allowed)
            .map(String::as_str)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}

/// Returns numbers up to 999 that a text writes in Chinese characters.
fn chinese_numbers(text: &str) -> Vec<String> {
    const DIGITS: &str = "零一二三四五六七八九";
    let digit = |one: char| DIGITS.chars().position(|known| known == one);
    let is_part = |one: char| digit(one).is_some() || matches!(one, '十' | '百' | '两');
    let mut found = Vec::new();
    for run in text
        .split(|one: char| !is_part(one))
        .filter(|run| !run.is_empty())
    {
        let (mut total, mut last) = (0, 0);
        for one in run.chars() {
            match one {
                '十' => {
                    total += last.max(1) * 10;
                    last = 0;
                }
                '百' => {
                    total += last.max(1) * 100;
                    last = 0;
                }
                '两' => last = 2,
                other => last = digit(other).unwrap_or_default(),
            }
        }
        found.push((total + last).to_string());
    }
    found
}
