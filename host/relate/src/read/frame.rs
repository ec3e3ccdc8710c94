//! How a title is built: which words say what it is about; the rest is what it says of that. `Use X for Y`,
//! `Y is X` and `Y: X` are about Y. Follows the verb and the small words, and finds nothing without them.

use std::ops::Range;

use crate::hash::hash;
use crate::lexicon::{self, Trait};
use crate::scan::{Gap, Look, Word};

/// A title as it is built.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Frame {
    /// The words as numbers, with a pause for a comma or a colon.
    pub(crate) words: Vec<u64>,
    /// Bits of the words that name the subject; none if it cannot be told.
    subject: u64,
    /// Position of the verb of a title that says what to do.
    act: Option<usize>,
    /// What it says of its subject leaves no room for another answer: `is stored in X`, not `needs X`.
    pub(crate) is_exclusive: bool,
    /// It says what to use: `use X for Y`.
    pub(crate) is_choice: bool,
    /// It tells steps in their order: `A, then B`.
    pub(crate) is_sequence: bool,
}

/// Stands for a comma or a colon between the words of a frame.
pub(crate) const PAUSE: u64 = 0;

impl Frame {
    pub(super) fn of(words: &[Word]) -> Self {
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

    /// Whether it is the verb of a title that says what to do.
    pub(crate) fn is_act(&self, word: usize) -> bool {
        self.act == Some(word)
    }
}

/// Positions of the words that name the subject, and of the verb if the title says what to do.
fn subject(words: &[Word]) -> (Range<usize>, Option<usize>) {
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

/// The first verb that says something of what stands before it.
fn finite_verb(words: &[Word], start: usize) -> Option<usize> {
    for (at, pair) in words.windows(2).enumerate().skip(start) {
        let [before, word] = pair else { continue };
        if word.gap > Gap::Comma || has(word, Trait::Boundary) {
            return None;
        }
        if word.look != Look::Word {
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

/// What is acted on, with the verb at this position.
fn of_an_act(words: &[Word], verb: usize) -> Range<usize> {
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

/// What follows the first word that says what something is for or where it is.
fn behind(words: &[Word], start: usize) -> Range<usize> {
    let place = words[start..]
        .iter()
        .position(|word| has(word, Trait::Place));
    match place {
        Some(at) => start + at + 1..words.len(),
        None => 0..0,
    }
}

/// How many words stand before a colon.
fn topic(words: &[Word]) -> Option<usize> {
    (1..words.len()).find(|at| words[*at].gap == Gap::Clause)
}

fn with_pauses(words: &[Word]) -> Vec<u64> {
    let mut numbers = Vec::with_capacity(words.len());
    for word in words {
        if word.gap > Gap::Space && !numbers.is_empty() {
            numbers.push(PAUSE);
        }
        numbers.push(hash(&word.text));
    }
    numbers
}

/// Whoever wants or uses something is not what the title is about.
fn is_person(words: &[Word]) -> bool {
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

fn is_open(word: &Word) -> bool {
    has(word, Trait::Open) || word.text.ends_with("n't")
}

fn has(word: &Word, one: Trait) -> bool {
    lexicon::traits(&word.text).has(one)
}

/// Words beyond the width are left out.
fn bit(word: usize) -> u64 {
    u32::try_from(word)
        .ok()
        .and_then(|word| 1_u64.checked_shl(word))
        .unwrap_or(0)
}
