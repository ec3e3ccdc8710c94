//! How much reading may cost. Each bound is checked while it is being used up, not after.

use std::time::Duration;

/// The bounds of one [`crate::Database`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseLimits {
    /// Rows handed out over its whole life.
    pub rows: u64,
    /// Bytes of all values handed out over its whole life, 32 for each and its content.
    pub bytes: u64,
    /// Bytes of one value, and of one row. SQLite itself allows no more than a thousand million.
    pub value_bytes: u32,
    /// Steps of SQLite's virtual machine in one call: the same on every machine, however fast.
    pub steps: u64,
    /// Time of one call. A call that runs over ends all open results of its database.
    pub call_time: Duration,
    /// Results open at the same time.
    pub open_results: usize,
    /// A database up to this size is always copied. A larger one is first tried in cheaper ways.
    pub small_bytes: u64,
    /// Bytes that may be copied in order to open it.
    pub snapshot_bytes: u64,
}

impl Default for DatabaseLimits {
    fn default() -> Self {
        Self {
            rows: 50_000_000,
            bytes: 16 * GIB,
            value_bytes: 32 * 1024 * 1024,
            steps: 2_000_000_000,
            call_time: Duration::from_secs(30),
            open_results: 16,
            small_bytes: GIB / 4,
            snapshot_bytes: 8 * GIB,
        }
    }
}

/// What is left of the bounds that hold for a whole life.
#[derive(Debug)]
pub(crate) struct Allowance {
    pub(crate) rows: u64,
    pub(crate) bytes: u64,
}

/// What one page holds at most, whatever was asked for, but for the one row that is always given.
pub(crate) const PAGE_BYTES: u64 = 16 * 1024 * 1024;

/// The longest statement that is looked at.
pub(crate) const SQL_BYTES: usize = 64 * 1024;

/// Memory SQLite may hold, all connections of this process together.
pub(crate) const HEAP_BYTES: u64 = GIB / 4;

const GIB: u64 = 1024 * 1024 * 1024;
