//! What is asked, and how a line of text becomes something to look for. Any text is a query:
//! quotes without an end, only punctuation, a megabyte of it.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use acreta_model::MemoryType;
use acreta_store::Trust;

use crate::Status;
use crate::tokens::{self, Word, WordKind};
use crate::weights::{QUERY_BYTES, QUERY_WORDS};

/// A question to the index.
#[derive(Debug, Clone)]
pub struct Query {
    /// Words; `"words in this order"`; `start*` of a word.
    pub text: String,
    /// Most hits.
    pub limit: usize,
    pub filter: Filter,
    /// What is known of accesses, by memory id.
    pub accesses: Accesses,
    /// Whether each hit says how its score came about.
    pub explain: bool,
    /// Set to ask no model.
    pub words_only: bool,
}

/// Which memories may be found. An empty set means any, but for the statuses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    pub types: BTreeSet<MemoryType>,
    pub kinds: BTreeSet<String>,
    /// All of these.
    pub tags: BTreeSet<String>,
    pub agents: BTreeSet<String>,
    /// Updated at this time or later, in milliseconds since 1970.
    pub since_ms: Option<i64>,
    /// Updated before this time.
    pub until_ms: Option<i64>,
    pub trusts: BTreeSet<Trust>,
    /// Empty for those that hold.
    pub statuses: BTreeSet<Status>,
}

/// How often a memory was asked for, and when last.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Access {
    /// Nobody asked for it if 0.
    pub count: u64,
    pub last_ms: i64,
    /// How far offering it to agents helped, from −1 (people rejected it) to 1 (it was always used).
    pub helped: f32,
}

/// Accesses by memory id.
pub type Accesses = BTreeMap<String, Access>;

impl Query {
    /// The ten best for a text, without archived and superseded memories.
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

/// A query taken apart.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Parsed {
    /// Distinct, in their order.
    pub(crate) words: Vec<Asked>,
    /// Each two or more words in this order, or a single one exactly as it is.
    pub(crate) phrases: Vec<Vec<String>>,
    /// Whether it asks for a point in time.
    pub(crate) asks_time: bool,
    /// It asks for events rather than for what holds.
    pub(crate) asks_history: bool,
}

/// One word that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    /// As it was typed, in lower case.
    pub(crate) word: String,
    /// As it is indexed.
    pub(crate) term: String,
    pub(crate) completion: Completion,
}

/// Whether a word may be the start of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Completion {
    Whole,
    /// The last word may not be typed to its end: completed when nothing has it as it is.
    Last,
    /// It was written with a star.
    Start,
}

/// Most phrases of a query, and most words of one.
const PHRASES: usize = 4;
const PHRASE_WORDS: usize = 16;

/// Words of the longest line that somebody types to search.
const TYPED_WORDS: usize = 24;

/// More words than this are not even looked up.
const LOOKED_UP: usize = 8 * QUERY_WORDS;

pub(crate) fn parse(text: &str) -> Parsed {
    let text = acreta_text::head(text, QUERY_BYTES);
    let words = tokens::words(text);
    let meaningful =
        |word: &Word| word.kind == WordKind::Whole || !acreta_text::is_stop_word(&word.text);
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
                Completion::Start
            } else if Some(index) == last {
                Completion::Last
            } else {
                Completion::Whole
            };
            asked.push(Asked {
                word: word.text.clone(),
                term,
                completion,
            });
        }
    }
    Parsed {
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

/// Reports whether quotes in a text are a person's way to ask for a phrase. In a prompt, an issue or a log they are not,
/// and requiring what stands between them finds nothing.
fn is_typed(text: &str, words: usize) -> bool {
    words <= TYPED_WORDS && !text.trim().contains('\n')
}

/// What stands between quotes; a quote without an end is none.
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
        let completions = |text: &str| -> Vec<Completion> {
            parse(text)
                .words
                .iter()
                .map(|word| word.completion)
                .collect()
        };
        use Completion::{Last, Start, Whole};
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
