//! Queries and their parsing. Any text is a valid query: unbalanced quotes, only punctuation, a megabyte of text.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use acreta_store::Trust;
use acreta_types::MemoryType;

use crate::Status;
use crate::tokens::{self, IndexWord, WordKind};
use crate::weights::{QUERY_BYTES, QUERY_WORDS};

/// A question to the index.
#[derive(Debug, Clone)]
pub struct Query {
    /// Words, `"phrases in quotes"` and `prefix*`.
    pub text: String,
    /// Maximum number of hits.
    pub limit: usize,
    pub filter: Filter,
    /// Recorded accesses, by memory id.
    pub accesses: Accesses,
    /// Adds an explanation of the score to each hit.
    pub explain: bool,
    /// Do not use a model.
    pub words_only: bool,
}

/// Restricts the memories to search. An empty set means any, except for `statuses`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    pub types: BTreeSet<MemoryType>,
    pub kinds: BTreeSet<String>,
    /// All of these must be present.
    pub tags: BTreeSet<String>,
    pub agents: BTreeSet<String>,
    /// Updated at this time or later, in milliseconds since 1970.
    pub since_ms: Option<i64>,
    /// Updated before this time.
    pub until_ms: Option<i64>,
    pub trusts: BTreeSet<Trust>,
    /// If empty, only memories that are in force.
    pub statuses: BTreeSet<Status>,
}

/// Access statistics of a memory.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Access {
    /// 0 if it was never accessed.
    pub count: u64,
    pub last_ms: i64,
    /// Usefulness when offered to agents, from −1 (people rejected it) to 1 (always used).
    pub helped: f32,
}

/// Accesses by memory id.
pub type Accesses = BTreeMap<String, Access>;

impl Query {
    /// Creates a query for the ten best matches, without archived and superseded memories.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            limit: 10,
            filter: Filter::default(),
            accesses: Accesses::new(),
            explain: false,
            words_only: false,
        }
    }
}

/// A parsed query.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ParsedQuery {
    /// Distinct words in order.
    pub(crate) words: Vec<QueryWord>,
    /// Each is a sequence of two or more words, or a single exact word.
    pub(crate) phrases: Vec<Vec<String>>,
    /// The query asks for a point in time.
    pub(crate) asks_time: bool,
    /// The query asks for events rather than for the current state.
    pub(crate) asks_history: bool,
}

/// One word of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct QueryWord {
    /// As typed, in lower case.
    pub(crate) word: String,
    /// The indexed form.
    pub(crate) term: String,
    pub(crate) completion: WordCompletion,
}

/// Completion mode of a query word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WordCompletion {
    Whole,
    /// The last word may be incomplete: completed if no passage contains it.
    Last,
    /// Written with a star.
    Start,
}

/// Maximum number of phrases, and of words per phrase.
const PHRASES: usize = 4;
const PHRASE_WORDS: usize = 16;

/// Maximum length of a query that a person types.
const TYPED_WORDS: usize = 24;

/// Maximum number of words that are looked up.
const LOOKED_UP: usize = 8 * QUERY_WORDS;

pub(crate) fn parse(text: &str) -> ParsedQuery {
    let text = acreta_text::head(text, QUERY_BYTES);
    let words = tokens::words(text);
    let meaningful =
        |word: &IndexWord| word.kind == WordKind::Whole || !acreta_text::is_stop_word(&word.text);
    let any = words.iter().any(&meaningful);
    let last = words.len().checked_sub(1);

    let mut known = HashSet::new();
    let mut asked = Vec::new();
    for (index, word) in words.iter().enumerate() {
        if (any && !meaningful(word)) || asked.len() == LOOKED_UP {
            continue;
        }
        let term = word.term();
        if known.insert(term.clone()) {
            let completion = if text[word.range.end..].starts_with('*') {
                WordCompletion::Start
            } else if Some(index) == last {
                WordCompletion::Last
            } else {
                WordCompletion::Whole
            };
            asked.push(QueryWord {
                word: word.text.clone(),
                term,
                completion,
            });
        }
    }
    ParsedQuery {
        phrases: if is_typed(text, words.len()) {
            phrases(text)
        } else {
            Vec::new()
        },
        asks_time: tokens::asks_for_a_time(&words),
        asks_history: tokens::asks_what_happened(&words),
        words: asked,
    }
}

/// Reports whether quotes in a text mark phrases. In a prompt, an issue or a log they do not, and requiring the quoted
/// text finds nothing.
fn is_typed(text: &str, words: usize) -> bool {
    words <= TYPED_WORDS && !text.trim().contains('\n')
}

/// Returns the texts between quotes; ignores an unclosed quote.
fn phrases(text: &str) -> Vec<Vec<String>> {
    let pieces: Vec<&str> = text.split('"').collect();
    let closed = pieces.len() - (pieces.len() + 1) % 2;
    pieces[..closed]
        .iter()
        .skip(1)
        .step_by(2)
        .map(|phrase| acreta_text::words(phrase).take(PHRASE_WORDS).collect())
        .filter(|phrase: &Vec<String>| !phrase.is_empty())
        .take(PHRASES)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_is_a_query() {
        let cases: &[(&str, &[&str], usize)] = &[
            ("", &[], 0),
            ("?!\"*()[]{}^~\\", &[], 0),
            ("where is the retry budget", &["retri", "budget"], 0),
            ("to be or not to be", &["to", "be", "or", "not"], 0),
            ("\"retry budget\" three", &["retri", "budget", "three"], 1),
            ("\"open", &["open"], 0),
            (
                "it says \"disk full\"\nand stops",
                &["say", "disk", "full", "stop"],
                0,
            ),
            ("a \"b c\" \"x", &["b", "c", "x"], 1),
            ("\"\" \" \" x", &["x"], 0),
        ];
        for (text, terms, phrases) in cases {
            let parsed = parse(text);
            let found: Vec<&str> = parsed.words.iter().map(|word| word.term.as_str()).collect();
            assert_eq!(&found, terms, "{text}");
            assert_eq!(parsed.phrases.len(), *phrases, "{text}");
        }
    }

    #[test]
    fn the_last_word_and_starred_words_may_go_on() {
        let completions = |text: &str| -> Vec<WordCompletion> {
            parse(text)
                .words
                .iter()
                .map(|word| word.completion)
                .collect()
        };
        use WordCompletion::{Last, Start, Whole};
        assert_eq!(completions("index data"), [Whole, Last]);
        assert_eq!(completions("ind* data* x"), [Start, Start, Last]);
    }

    #[test]
    fn a_long_query_is_cut() {
        let long: String = (0..200_000)
            .map(|number| format!("word{number} "))
            .collect();
        assert!(parse(&long).words.len() <= LOOKED_UP);
        assert_eq!(parse(&"x".repeat(1 << 20)).words.len(), 0);
    }
}
