//! Files with bytes in them that nobody wrote: whatever they say, nothing panics and no place lies
//! outside of the file.

use std::path::Path;

use super::{START, Told};
use crate::adapter::Adapter;

/// How many damaged copies are read, and how many bytes each has wrong.
const COPIES: usize = 100;
const WRONG: usize = 12;

/// Reads copies of the file in `scratch`, each damaged in other places. The places are the same
/// on every run.
///
/// # Panics
/// When the adapter does, or tells of a place that is not there.
pub fn damage<A: Adapter>(path: &Path, scratch: &Path) {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    let copy = scratch.join(path.file_name().unwrap_or_default());
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    for _ in 0..COPIES {
        let mut damaged = bytes.clone();
        for _ in 0..WRONG.min(bytes.len()) {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let place = random as usize % damaged.len();
            damaged[place] = (random >> 32) as u8;
        }
        if let Err(error) = std::fs::write(&copy, &damaged) {
            panic!("{copy:?}: {error}");
        }
        // What is damaged may be nobody's any more, or fail: neither is asked about.
        for session in A::sessions(&copy.to_string_lossy()).unwrap_or_default() {
            let mut told = Told::default();
            let _either = A::read(&session, &START, &mut told);
            for event in &told.events {
                let (start, end) = (event.origin.start, event.origin.end);
                let is_there = start <= end && end <= damaged.len() as u64;
                assert!(is_there, "{path:?}: {event:?}");
            }
        }
    }
    // Gone again, so that the next file finds an empty folder.
    let _gone = std::fs::remove_file(&copy);
}
