//! Facets of a list: the number of memories that each further filter would leave.

use std::collections::HashMap;

use acreta_types::{MEMORY_TYPES, MemoryType, Status, Trust};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{InternedNames, Listing, ListingRow, Missed};

/// Maximum number of tags, the most frequent.
const TAGS: usize = 24;

/// Number of memories that would match if one more filter were set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryFacets {
    pub types: Vec<FacetCount>,
    pub kinds: Vec<FacetCount>,
    pub trusts: Vec<FacetCount>,
    pub statuses: Vec<FacetCount>,
    /// The most frequent ones.
    pub tags: Vec<FacetCount>,
    pub stale: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FacetCount {
    pub value: String,
    pub memories: u64,
}

/// Facets while they are counted.
pub(super) struct FacetCounter {
    types: HashMap<MemoryType, u64>,
    kinds: Vec<u64>,
    trusts: HashMap<Trust, u64>,
    statuses: HashMap<Status, u64>,
    tags: Vec<u64>,
    stale: u64,
}

impl FacetCounter {
    pub(super) fn new(listing: &Listing) -> Self {
        Self {
            types: HashMap::new(),
            kinds: vec![0; listing.kinds.names.len()],
            trusts: HashMap::new(),
            statuses: HashMap::new(),
            tags: vec![0; listing.tags.names.len()],
            stale: 0,
        }
    }

    pub(super) fn count(&mut self, row: &ListingRow, missed: &Missed, listing: &Listing) {
        if missed.all() > 1 {
            return;
        }
        if missed.but_for(missed.memory_type) {
            *self.types.entry(row.memory_type).or_default() += 1;
        }
        if missed.but_for(missed.kind) {
            self.kinds[row.kind as usize] += 1;
        }
        if missed.but_for(missed.trust) {
            *self.trusts.entry(row.trust).or_default() += 1;
        }
        if missed.but_for(missed.status) {
            *self.statuses.entry(row.status).or_default() += 1;
        }
        if missed.but_for(missed.tag) {
            for &tag in &listing.tagged[row.tags.clone()] {
                self.tags[tag as usize] += 1;
            }
        }
        self.stale += u64::from(row.stale && missed.but_for(missed.stale));
    }

    pub(super) fn end(self, listing: &Listing) -> MemoryFacets {
        let count = |value: &str, memories: Option<&u64>| FacetCount {
            value: value.to_owned(),
            memories: memories.copied().unwrap_or(0),
        };
        let of_names = |names: &InternedNames, counts: &[u64]| {
            let named = names.names.iter().zip(counts);
            let named = named.filter(|(name, memories)| !name.is_empty() && **memories > 0);
            let mut counts: Vec<FacetCount> = named
                .map(|(name, memories)| count(name, Some(memories)))
                .collect();
            counts.sort_by(|left, right| {
                let most_first = right.memories.cmp(&left.memories);
                most_first.then_with(|| left.value.cmp(&right.value))
            });
            counts
        };
        let mut tags = of_names(&listing.tags, &self.tags);
        tags.truncate(TAGS);
        let types = MEMORY_TYPES.iter();
        let statuses = [Status::Active, Status::Archived, Status::Superseded];
        MemoryFacets {
            types: types
                .map(|entry| count(entry.name, self.types.get(&entry.memory_type)))
                .collect(),
            kinds: of_names(&listing.kinds, &self.kinds),
            trusts: Trust::ALL
                .iter()
                .rev()
                .map(|trust| count(trust.name(), self.trusts.get(trust)))
                .collect(),
            statuses: statuses
                .iter()
                .map(|status| count(status.name(), self.statuses.get(status)))
                .collect(),
            tags,
            stale: self.stale,
        }
    }
}
