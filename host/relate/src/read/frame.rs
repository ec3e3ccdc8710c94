//! Structure of a title: which words are its subject; the rest is said about it. `Use X for Y`, `Y is X` and `Y: X` are
//! about Y. Uses the verb and the small words, and finds nothing without them.

use std::ops::Range;

use crate::hash::hash;
use crate::lexicon::{self, Trait};
use crate::scan::{Gap, ScannedWord, WordLook};

/// Structure of a title.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TitleFrame {
    /// Hashes of the words, with a pause for a comma or a colon.
    pub(crate) words: Vec<u64>,
    /// Bits of the words that name the subject; zero if it is not known.
    subject: u64,
    /// Position of the verb in an imperative title.
    act: Option<usize>,
    /// Excludes another answer about its subject: `is stored in X`, not `needs X`.
    pub(crate) is_exclusive: bool,
    /// Says what to use: `use X for Y`.
    pub(crate) is_choice: bool,
    /// Lists steps in order: `A, then B`.
    pub(crate) is_sequence: bool,
}

/// Represents a comma or a colon between the words of a frame.
pub(crate) const PAUSE: u64 = 0;

impl TitleFrame {
    pub(super) fn of(words: &[ScannedWord]) -> Self {
        let (range, act) = subject(words);
        let mut subject = range.clone().map(bit).fold(0, |bits, bit| bits | bit);
        let mut is_purpose = false;
        for (at, word) in words.iter().enumerate().skip(range.end) {
            is_purpose = opens_a_purpose(&word.text)
                || (is_purpose && word.gap == Gap::Space && !has(word, Trait::Link));
            if is_purpose {
                subject |= bit(at);
            }
        }
        let is_open = topic(words).is_some() || words.iter().any(is_open);
        Self {
            words: with_pauses(words),
            subject,
            act,
            is_choice: act.is_some_and(|at| has(&words[at], Trait::Choice)),
            is_exclusive: !is_open,
            is_sequence: words.iter().any(|word| word.text == "then"),
        }
    }

    pub(crate) fn is_subject(&self, word: usize) -> bool {
        self.subject & bit(word) != 0
    }

    /// Returns true if the word is the verb of an imperative title.
    pub(crate) fn is_act(&self, word: usize) -> bool {
        self.act == Some(word)
    }
}

/// Returns the positions of the subject, and of the verb if the title is an imperative.
fn subject(words: &[ScannedWord]) -> (Range<usize>, Option<usize>) {
    let start = words
        .iter()
        .position(|word| !is_opening(&word.text))
        .unwrap_or(words.len());
    if let Some(at) = finite_verb(words, start) {
        return if is_person(&words[start..at]) {
            (of_an_act(words, at), Some(at))
        } else {
            (start..at, None)
        };
    }
    let says_what_to_do = words.get(start).is_some_and(|first| {
        start > 0 || has(first, Trait::Imperative) || first.text.ends_with("ing")
    });
    if says_what_to_do {
        return (of_an_act(words, start), Some(start));
    }
    let range = match topic(words) {
        Some(end) => 0..end,
        None => behind(words, 0),
    };
    (range, None)
}

/// Returns the first finite verb after a subject.
fn finite_verb(words: &[ScannedWord], start: usize) -> Option<usize> {
    for (at, pair) in words.windows(2).enumerate().skip(start) {
        let [before, word] = pair else { continue };
        if word.gap > Gap::Comma || has(word, Trait::Boundary) {
            return None;
        }
        if word.look != WordLook::Word {
            continue;
        }
        let is_noun =
            has(before, Trait::Determiner) || has(before, Trait::Link) || before.text == "of";
        let has_object = || {
            let next = words.get(at + 2);
            word.text.ends_with('s') && next.is_some_and(|next| has(next, Trait::Determiner))
        };
        if has(word, Trait::Auxiliary)
            || word.text.ends_with("n't")
            || (!is_noun && (has(word, Trait::Verb) || has_object()))
        {
            return Some(at + 1);
        }
    }
    None
}

/// Returns the object of the verb at this position.
fn of_an_act(words: &[ScannedWord], verb: usize) -> Range<usize> {
    if has(&words[verb], Trait::Choice) {
        return behind(words, verb + 1);
    }
    let start = verb + 1;
    let length = words[start..]
        .iter()
        .take_while(|word| word.gap == Gap::Space && !has(word, Trait::Link))
        .count();
    if length > 0 {
        start..start + length
    } else {
        verb..start
    }
}

/// Returns what follows the first word for a purpose or place.
fn behind(words: &[ScannedWord], start: usize) -> Range<usize> {
    let place = words[start..]
        .iter()
        .position(|word| has(word, Trait::Place));
    match place {
        Some(at) => start + at + 1..words.len(),
        None => 0..0,
    }
}

/// Returns the number of words before a colon.
fn topic(words: &[ScannedWord]) -> Option<usize> {
    (1..words.len()).find(|at| words[*at].gap == Gap::Clause)
}

fn with_pauses(words: &[ScannedWord]) -> Vec<u64> {
    let mut numbers = Vec::with_capacity(words.len());
    for word in words {
        if word.gap > Gap::Space && !numbers.is_empty() {
            numbers.push(PAUSE);
        }
        numbers.push(hash(&word.text));
    }
    numbers
}

/// Returns true if the words name a person, who is never the subject of a title.
fn is_person(words: &[ScannedWord]) -> bool {
    let mut named = words.iter().filter(|word| word.text != "the");
    let first = named.next().map_or("", |word| word.text.as_str());
    named.next().is_none() && matches!(first, "user" | "we" | "i" | "team" | "everyone" | "you")
}

fn is_opening(text: &str) -> bool {
    matches!(text, "never" | "always" | "do" | "not" | "don't" | "please")
}

fn opens_a_purpose(text: &str) -> bool {
    matches!(
        text,
        "for" | "between" | "during" | "when" | "if" | "unless" | "where" | "per"
    )
}

fn is_open(word: &ScannedWord) -> bool {
    has(word, Trait::Open) || word.text.ends_with("n't")
}

fn has(word: &ScannedWord, one: Trait) -> bool {
    lexicon::traits(&word.text).has(one)
}

/// Returns the bit of a word. Words beyond the width have none.
fn bit(word: usize) -> u64 {
    u32::try_from(word)
        .ok()
        .and_then(|word| 1_u64.checked_shl(word))
        .unwrap_or(0)
}
