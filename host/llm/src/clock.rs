//! Time and chance as arguments. Neither the wall clock nor a random number is read here, so that a
//! test decides how long a pause is and that no test has to wait for one.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The time as a run sees it.
pub trait Clock: Send + Sync {
    /// Milliseconds since 1970. May jump either way; used for the name of the day and the end of limits.
    fn now_ms(&self) -> u64;
    /// Time since some fixed moment. Never goes back.
    fn elapsed(&self) -> Duration;
    fn sleep(&self, duration: Duration);
    /// The offset of the user's time zone from UTC: programs name times of day in it.
    fn utc_offset_seconds(&self) -> i32;
}

/// A sequence of numbers that looks like chance and is the same for the same seed.
#[derive(Debug)]
pub(crate) struct Chance(Mutex<u64>);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Mutex::new(seed))
    }

    /// The next number from 0 up to but not including 1 (SplitMix64).
    pub(crate) fn fraction(&self) -> f64 {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = *state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        (mixed >> 11) as f64 / (1_u64 << 53) as f64
    }
}
