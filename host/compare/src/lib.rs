//! Classifies the relation of two memory statements: same, update, contradiction, similar or unrelated. Pure and
//! deterministic: no disk, no clock, no randomness, and no word of any language.
//!
//! Words alone prove three things, in any script; only these are certain, and only what is certain changes memory:
//!
//! - **Same**: the tokens are the same, so the texts differ in case, punctuation and markup at most (see `token`); or
//!   under the same title the newer repeats sentences of the older and says nothing else.
//! - **Update**: under the same title the newer has every sentence of the older, and more.
//! - **Contradiction**: the tokens are the same but for one number at the end of its sentence (`kept for 15 days` →
//!   `kept for 30 days`), or the newer has all tokens of the older and a second value beside the first (`on 9090 instead
//!   of 8080`).
//!
//! A word too many is never the same: it may be `not`, `nicht` or `不`, and nothing here can tell. Such a pair, and one
//! that differs in a name, is an uncertain contradiction: a person sees both and decides. Everything else is similar or
//! unrelated, by the share of common words, and is left to a model or to a person.

mod relation;
mod statement;
mod token;

pub use relation::{Judgement, Relation};
pub use statement::{Statement, comparable_words};

use token::{Mark, Token, is_unspaced};

/// Judges the relation of `newer` to `older`.
///
/// Statements of different types are never the same nor an update, but one that a person lays down can contradict
/// another: a decision may be revoked by a convention. From `update_overlap` on, a newer statement that contains
/// everything the older does, and more, is an update, and one that repeats a part of it is the same.
pub fn relate(older: &Statement, newer: &Statement, update_overlap: f64) -> Judgement {
    let overlap = older.overlap(newer);
    let (relation, is_certain, reason) = compared(older, newer, overlap >= update_overlap);
    Judgement {
        relation,
        overlap,
        is_certain,
        reason,
    }
}

