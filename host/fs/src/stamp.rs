//! The stamp of a file: what the file system says about it without opening it. It is the one way in this workspace to
//! tell a changed file from an unchanged one. Two equal stamps mean equal content, unless the stamp is racy: taken
//! within the clock tick that it names.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// The longest tick of a clock whose times have a fraction of a second: 10 ms, and as much again to be safe.
const FINE_TICK_NS: i64 = 20_000_000;
/// The longest tick of a clock whose times are whole seconds (FAT).
const COARSE_TICK_NS: i64 = 2_000_000_000;
const SECOND_NS: i64 = 1_000_000_000;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Stamp {
    pub bytes: u64,
    /// When the content changed, in nanoseconds since 1970.
    pub modified_ns: i64,
    /// When anything about the file changed; 0 where the system does not say.
    #[serde(default)]
    pub changed_ns: i64,
    /// 0 where the system has none.
    #[serde(default)]
    pub inode: u64,
}

impl Stamp {
    /// Reports whether the file can change once more without its stamp showing it (git's racy rule).
    ///
    /// `looked_ns` is a time before the stamp was taken, by the same clock as the file's times. The content that goes
    /// with a racy stamp has to be read again.
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

    /// Reports whether a file with the stamp `now` is as it was when this stamp was taken, after `looked_ns`.
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

/// Nanoseconds from 1970 to a time; 0 for a time before.
pub fn unix_ns(time: SystemTime) -> i64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| {
        i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
    })
}

/// Nanoseconds since 1970 of a time that is written in milliseconds.
pub fn ms_to_ns(ms: u64) -> i64 {
    i64::try_from(ms.saturating_mul(1_000_000)).unwrap_or(i64::MAX)
}

/// Nanoseconds since 1970 of a time as the system has it: seconds and a fraction in nanoseconds.
pub fn timespec_ns(seconds: i64, fraction_ns: i64) -> i64 {
    seconds
        .saturating_mul(SECOND_NS)
        .saturating_add(fraction_ns)
}
