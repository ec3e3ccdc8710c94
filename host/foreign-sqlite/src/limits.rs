//! Limits on the cost of reading. Each is checked while it is being used up, not afterwards.

use std::time::Duration;

/// Limits of one [`crate::Database`].
#[derive(Debug, Clone)]
pub struct DatabaseLimits {
    /// Rows returned over its whole lifetime.
    pub rows: u64,
    /// Bytes of all values returned over its whole lifetime: 32 for each, plus its content.
    pub bytes: u64,
    /// Bytes of one value, and of one row. SQLite itself allows at most 10^9.
    pub value_bytes: u32,
    /// Steps of SQLite's virtual machine in one call: independent of the machine's speed.
    pub steps: u64,
    /// Time of one call. A call that exceeds it ends all open results of its database.
    pub call_time: Duration,
    /// Polled during a call, which ends once this returns true.
    pub is_stopped: fn() -> bool,
    /// Number of results open at the same time.
    pub open_results: usize,
    /// A database up to this size is always copied. For a larger one, cheaper ways are tried first.
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
            is_stopped: || false,
            open_results: 16,
            small_bytes: GIB / 4,
            snapshot_bytes: 8 * GIB,
        }
    }
}

/// Remainder of the lifetime limits.
#[derive(Debug)]
pub(crate) struct Allowance {
    pub(crate) rows: u64,
    pub(crate) bytes: u64,
}

/// Maximum size of a page, except for the one row that is always returned.
pub(crate) const PAGE_BYTES: u64 = 16 * 1024 * 1024;

/// Maximum length of a statement.
pub(crate) const SQL_BYTES: usize = 64 * 1024;

/// Memory limit of SQLite, for all connections of this process together.
pub(crate) const HEAP_BYTES: u64 = GIB / 4;

const GIB: u64 = 1024 * 1024 * 1024;