type Compared = (Relation, bool, &'static str);

fn compared(older: &Statement, newer: &Statement, may_update: bool) -> Compared {
    let same_type = older.memory_type() == newer.memory_type();
    if same_type {
        if is_same_text(older, newer) {
            return (Relation::Same, true, "the words are the same");
        }
        let same_title = has_same_tokens(&older.title, &newer.title);
        if same_title {
            // Nothing is lost, however much more the older says.
            if has_all_sentences(older, newer) {
                return (
                    Relation::Same,
                    true,
                    "the newer says nothing that the older does not",
                );
            }
            if may_update && has_all_sentences(newer, older) {
                return (
                    Relation::Update,
                    true,
                    "the newer has all of the older, and more",
                );
            }
        }
    }
    if (same_type || older.is_norm && newer.is_norm)
        && let Some((is_certain, reason)) = contradiction(older, newer)
    {
        return (Relation::Contradiction, is_certain, reason);
    }
    let nearness = older.overlap(newer).max(older.title_overlap(newer));
    match nearness {
        nearness if nearness < SAME_AREA => (Relation::Unrelated, false, "they share little"),
        _ if !same_type => (Relation::Similar, false, "they are of different types"),
        _ => (
            Relation::Similar,
            false,
            "the same area, but not the same words",
        ),
    }
}

/// Below this share of common words two statements are unrelated.
const SAME_AREA: f64 = 0.18;

/// Minimum number of common tokens of two statements that differ in one value only.
const FRAME: usize = 2;

/// Like [`FRAME`], for a certain judgement.
const CERTAIN_FRAME: usize = 3;

/// Maximum number of words that one statement has more than the other for a contradiction.
const EXTRA_WORDS: usize = 2;

/// Maximum number of words between the new value and the old one if a statement names both.
const BESIDE: usize = 3;

/// Minimum share of common words of two statements that name different values in different sentences.
const NEAR_FRAME: f64 = 0.4;

/// Minimum share of common words if one statement names both values beside each other: that alone says much.
const BESIDE_FRAME: f64 = 0.1;

fn is_same_text(older: &Statement, newer: &Statement) -> bool {
    has_same_tokens(&older.said, &newer.said)
        && are_titles_compatible(older, newer, None)
        && !older.said.is_empty()
}

/// Reports whether two statements have the same subject as far as their titles tell. A quote may leave out its subject
/// (`Always do that.`): then only its title names it.
fn are_titles_compatible(
    older: &Statement,
    newer: &Statement,
    exchanged: Option<(&str, &str)>,
) -> bool {
    older.names_subject && newer.names_subject
        || older.title.len() == newer.title.len()
            && older.title.iter().zip(&newer.title).all(|(one, other)| {
                one.text == other.text
                    || exchanged == Some((one.text.as_str(), other.text.as_str()))
            })
}

fn has_same_tokens(left: &[Token], right: &[Token]) -> bool {
    left.len() == right.len()
        && left
            .iter()
            .zip(right)
            .all(|(left, right)| left.text == right.text)
}

/// Reports whether `whole` contains every sentence of `part`'s body.
fn has_all_sentences(whole: &Statement, part: &Statement) -> bool {
    part.body.iter().all(|sentence| {
        let mut sentences = whole.body.iter();
        sentences.any(|other| has_same_tokens(sentence, other))
    })
}

/// Reports whether two statements cannot both hold, or that a person should look: certainty and reason.
fn contradiction(older: &Statement, newer: &Statement) -> Option<(bool, &'static str)> {
    const ONE_VALUE: &str = "they differ in one name or number";
    const FEW_WORDS: &str = "they differ in a word or two";
    let (old, new) = (&older.said, &newer.said);
    if let Some((from, to)) = exchanged(old, new)
        && are_titles_compatible(older, newer, Some((&from.text, &to.text)))
    {
        let is_certain = from.mark == Some(Mark::Number)
            && frame(old) > CERTAIN_FRAME
            && is_late(older, &from.text);
        return Some((is_certain, ONE_VALUE));
    }
    if are_titles_compatible(older, newer, None) {
        if names_second_value(old, new) {
            return Some((true, "the newer names another value beside the older one's"));
        }
        if has_few_extra_words(old, new) || has_few_extra_words(new, old) {
            return Some((false, FEW_WORDS));
        }
    }
    if !older.is_quote && !newer.is_quote {
        let (old, new) = (&older.title, &newer.title);
        if exchanged(old, new).is_some() {
            return Some((false, ONE_VALUE));
        }
        if has_few_extra_words(old, new) || has_few_extra_words(new, old) {
            return Some((false, FEW_WORDS));
        }
    }
    other_value(older, newer).then_some((
        false,
        "they name different values for what may be one subject",
    ))
}

/// Returns the name or number of each list of tokens, if these differ in nothing else.
fn exchanged<'a>(old: &'a [Token], new: &'a [Token]) -> Option<(&'a Token, &'a Token)> {
    if old.len() != new.len() {
        return None;
    }
    let mut pairs = old
        .iter()
        .zip(new)
        .filter(|(old, new)| old.text != new.text);
    let (from, to) = pairs.next()?;
    let is_same_kind = from.mark.is_some() && from.mark == to.mark;
    let rest: Vec<_> = pairs.collect();
    let is_same_pair = |(old, new): &(&Token, &Token)| old.text == from.text && new.text == to.text;
    (is_same_kind && rest.iter().all(is_same_pair) && frame(old) > FRAME + rest.len())
        .then_some((from, to))
}

/// Reports whether `longer` has all tokens of `shorter` in order, and one or two words more.
fn has_few_extra_words(shorter: &[Token], longer: &[Token]) -> bool {
    let is_word = |at: &usize| longer[*at].mark.is_none();
    frame(shorter) >= CERTAIN_FRAME
        && longer.len() <= shorter.len() + EXTRA_WORDS
        && extra_tokens(shorter, longer).is_some_and(|extra| extra.iter().all(is_word))
}

/// Reports whether a value is the last word of its sentence or the last but one, wherever it stands. Earlier, a number
/// is often part of the subject (`Python 3.9 fails on …`, `HTTP 404 is cached`), and two such statements may both hold.
fn is_late(statement: &Statement, value: &str) -> bool {
    let title: &[Vec<Token>] = match statement.is_quote {
        true => &[],
        false => std::slice::from_ref(&statement.title),
    };
    let mut sentences = title.iter().chain(&statement.body);
    sentences.all(|sentence| {
        let mut places = sentence.iter().enumerate();
        places.all(|(at, token)| token.text != value || frame(&sentence[at + 1..]) <= 1)
    })
}

/// Returns the positions of the tokens that `longer` has more than `shorter`, if it has all of the latter in order.
fn extra_tokens(shorter: &[Token], longer: &[Token]) -> Option<Vec<usize>> {
    let mut rest = shorter.iter().peekable();
    let mut extra = Vec::new();
    for (at, token) in longer.iter().enumerate() {
        if rest.next_if(|next| next.text == token.text).is_none() {
            extra.push(at);
        }
    }
    (rest.next().is_none() && !extra.is_empty()).then_some(extra)
}

