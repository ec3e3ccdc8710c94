//! How a title is built: which words say what it is about; the rest is what it says of that. `Use X for Y`,
//! `Y is X` and `Y: X` are about Y. Follows the verb and the small words, and finds nothing without them.

use std::ops::Range;

use crate::hash::hash;
use crate::lexicon::{self, Trait};
use crate::scan::{Gap, Look, Word};

/// A title as it is built.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Frame {
    /// The words as numbers, without those that say little, and with a pause for a comma or a colon.
    pub(crate) words: Vec<u64>,
    /// Something is denied, or the rule only holds before or when something else happens.
    pub(crate) is_bound: bool,
    /// Bits of the words that name the subject; none if it cannot be told.
    subject: u64,
    /// Position of the verb of a title that says what to do.
    act: Option<usize>,
    /// What it says of its subject leaves no room for another answer: `is stored in X`, not `needs X`.
    pub(crate) is_exclusive: bool,
    pub(crate) deed: Deed,
    /// How many of the words end with the verb; none if there is none.
    pub(crate) up_to_verb: Option<usize>,
    /// Says how often: `every night`, `per release`.
    pub(crate) is_frequency: bool,
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
        let verb = verb(words, act, range.end);
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
            deed: Deed::of(verb.map(|at| &words[at])),
            up_to_verb: verb.map(|at| with_pauses(&words[..=at]).len()),
            is_frequency: words.iter().any(|word| {
                matches!(
                    word.text.as_str(),
                    "every" | "each" | "per" | "daily" | "nightly" | "weekly" | "hourly"
                )
            }),
            is_bound: words.iter().any(is_bound),
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

/// The verb of a title: the one that says what to do, or the first behind the subject that says something.
fn verb(words: &[Word], act: Option<usize>, behind: usize) -> Option<usize> {
    if act.is_some() {
        return act;
    }
    let is_linking = |word: &Word| {
        has(word, Trait::Auxiliary) || has(word, Trait::Turn) || is_adverb(&word.text)
    };
    let mut rest = words.iter().enumerate().skip(behind);
    let (at, word) = rest.find(|(_, word)| !is_linking(word))?;
    let is_verb = at == behind
        || has(word, Trait::Verb)
        || word.text.ends_with("ed")
        || word.text.ends_with("en")
        || (has(&words[at - 1], Trait::Auxiliary) && has(word, Trait::Imperative));
    // `are lazy-loaded`; and `is JSON`, where the auxiliary is the verb.
    let is_next = words
        .get(at + 1)
        .is_some_and(|next| next.text.ends_with("ed"));
    Some(match (is_verb, is_next) {
        (true, _) => at,
        (false, true) => at + 1,
        (false, false) => at - 1,
    })
}

/// What a title says is done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Deed {
    /// A verb that takes any object, such as `use`, `is` and `goes`, or none that is known.
    #[default]
    Any,
    /// Something is made or done somehow: another tool may do it.
    Make(u64),
    Other(u64),
}

impl Deed {
    fn of(word: Option<&Word>) -> Self {
        let Some(word) = word.filter(|word| word.look == Look::Word) else {
            return Self::Any;
        };
        let key = lexicon::concept(&word.text).key;
        let is_among = |verbs: &str| {
            let mut verbs = verbs.split(' ');
            verbs.any(|verb| lexicon::concept(verb).key == key)
        };
        if has(word, Trait::Choice) || has(word, Trait::Auxiliary) || is_among(ANY_DEED) {
            Self::Any
        } else if is_among(MAKING) {
            Self::Make(key)
        } else {
            Self::Other(key)
        }
    }

    /// Whether two titles may speak of one deed.
    pub(crate) fn may_be(self, other: Self) -> bool {
        match (self, other) {
            (Self::Any, Self::Any | Self::Make(_)) | (Self::Make(_), Self::Any) => true,
            (one, other) => one == other,
        }
    }
}

const ANY_DEED: &str =
    "go come live belong put set take have stay move switch do happen rely default is";

const MAKING: &str =
    "write build store run serve handle manage host send deploy implement process create make keep";

/// Stands between an auxiliary and its verb.
fn is_adverb(text: &str) -> bool {
    matches!(
        text,
        "not" | "be" | "been" | "also" | "only" | "no" | "longer" | "all"
    )
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
        let is_filler = has(word, Trait::Determiner) || has(word, Trait::Turn);
        if !is_filler && !matches!(word.text.as_str(), "always" | "please" | "from") {
            numbers.push(key_of(word));
        }
    }
    numbers
}

/// One number for all forms of a word; a word that denies keeps its own.
fn key_of(word: &Word) -> u64 {
    if let Some(digits) = lexicon::number_word(&word.text) {
        return hash(digits);
    }
    let concept = lexicon::concept(&word.text);
    if concept.is_negative || word.look != Look::Word {
        hash(&word.text)
    } else {
        concept.key
    }
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

fn is_bound(word: &Word) -> bool {
    matches!(
        word.text.as_str(),
        "not" | "no" | "never" | "without" | "cannot" | "before" | "when" | "if" | "avoid"
    ) || word.text.ends_with("n't")
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
