//! Time and randomness as arguments. Neither the wall clock nor a random source is read here, so that a test controls
//! pauses and never has to wait for one.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The clock that a run uses.
pub trait Clock: Send + Sync {
    /// Milliseconds since 1970. May jump either way; used for the current day and the end of limits.
    fn now_ms(&self) -> u64;
    /// Time since a fixed moment. Monotonic.
    fn elapsed(&self) -> Duration;
    fn sleep(&self, duration: Duration);
    /// Offset of the user's time zone from UTC: programs print local times.
    fn utc_offset_seconds(&self) -> i32;
}

/// A deterministic pseudo-random sequence for a seed.
#[derive(Debug)]
pub(crate) struct PseudoRandom(Mutex<u64>);

impl PseudoRandom {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Mutex::new(seed))
    }

    /// Returns the next number in [0, 1) (SplitMix64).
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
