//! Sentences of two bodies that are not about their titles: what was asked for in the same breath, why memory was
//! written, what an extractor adds. Both statements have them because both were made alike, so they say nothing of
//! how the statements stand to each other and are left out before these are compared.

use crate::sentences::sentences;
use std::collections::BTreeSet;

use acreta_text::tokens;

use crate::statement::Statement;

/// From this share of common words on, two sentences are the same.
const SAME: f64 = 0.8;

/// Up to this share of its words, a sentence that repeats its title is not about it.
const BESIDE: f64 = 0.34;

/// From this share of common words on, two titles are about one thing, and so is what is said around them.
const ONE_THING: f64 = 0.3;

/// Both statements without the sentences that they share and that are not about their titles; none if there are none.
pub(crate) fn left_out(older: &Statement, newer: &Statement) -> Option<(Statement, Statement)> {
    if older.title_overlap(newer) >= ONE_THING {
        return None;
    }
    let [left, right] = [older, newer].map(|one| beside(&one.title, &one.body));
    let is_shared = |one: &Sentence<'_>, others: &[Sentence<'_>]| {
        others
            .iter()
            .any(|other| dice(&one.words, &other.words) >= SAME)
    };
    let gone = |own: &[Sentence<'_>], others: &[Sentence<'_>]| -> Vec<String> {
        let shared = own.iter().filter(|one| is_shared(one, others));
        shared.map(|one| one.text.to_owned()).collect()
    };
    let (from_older, from_newer) = (gone(&left, &right), gone(&right, &left));
    if from_older.is_empty() {
        return None;
    }
    Some((older.without(&from_older), newer.without(&from_newer)))
}

struct Sentence<'a> {
    text: &'a str,
    words: BTreeSet<String>,
}

/// The sentences of a body that are not about its title.
fn beside<'a>(title: &str, body: &'a str) -> Vec<Sentence<'a>> {
    let title = tokens(title);
    sentences(body)
        .map(|text| Sentence {
            text,
            words: tokens(text),
        })
        .filter(|one| {
            let repeated = one.words.intersection(&title).count();
            !one.words.is_empty() && repeated as f64 <= BESIDE * one.words.len() as f64
        })
        .collect()
}

fn dice(left: &BTreeSet<String>, right: &BTreeSet<String>) -> f64 {
    let shared = left.intersection(right).count();
    2.0 * shared as f64 / (left.len() + right.len()).max(1) as f64
}
