//! Texts by their words, so that those near another are found without comparing it with each of them.
//!
//! Two sets whose overlap is at least a share of all their words have a word in common among the first
//! few of each, in any order that is the same for both: only these are looked up. Long words come
//! first, since few texts have them.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use acreta_text::jaccard;

pub(crate) struct Near {
    share: f64,
    texts: Vec<BTreeSet<String>>,
    by_word: HashMap<String, Vec<usize>>,
}

impl Near {
    /// Near is what shares at least this much of all words.
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

    /// The first text that was added and is near these words.
    pub(crate) fn first(&self, words: &BTreeSet<String>) -> Option<usize> {
        self.first_of(words, |_| true)
    }

    /// The same among some of them.
    pub(crate) fn first_of(
        &self,
        words: &BTreeSet<String>,
        counts: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let mut looked_at = BTreeSet::new();
        for word in first_words(words, self.share) {
            looked_at.extend(self.by_word.get(word).into_iter().flatten().copied());
        }
        looked_at
            .into_iter()
            .filter(|number| counts(*number))
            .find(|number| jaccard(words, &self.texts[*number]) >= self.share)
    }
}

/// So many that two sets which are near have one of them in common.
fn first_words(words: &BTreeSet<String>, share: f64) -> impl Iterator<Item = &str> {
    let mut ordered: Vec<&str> = words.iter().map(String::as_str).collect();
    ordered.sort_by_key(|word| (Reverse(word.len()), *word));
    // A hair less, so that a product that is a whole number but for its last bit stays one.
    let shared = (share * ordered.len() as f64 - 1e-9).ceil().max(1.0) as usize;
    let enough = (ordered.len() + 1).saturating_sub(shared);
    ordered.into_iter().take(enough)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts() -> impl Strategy<Value = Vec<BTreeSet<String>>> {
        let word = prop_oneof!["[a-c]", "[a-d]{2}", "[a-b]{4}"];
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
                let expected = earlier.iter().position(|other| jaccard(words, other) >= share);
                prop_assert_eq!(near.first(words), expected);
                near.add(words.clone());
            }
        }
    }
}
