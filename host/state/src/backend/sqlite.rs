//! SQLite: one file that only its owner can read, with a write-ahead log and a sync on every commit. A write
//! transaction takes the write lock before it reads anything, so that what it read still holds when it commits.

use std::time::Duration;

use acreta_fs::{Directory, FsError, NoFaults};
use camino::{Utf8Path, Utf8PathBuf};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};

const MAPPED_BYTES: i64 = 256 * 1024 * 1024;

/// Size of the statement cache; larger than the number of distinct statements.
const STATEMENTS: usize = 192;

pub(crate) fn open(path: &Utf8Path, wait: Duration) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(wait)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(connection)
}

/// Creates the file before SQLite does, which would let others read it. The journal files inherit its mode.
pub(crate) fn ensure_file(path: &Utf8Path) -> Result<Utf8PathBuf, FsError> {
    let parent = match path.parent() {
        Some(parent) if !parent.as_str().is_empty() => parent,
        _ => Utf8Path::new("."),
    };
    let directory = Directory::open_or_create_private(parent, NoFaults::shared())?;
    let name = path.file_name().unwrap_or_default();
    if !directory.exists(name)? {
        match directory.write_synced_new(name, b"") {
            Ok(()) => directory.sync_directory(".")?,
            Err(FsError::AlreadyExists { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(directory.path().join(name))
}

/// Sets the connection's pragmas, and the journal mode, which is stored in the file. A hurried connection leaves syncing
/// to the next one that is not.
pub(crate) fn prepare(connection: &Connection, hurried: bool) -> rusqlite::Result<()> {
    let synchronous = if hurried { "NORMAL" } else { "FULL" };
    connection.pragma_update(None, "synchronous", synchronous)?;
    // The last connection that closes would copy the log into the file and sync both.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, hurried)?;
    // On macOS a plain sync may stop at the drive's cache. No effect elsewhere.
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // Scans of a large catalog need no system call per page.
    connection.pragma_update(None, "mmap_size", MAPPED_BYTES)?;
    // Purged data is overwritten.
    connection.pragma_update(None, "secure_delete", true)?;
    use_write_ahead_log(connection)
}

/// Begins a write transaction.
pub(crate) fn begin(connection: &Connection) -> rusqlite::Result<Transaction<'_>> {
    Transaction::new_unchecked(connection, TransactionBehavior::Immediate)
}

/// Begins a transaction that reads one consistent snapshot.
pub(crate) fn begin_reading(connection: &Connection) -> rusqlite::Result<Transaction<'_>> {
    Transaction::new_unchecked(connection, TransactionBehavior::Deferred)
}

/// Truncates the write-ahead log, which still contains old rows. A concurrent reader only delays this until the next
/// checkpoint.
pub(crate) fn empty_log(connection: &Connection) -> rusqlite::Result<()> {
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
}

/// Attempts to switch the journal mode, each after a wait for the other process.
const SWITCHES: usize = 50;

/// SQLite fails instead of waiting when two processes switch at once, so this waits for the other and checks again.
fn use_write_ahead_log(connection: &Connection) -> rusqlite::Result<()> {
    let switch = || connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()));
    for _ in 1..SWITCHES {
        match switch() {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => {
                begin(connection)?.commit()?;
            }
            done => return done,
        }
    }
    switch()
}
