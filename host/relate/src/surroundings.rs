//! Sentences of two bodies that are not about their titles: other requests in the same message, why the memory was
//! written, additions of an extractor. Statements made in the same way share them, so they say nothing about the
//! relation and are removed before the comparison.

use crate::sentences::sentences;
use std::collections::BTreeSet;

use acreta_text::tokens;

use crate::statement::Statement;

/// Share of common words from which two sentences are the same.
const SAME: f64 = 0.8;

/// Up to this share of common words with its title, a sentence is not about it.
const BESIDE: f64 = 0.34;

/// Share of common words from which two titles, and the text around them, are about one subject.
const ONE_THING: f64 = 0.3;

/// Returns both statements without the shared sentences that are not about their titles; `None` if there are none.
pub(crate) fn left_out(older: &Statement, newer: &Statement) -> Option<(Statement, Statement)> {
    if older.title_overlap(newer) >= ONE_THING {
        return None;
    }
    let [left, right] = [older, newer].map(|one| beside(&one.title, &one.body));
    let is_shared = |one: &BodySentence<'_>, others: &[BodySentence<'_>]| {
        others
            .iter()
            .any(|other| dice(&one.words, &other.words) >= SAME)
    };
    let gone = |own: &[BodySentence<'_>], others: &[BodySentence<'_>]| -> Vec<String> {
        let shared = own.iter().filter(|one| is_shared(one, others));
        shared.map(|one| one.text.to_owned()).collect()
    };
    let (from_older, from_newer) = (gone(&left, &right), gone(&right, &left));
    if from_older.is_empty() {
        return None;
    }
    Some((older.without(&from_older), newer.without(&from_newer)))
}

struct BodySentence<'a> {
    text: &'a str,
    words: BTreeSet<String>,
}

/// Returns the sentences of a body that are not about its title.
fn beside<'a>(title: &str, body: &'a str) -> Vec<BodySentence<'a>> {
    let title = tokens(title);
    sentences(body)
        .map(|text| BodySentence {
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
