//! The connection to a snapshot. It is read-only, takes no lock, makes no file but in the folder of
//! the snapshot, and trusts neither the schema nor the queries.

use camino::Utf8Path;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, OpenFlags};

use crate::gate::Gate;
use crate::limits::{DatabaseLimits, HEAP_BYTES};
use crate::{functions, platform};

/// Opens the snapshot at `path`. Nothing of it is read yet.
pub(crate) fn open(
    path: &Utf8Path,
    limits: &DatabaseLimits,
    gate: &Gate,
) -> rusqlite::Result<Connection> {
    let mut connection = open_alone(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    // Large sorts happen in memory, and memory has an end: so nothing of the database comes to lie
    // in a temporary file outside the snapshot, and no query fills a disk.
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

/// Reads the schema, and with it the log. A schema that is not UTF-8 is an error: its names could
/// not be told to anyone.
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

/// Lets SQLite undo the transaction whose journal lies beside the private copy at `path`.
pub(crate) fn roll_back(path: &Utf8Path) -> rusqlite::Result<()> {
    let connection = open_alone(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.query_row("PRAGMA schema_version", [], |_| Ok(()))
}

/// Opens a database that nobody else has open, without locks and shared memory.
fn open_alone(path: &Utf8Path, access: OpenFlags) -> rusqlite::Result<Connection> {
    let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags_and_vfs(path, flags, platform::LOCKLESS)?;
    // Said before anything is read, the first keeps the index of the log in memory: no `-shm`. And
    // what is written, if anything, need not outlive the process.
    connection.execute_batch("PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = OFF;")?;
    // The copied log is never written back; it goes as it came.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    Ok(connection)
}

const CONFIG: [(DbConfig, bool); 3] = [
    (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
    (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
    (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
];

/// Chosen so that neither compiling a statement nor one step of it takes longer than a call may:
/// the longest step is the longest pattern looked for in the largest text. They hold for the schema
/// too, so they leave room for what programs declare.
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
