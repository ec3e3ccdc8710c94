//! The connection to a snapshot. It is read-only, takes no lock, creates files only in the snapshot's folder, and
//! trusts neither the schema nor the queries.

use camino::Utf8Path;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, OpenFlags};

use crate::gate::QueryGate;
use crate::limits::{DatabaseLimits, HEAP_BYTES};
use crate::{functions, platform};

/// Opens the snapshot at `path` without reading it.
pub(crate) fn open(
    path: &Utf8Path,
    limits: &DatabaseLimits,
    gate: &QueryGate,
) -> rusqlite::Result<Connection> {
    let mut connection = open_alone(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    // Large sorts run in memory, which is limited: no data of the database reaches a temporary file outside the
    // snapshot, and no query fills a disk.
    connection.execute_batch(&format!(
        "PRAGMA hard_heap_limit = {HEAP_BYTES};
         PRAGMA temp_store = MEMORY;
         PRAGMA cell_size_check = ON;
         PRAGMA query_only = ON;"
    ))?;
    for (config, value) in CONFIG {
        connection.set_db_config(config, value)?;
    }
    for (limit, value) in LIMITS {
        connection.set_limit(limit, value)?;
    }
    let value_bytes = i32::try_from(limits.value_bytes).unwrap_or(i32::MAX);
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, value_bytes)?;
    functions::withdraw_slow(&connection)?;
    gate.install(&mut connection)?;
    Ok(connection)
}

/// Reads the schema, and with it the log. A schema that is not UTF-8 is an error, because its names could not be
/// reported.
pub(crate) fn read_schema(connection: &Connection) -> rusqlite::Result<()> {
    let mut statement = connection.prepare("SELECT name, tbl_name, sql FROM sqlite_schema")?;
    let columns = statement.column_count();
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        for column in 0..columns {
            if let ValueRef::Text(bytes) = row.get_ref(column)? {
                std::str::from_utf8(bytes).map_err(|cause| Error::Utf8Error(column, cause))?;
            }
        }
    }
    Ok(())
}

/// Makes SQLite roll back the transaction whose journal is beside the private copy at `path`.
pub(crate) fn roll_back(path: &Utf8Path) -> rusqlite::Result<()> {
    let connection = open_alone(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.query_row("PRAGMA schema_version", [], |_| Ok(()))
}

/// Opens a private database, without locks and shared memory.
fn open_alone(path: &Utf8Path, access: OpenFlags) -> rusqlite::Result<Connection> {
    let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags_and_vfs(path, flags, platform::LOCKLESS)?;
    // Set before anything is read, the first pragma keeps the log's index in memory, without a `-shm` file. Writes, if
    // any, need not survive the process.
    connection.execute_batch("PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = OFF;")?;
    // The copied log is never checkpointed.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    Ok(connection)
}

const CONFIG: [(DbConfig, bool); 3] = [
    (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
    (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
    (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
];

/// Chosen so that neither compiling a statement nor one step of it exceeds the time of a call: the longest step is a
/// search for the longest pattern in the largest text. They also apply to the schema, so they leave room for what
/// programs declare.
const LIMITS: [(Limit, i32); 8] = [
    (Limit::SQLITE_LIMIT_ATTACHED, 0),
    (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 100),
    (Limit::SQLITE_LIMIT_EXPR_DEPTH, 200),
    (Limit::SQLITE_LIMIT_FUNCTION_ARG, 64),
    (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100),
    (Limit::SQLITE_LIMIT_VARIABLE_NUMBER, 1_000),
    (Limit::SQLITE_LIMIT_VDBE_OP, 100_000),
    (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
];
