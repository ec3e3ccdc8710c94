//! Expands the words of a query to index terms. A word in the index stands for itself; an unknown word may be
//! incomplete or mistyped, and is replaced by its closest matches. Synonyms count a little.

use std::collections::HashMap;

use tantivy::schema::Field;
use tantivy::{Searcher, Term};

use crate::query::{ParsedQuery, QueryWord, WordCompletion};
use crate::weights::{
    GUESSED_WORD, GUESSES, QUERY_WORDS, SYNONYM, SYNONYM_QUERY_WORDS, TYPO_CHARACTERS,
};

/// The fields of an index that are searched by words.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextFields {
    /// Terms of a passage.
    pub(crate) text: Field,
    /// Plain words in order: the dictionary for corrections.
    pub(crate) words: Field,
}

/// A term to search for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct QueryTerm {
    pub(crate) term: String,
    pub(crate) weight: f32,
    /// Number of passages that contain it.
    frequency: u64,
}

/// Maximum number of words of a query that are corrected.
const TYPOS: usize = 4;

/// Maximum number of dictionary words that are read per guessed word.
const DICTIONARY_WORDS: usize = 200_000;

/// Minimum length of a prefix that is completed.
const START_CHARACTERS: usize = 2;

/// Returns the terms of a query that occur in the index; if there are too many, the rarest ones.
pub(crate) fn expand(
    searcher: &Searcher,
    fields: TextFields,
    parsed: &ParsedQuery,
) -> tantivy::Result<Vec<QueryTerm>> {
    let mut terms = Terms::default();
    let mut unknown = Vec::new();
    for asked in &parsed.words {
        let frequency = searcher.doc_freq(&Term::from_field_text(fields.text, &asked.term))?;
        terms.add(&asked.term, 1.0, frequency);
        let completes = match asked.completion {
            WordCompletion::Start => true,
            WordCompletion::Last => frequency == 0,
            WordCompletion::Whole => false,
        };
        let mut completed = false;
        if completes && asked.word.chars().count() >= START_CHARACTERS {
            for word in completions(searcher, fields, &asked.word)? {
                completed |= terms.guess(searcher, fields, &word)?;
            }
        }
        if frequency == 0 && !completed && may_be_mistyped(asked) {
            unknown.push(asked.word.as_str());
        }
    }
    if parsed.words.len() <= SYNONYM_QUERY_WORDS {
        let synonyms = |asked: &QueryWord| acreta_text::synonyms(&asked.term);
        for term in parsed.words.iter().flat_map(synonyms) {
            let frequency = searcher.doc_freq(&Term::from_field_text(fields.text, term))?;
            terms.add(term, SYNONYM, frequency);
        }
    }
    // One unknown word among many known ones is probably not a typing error.
    if unknown.len() * 2 >= parsed.words.len() {
        for word in unknown.into_iter().take(TYPOS) {
            for word in corrections(searcher, fields, word)? {
                terms.guess(searcher, fields, &word)?;
            }
        }
    }
    let mut terms = terms.terms;
    if terms.len() > QUERY_WORDS {
        terms.sort_by(|left, right| {
            (left.frequency, &left.term).cmp(&(right.frequency, &right.term))
        });
        terms.truncate(QUERY_WORDS);
    }
    Ok(terms)
}

#[derive(Default)]
struct Terms {
    terms: Vec<QueryTerm>,
}

impl Terms {
    fn add(&mut self, term: &str, weight: f32, frequency: u64) -> bool {
        if frequency == 0 || self.terms.iter().any(|known| known.term == term) {
            return false;
        }
        self.terms.push(QueryTerm {
            term: term.to_owned(),
            weight,
            frequency,
        });
        true
    }

    fn guess(
        &mut self,
        searcher: &Searcher,
        fields: TextFields,
        word: &str,
    ) -> tantivy::Result<bool> {
        let term = acreta_text::stem(word).into_owned();
        let frequency = searcher.doc_freq(&Term::from_field_text(fields.text, &term))?;
        Ok(self.add(&term, GUESSED_WORD, frequency))
    }
}

/// Excludes numbers: a different number is not a typing error.
fn may_be_mistyped(asked: &QueryWord) -> bool {
    asked.word.chars().count() >= TYPO_CHARACTERS && asked.word.chars().all(char::is_alphabetic)
}

