//! Ids for new memories. Time and chance are handed in: the same run gives the same ids, and none
//! that is taken is given.

use std::collections::HashSet;
use std::sync::Arc;

use acreta_store::Memory;

/// ULIDs of the run's time, with numbers from its seed.
pub(crate) struct Ids {
    now_ms: u64,
    state: u64,
    taken: HashSet<String>,
}

impl Ids {
    pub(crate) fn new(now_ms: u64, seed: u64, memories: &[Arc<Memory>]) -> Self {
        Self {
            now_ms,
            state: seed,
            taken: memories.iter().map(|memory| memory.id.clone()).collect(),
        }
    }

    pub(crate) fn next(&mut self) -> String {
        loop {
            let random = u128::from(self.word()) << 64 | u128::from(self.word());
            let id = ulid::Ulid::from_parts(self.now_ms, random).to_string();
            if self.taken.insert(id.clone()) {
                return id;
            }
        }
    }

    fn word(&mut self) -> u64 {
        self.state = self
            .state
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        (self.state ^ (self.state >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}
