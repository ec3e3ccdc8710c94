//! Index of texts by their words, which finds similar texts without comparing all pairs.
//!
//! Two sets whose overlap is at least a given share of all their words have a word in common among the first few of
//! each, in any order that is the same for both: only these are looked up. Long words come first, because few texts
//! contain them.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use acreta_text::{content_words, jaccard};

pub(crate) struct Near {
    share: f64,
    texts: Vec<BTreeSet<String>>,
    by_word: HashMap<String, Vec<usize>>,
}

impl Near {
    /// Creates an index in which texts are near if they share at least this fraction of all words.
    pub(crate) fn new(share: f64) -> Self {
        Self {
            share,
            texts: Vec::new(),
            by_word: HashMap::new(),
        }
    }

    pub(crate) fn add(&mut self, words: BTreeSet<String>) {
        let number = self.texts.len();
        for word in first_words(&words, self.share) {
            let texts = self.by_word.entry(word.to_owned()).or_default();
            texts.push(number);
        }
        self.texts.push(words);
    }

    /// Reports whether any text could be near this one: a quick check before its set of words is built.
    pub(crate) fn may_find(&self, text: &str) -> bool {
        // Words that are not ASCII may be split further.
        content_words(text).any(|word| !word.is_ascii() || self.by_word.contains_key(&word))
    }

    /// Returns the texts near these words, by insertion number, in any order.
    pub(crate) fn find(&self, words: &BTreeSet<String>) -> impl Iterator<Item = usize> {
        let mut looked_at = vec![false; self.texts.len()];
        first_words(words, self.share)
            .filter_map(|word| self.by_word.get(word))
            .flatten()
            .copied()
            .filter(move |number| !std::mem::replace(&mut looked_at[*number], true))
            .filter(|number| jaccard(words, &self.texts[*number]) >= self.share)
    }
}

/// Returns so many words that two sets which are near have one of them in common.
fn first_words(words: &BTreeSet<String>, share: f64) -> impl Iterator<Item = &str> {
    let mut ordered: Vec<&str> = words.iter().map(String::as_str).collect();
    ordered.sort_by_key(|word| (Reverse(word.len()), *word));
    // Slightly less, so that a product that is an integer except for rounding is not rounded up.
    let shared = (share * ordered.len() as f64 - 1e-9).ceil().max(1.0) as usize;
    let enough = (ordered.len() + 1).saturating_sub(shared);
    ordered.into_iter().take(enough)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts() -> impl Strategy<Value = Vec<BTreeSet<String>>> {
        let word = prop_oneof!["[b-d]", "[a-d]{2}", "[a-b]{4}"];
        proptest::collection::vec(proptest::collection::btree_set(word, 0..9), 0..12)
    }

    proptest! {
        #[test]
        fn finds_what_comparing_with_each_finds(
            texts in texts(),
            share in prop_oneof![Just(0.25), Just(0.5), Just(0.72), Just(1.0), 0.05..1.0],
        ) {
            let mut near = Near::new(share);
            for (number, words) in texts.iter().enumerate() {
                let earlier = &texts[..number];
                let is_near = |other: &BTreeSet<String>| jaccard(words, other) >= share;
                let expected: Vec<usize> = (0..number).filter(|one| is_near(&earlier[*one])).collect();
                let mut found: Vec<usize> = near.find(words).collect();
                found.sort_unstable();
                let text: Vec<&str> = words.iter().map(String::as_str).collect();
                prop_assert!(found.is_empty() || near.may_find(&text.join(" ")));
                prop_assert_eq!(found, expected);
                near.add(words.clone());
            }
        }
    }
}
