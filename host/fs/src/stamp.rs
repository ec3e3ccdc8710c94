//! The stamp of a file: its metadata without opening it. The only way in this workspace to detect a changed file. Two
//! equal stamps mean equal content, unless the stamp is racy: taken within the clock tick that it names.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// Longest tick of a clock with fractions of a second: 10 ms, doubled to be safe.
const FINE_TICK_NS: i64 = 20_000_000;
/// Longest tick of a clock with whole seconds (FAT).
const COARSE_TICK_NS: i64 = 2_000_000_000;
const SECOND_NS: i64 = 1_000_000_000;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Stamp {
    pub bytes: u64,
    /// Modification time in nanoseconds since 1970.
    pub modified_ns: i64,
    /// Time of the last change to content or metadata; 0 if unknown.
    #[serde(default)]
    pub changed_ns: i64,
    /// 0 if the system has none.
    #[serde(default)]
    pub inode: u64,
}

impl Stamp {
    /// Reports whether the file could change again without a different stamp (git's racy rule).
    ///
    /// `looked_ns` is a time before the stamp was taken, by the same clock as the file's times. Content that belongs to
    /// a racy stamp has to be reread.
    pub fn is_racy(&self, looked_ns: i64) -> bool {
        // A person can set the time of modification, but not the time of change.
        let latest_ns = match self.changed_ns {
            0 => self.modified_ns,
            changed_ns => changed_ns,
        };
        let tick_ns = match latest_ns % SECOND_NS {
            0 => COARSE_TICK_NS,
            _ => FINE_TICK_NS,
        };
        latest_ns >= looked_ns.saturating_sub(tick_ns)
    }

    /// Reports whether a file with the stamp `now` is unchanged since this stamp was taken, after `looked_ns`.
    pub fn is_unchanged(&self, looked_ns: i64, now: &Stamp) -> bool {
        self == now && !self.is_racy(looked_ns)
    }
}

impl From<&std::fs::Metadata> for Stamp {
    fn from(metadata: &std::fs::Metadata) -> Self {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            Self {
                bytes: metadata.len(),
                modified_ns: timespec_ns(metadata.mtime(), metadata.mtime_nsec()),
                changed_ns: timespec_ns(metadata.ctime(), metadata.ctime_nsec()),
                inode: metadata.ino(),
            }
        }
        #[cfg(not(unix))]
        Self {
            bytes: metadata.len(),
            modified_ns: metadata.modified().map_or(0, unix_ns),
            changed_ns: 0,
            inode: 0,
        }
    }
}

/// Converts a time to nanoseconds since 1970; 0 for an earlier time.
pub fn unix_ns(time: SystemTime) -> i64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| {
        i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
    })
}

/// Converts milliseconds to nanoseconds.
pub fn ms_to_ns(ms: u64) -> i64 {
    i64::try_from(ms.saturating_mul(1_000_000)).unwrap_or(i64::MAX)
}

/// Converts a time of seconds and a fraction in nanoseconds to nanoseconds.
pub fn timespec_ns(seconds: i64, fraction_ns: i64) -> i64 {
    seconds
        .saturating_mul(SECOND_NS)
        .saturating_add(fraction_ns)
}
