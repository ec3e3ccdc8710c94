//! Offsets of the events of a trace. Stores a hash and an offset per event, never its text.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Events by the hash of their id. The reader compares a match with the id itself, so a collision can hide an event but
/// never return a wrong one.
#[derive(Debug, Default)]
pub(crate) struct EventIndex {
    offsets: HashMap<u64, u64>,
    events: u64,
}

impl EventIndex {
    pub(crate) fn len(&self) -> u64 {
        self.events
    }

    pub(crate) fn offset(&self, id: &str) -> Option<u64> {
        self.offsets.get(&hash(id)).copied()
    }

    /// Returns the offset of the event after the first `events`; past the end if there is none.
    pub(crate) fn offset_after(&self, events: u64) -> u64 {
        let mut offsets: Vec<u64> = self.offsets.values().copied().collect();
        match usize::try_from(events) {
            Ok(events) if events < offsets.len() => *offsets.select_nth_unstable(events).1,
            _ => u64::MAX,
        }
    }

    pub(crate) fn contains(&self, id: &str) -> bool {
        self.offsets.contains_key(&hash(id))
    }

    /// Adds an event; the first one with an id wins.
    pub(crate) fn insert(&mut self, id: &str, offset: u64) {
        self.events += 1;
        self.offsets.entry(hash(id)).or_insert(offset);
    }
}

/// Stable across runs, so that a trace does not depend on the process that wrote it.
pub(crate) fn hash(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}
