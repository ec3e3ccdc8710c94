//! The door to the database: opening it, and transactions on it. A transaction that writes takes the
//! one write lock before it reads anything, so that what it read still holds when it commits.

use std::cell::RefCell;
use std::time::Duration;

use acreta_fs::{Directory, FsError, NoFaults};
use camino::{Utf8Path, Utf8PathBuf};
use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};

use crate::ids::Ids;
use crate::{CatalogError, schema};

/// An open state database. Each thread and each process opens its own; all of them see one queue.
#[derive(Debug)]
pub struct Catalog {
    connection: Connection,
    path: Utf8PathBuf,
    pub(crate) capacity: u64,
    pub(crate) ids: RefCell<Ids>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogOptions {
    /// How many jobs may be queued or running at once.
    pub capacity: u64,
    /// How long one waits for another process that writes.
    pub wait: Duration,
    /// Where the random part of new ids starts.
    pub seed: u64,
}

impl Default for CatalogOptions {
    fn default() -> Self {
        Self {
            capacity: 100_000,
            wait: Duration::from_secs(5),
            seed: 0,
        }
    }
}

/// Why the body of a transaction did not get to its end.
pub(crate) enum Stop<E> {
    Sqlite(rusqlite::Error),
    Refused(E),
}

impl<E> From<rusqlite::Error> for Stop<E> {
    fn from(cause: rusqlite::Error) -> Self {
        Stop::Sqlite(cause)
    }
}

impl Stop<CatalogError> {
    /// The same inside an operation whose errors say more.
    pub(crate) fn widen<E: From<CatalogError>>(self) -> Stop<E> {
        match self {
            Stop::Sqlite(cause) => Stop::Sqlite(cause),
            Stop::Refused(error) => Stop::Refused(error.into()),
        }
    }
}

impl Catalog {
    /// Opens the database at `path`, and makes it if there is none: a file that only its owner reads.
    pub fn open(path: &Utf8Path, options: CatalogOptions) -> Result<Self, CatalogError> {
        let path = ensure_file(path)?;
        let connect = || {
            let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            let connection = Connection::open_with_flags(&path, flags)?;
            connection.busy_timeout(options.wait)?;
            connection.set_prepared_statement_cache_capacity(STATEMENTS);
            let found = schema::version(&connection)?;
            Ok((connection, found))
        };
        let (connection, found) = connect().map_err(|cause| CatalogError::new(&path, cause))?;
        let catalog = Self {
            connection,
            path,
            capacity: options.capacity,
            ids: RefCell::new(Ids::new(options.seed)),
        };
        // Looked at before anything is changed: even the journal's mode is written into the file.
        catalog.check_version(found)?;
        catalog.read(prepare)?;
        if found < schema::VERSION {
            catalog.write(|connection| {
                Ok::<_, Stop<CatalogError>>(schema::bring_up_to_date(connection)?)
            })?;
            let found = catalog.read(schema::version)?;
            catalog.check_version(found)?;
        }
        Ok(catalog)
    }

    /// Where it lies, absolute.
    pub fn path(&self) -> &Utf8Path {
        &self.path
    }

    /// Reads. Several queries see one state only inside [`Catalog::read_at_once`].
    pub(crate) fn read<T>(
        &self,
        body: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, CatalogError> {
        body(&self.connection).map_err(|cause| CatalogError::new(&self.path, cause))
    }

    /// Reads the state of one moment.
    pub(crate) fn read_at_once<T>(
        &self,
        body: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, CatalogError> {
        self.read(|connection| {
            let transaction =
                Transaction::new_unchecked(connection, TransactionBehavior::Deferred)?;
            body(&transaction)
        })
    }

    /// Writes all that `body` does, or nothing of it.
    pub(crate) fn write<T, E: From<CatalogError>>(
        &self,
        body: impl FnOnce(&Connection) -> Result<T, Stop<E>>,
    ) -> Result<T, E> {
        self.write_aside(|connection| {
            let value = body(connection)?;
            connection
                .prepare_cached("UPDATE changes SET made = made + 1")?
                .execute([])?;
            Ok(value)
        })
    }

    /// The same for what is no concern of a sync: it gives it nothing to do.
    pub(crate) fn write_aside<T, E: From<CatalogError>>(
        &self,
        body: impl FnOnce(&Connection) -> Result<T, Stop<E>>,
    ) -> Result<T, E> {
        let attempt = || {
            let transaction =
                Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate)?;
            let value = body(&transaction)?;
            transaction.commit()?;
            Ok(value)
        };
        attempt().map_err(|stop| match stop {
            Stop::Sqlite(cause) => CatalogError::new(&self.path, cause).into(),
            Stop::Refused(error) => error,
        })
    }

    fn check_version(&self, found: i64) -> Result<(), CatalogError> {
        if (0..=schema::VERSION).contains(&found) {
            return Ok(());
        }
        Err(CatalogError::Newer {
            path: self.path.clone(),
            found,
            supported: schema::VERSION,
        })
    }
}

const MAPPED_BYTES: i64 = 256 * 1024 * 1024;

/// More than there are: each is parsed once for a connection.
const STATEMENTS: usize = 64;

/// Makes the file before SQLite does, which would let others read it. Its journals get its mode.
fn ensure_file(path: &Utf8Path) -> Result<Utf8PathBuf, CatalogError> {
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
            Err(error) => return Err(error.into()),
        }
    }
    Ok(directory.path().join(name))
}

/// Sets what holds for this connection, and the journal, which holds for the file.
fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "synchronous", "FULL")?;
    // On macOS a plain sync may stop at the drive's own cache. Nothing elsewhere.
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // A large catalog is looked through without a call to the system for every page.
    connection.pragma_update(None, "mmap_size", MAPPED_BYTES)?;
    // What is purged is overwritten.
    connection.pragma_update(None, "secure_delete", true)?;
    use_write_ahead_log(connection)
}

/// How often the switch of the journal's mode is tried, each time after whoever was in the way.
const SWITCHES: usize = 50;

/// SQLite does not wait when two want to switch at once, it fails; so wait for the other, then look.
fn use_write_ahead_log(connection: &Connection) -> rusqlite::Result<()> {
    let switch = || connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()));
    for _ in 1..SWITCHES {
        match switch() {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => {
                Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?.commit()?;
            }
            done => return done,
        }
    }
    switch()
}