/// Reports whether `longer` has all tokens of `shorter` in order and, in the place of one of its values, another of the
/// same kind and a few words: `on 9090 instead of 8080` for `on 8080`.
fn names_second_value(shorter: &[Token], longer: &[Token]) -> bool {
    let extra = extra_tokens(shorter, longer).unwrap_or_default();
    let (Some(first), Some(last)) = (extra.first(), extra.last()) else {
        return false;
    };
    let (value, words) = (&longer[*first], &longer[first + 1..=*last]);
    let is_in_place = longer
        .get(last + 1)
        .is_some_and(|old| old.mark == value.mark);
    value.mark.is_some()
        && is_in_place
        && extra.len() == last - first + 1
        && (1..=BESIDE).contains(&frame(words))
        && words.iter().all(|word| word.mark.is_none())
        && frame(shorter) >= CERTAIN_FRAME
}

/// Reports whether two statements may name different values for one subject, so that a person should look.
///
/// Values are numbers (`8080`, `v1.2`) and names that are written like code (`src/main.rs`, `retry_budget`). Either one
/// statement names the value of the other and a second one (`9090 instead of 8080`), or each names its own and one of
/// them has no further word of its own. If both have, these are probably two subjects (`2 MB for avatars`, `25 MB for
/// attachments`); so are they if each has a name of its own (`Redis on 6379`, `Postgres on 5432`).
fn other_value(older: &Statement, newer: &Statement) -> bool {
    let nearness = older.overlap(newer).max(older.title_overlap(newer));
    let are_norms = older.is_norm && newer.is_norm;
    let (old, new) = (older.values_not_in(newer), newer.values_not_in(older));
    let count = |values: &[(Mark, &str)], is_wanted: fn(Mark, &str) -> bool| {
        let wanted = values.iter().filter(|(mark, text)| is_wanted(*mark, text));
        wanted.count()
    };
    let both = |is_wanted| (count(&old, is_wanted), count(&new, is_wanted));
    let numbers = both(|mark, _| mark == Mark::Number);
    // Written like a path, an identifier or a setting, not like a word.
    let codes =
        both(|mark, name| mark == Mark::Name && name.contains(['/', '\\', '_', '.', ':', '=']));
    match (numbers, both(|mark, _| mark == Mark::Name)) {
        ((1, 1), _) | (_, (1.., 1..)) => {
            let pairs = numbers.0 * numbers.1 + usize::from(are_norms) * codes.0 * codes.1;
            let says_only = old.len() == 1 && older.has_no_other_words(newer)
                || new.len() == 1 && newer.has_no_other_words(older);
            nearness >= NEAR_FRAME && pairs == 1 && says_only
        }
        ((0, 1), _) => are_norms && nearness >= BESIDE_FRAME && sets_beside(newer, older),
        ((1, 0), _) => are_norms && nearness >= BESIDE_FRAME && sets_beside(older, newer),
        _ => false,
    }
}

/// Reports whether `one` has a number of its own a few words beside a number of `other`, and both share a word besides.
fn sets_beside(one: &Statement, other: &Statement) -> bool {
    let is_number = |token: &Token| token.mark == Some(Mark::Number);
    let known: Vec<&Token> = other.tokens().collect();
    let is_known = |token: &Token| known.iter().any(|one| one.text == token.text);
    let mut sentences = one.body.iter().chain([&one.title]);
    let is_beside = sentences.any(|sentence| {
        let numbers = sentence
            .iter()
            .enumerate()
            .filter(|(_, one)| is_number(one));
        let numbers: Vec<(usize, &Token)> = numbers.collect();
        numbers.windows(2).any(|pair| {
            let ((from, first), (to, second)) = (pair[0], pair[1]);
            let between = &sentence[from + 1..to];
            is_known(first) != is_known(second)
                && (1..=BESIDE).contains(&frame(between))
                && between.iter().all(|word| word.mark.is_none())
        })
    });
    is_beside && one.shares_words(other)
}

/// Returns the length of a frame in words: two characters of a script without spaces count as one.
fn frame(tokens: &[Token]) -> usize {
    let is_character = |token: &&Token| token.text.starts_with(is_unspaced);
    let characters = tokens.iter().filter(is_character).count();
    tokens.len() - characters + characters / 2
}
