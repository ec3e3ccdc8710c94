//! Ids for new jobs. Time and seed are arguments; ids sort in order of creation, even if the clock goes back.

/// ULIDs of the caller's time, with a counter before the random numbers from the seed.
#[derive(Debug)]
pub(crate) struct JobIds {
    last_ms: u64,
    counter: u32,
    state: u64,
}

impl JobIds {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            last_ms: 0,
            counter: 0,
            state: seed,
        }
    }

    pub(crate) fn next(&mut self, now_ms: u64) -> String {
        if now_ms > self.last_ms {
            self.last_ms = now_ms;
            self.counter = 0;
        } else {
            self.counter = self.counter.wrapping_add(1);
        }
        let random = u128::from(self.counter) << 48 | u128::from(self.word() >> 16);
        ulid::Ulid::from_parts(self.last_ms, random).to_string()
    }

    fn word(&mut self) -> u64 {
        self.state = self
            .state
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        (self.state ^ (self.state >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}
