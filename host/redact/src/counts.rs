//! Number of secrets by rule. Counts of several texts can be added.

use std::collections::BTreeMap;

use serde::Serialize;

/// Found secrets per rule id, sorted by id. Written as a JSON object.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Counts(BTreeMap<&'static str, u64>);

impl Counts {
    /// Returns the number of secrets that the rule `id` found.
    pub fn of(&self, id: &str) -> u64 {
        self.0.get(id).copied().unwrap_or(0)
    }

    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        self.0.iter().map(|(id, count)| (*id, *count))
    }

    /// Adds the counts of another text.
    pub fn merge(&mut self, other: &Counts) {
        for (id, count) in other.iter() {
            *self.0.entry(id).or_default() += count;
        }
    }

    pub(crate) fn record(&mut self, id: &'static str) {
        *self.0.entry(id).or_default() += 1;
    }
}