/// Returns the most frequent words with this prefix.
fn completions(
    searcher: &Searcher,
    fields: TextFields,
    start: &str,
) -> tantivy::Result<Vec<String>> {
    let mut found = HashMap::new();
    for reader in searcher.segment_readers() {
        let inverted = reader.inverted_index(fields.words)?;
        let mut stream = inverted.terms().range().ge(start).into_stream()?;
        let mut read = 0;
        while read < DICTIONARY_WORDS && stream.advance() {
            read += 1;
            if !stream.key().starts_with(start.as_bytes()) {
                break;
            }
            count(&mut found, stream.key(), stream.value().doc_freq);
        }
    }
    Ok(commonest(found))
}

/// Returns the most frequent words one typing error away. Assumes that the first letter is right: errors there are
/// rare, and this limits the search to a small part of the dictionary.
fn corrections(
    searcher: &Searcher,
    fields: TextFields,
    word: &str,
) -> tantivy::Result<Vec<String>> {
    let typed: Vec<char> = word.chars().collect();
    let start: String = typed.iter().take(1).collect();
    let mut found = HashMap::new();
    let mut candidate = Vec::new();
    for reader in searcher.segment_readers() {
        let inverted = reader.inverted_index(fields.words)?;
        let mut stream = inverted.terms().range().ge(&start).into_stream()?;
        let mut read = 0;
        while read < DICTIONARY_WORDS && stream.advance() {
            read += 1;
            if !stream.key().starts_with(start.as_bytes()) {
                break;
            }
            let Ok(word) = std::str::from_utf8(stream.key()) else {
                continue;
            };
            candidate.clear();
            candidate.extend(word.chars());
            if is_one_error_away(&typed, &candidate) {
                count(&mut found, stream.key(), stream.value().doc_freq);
            }
        }
    }
    Ok(commonest(found))
}

fn count(found: &mut HashMap<String, u32>, key: &[u8], frequency: u32) {
    if let Ok(word) = std::str::from_utf8(key) {
        *found.entry(word.to_owned()).or_default() += frequency;
    }
}

fn commonest(found: HashMap<String, u32>) -> Vec<String> {
    let mut words: Vec<(String, u32)> = found.into_iter().collect();
    words.sort_by(|(left, more), (right, less)| less.cmp(more).then_with(|| left.cmp(right)));
    words.truncate(GUESSES);
    words.into_iter().map(|(word, _)| word).collect()
}

/// Reports whether one letter is added, missing or wrong, or two neighbours are swapped.
fn is_one_error_away(left: &[char], right: &[char]) -> bool {
    if left.len().abs_diff(right.len()) > 1 {
        return false;
    }
    let same = left
        .iter()
        .zip(right)
        .take_while(|(left, right)| left == right)
        .count();
    let (left, right) = (&left[same..], &right[same..]);
    match left.len().cmp(&right.len()) {
        std::cmp::Ordering::Less => left == &right[1..],
        std::cmp::Ordering::Greater => &left[1..] == right,
        std::cmp::Ordering::Equal => match (left, right) {
            ([], []) => false,
            ([_, left @ ..], [_, right @ ..]) if left == right => true,
            ([a, b, left @ ..], [c, d, right @ ..]) => a == d && b == c && left == right,
            _ => false,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_typing_error_is_seen() {
        let cases = [
            ("database", "databse", true),
            ("database", "dattabase", true),
            ("database", "datebase", true),
            ("database", "databaes", true),
            ("database", "xatabase", true),
            ("database", "database", false),
            ("database", "dtabse", false),
            ("database", "abdatase", false),
            ("größe", "grösse", false),
            ("größe", "grüße", true),
            ("", "", false),
        ];
        for (left, right, expected) in cases {
            let (left, right): (Vec<char>, Vec<char>) =
                (left.chars().collect(), right.chars().collect());
            assert_eq!(
                is_one_error_away(&left, &right),
                expected,
                "{left:?} {right:?}"
            );
            assert_eq!(
                is_one_error_away(&right, &left),
                expected,
                "{right:?} {left:?}"
            );
        }
    }
}
