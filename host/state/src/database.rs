//! Opens the database and runs transactions on it. On either database, what a transaction read still holds when it
//! commits.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};

use crate::backend::{
    Connection, LeaseClock, Result as Answer, ServerState, TransactionStop, WriteLock, sqlite,
};
use crate::ids::JobIds;
use crate::location::StateLocation;
use crate::{CatalogError, schema};

/// An open state database. Each thread and each process opens its own; all of them share one queue.
#[derive(Debug)]
pub struct Catalog {
    connection: Connection,
    path: Utf8PathBuf,
    pub(crate) capacity: u64,
    pub(crate) ids: RefCell<JobIds>,
    /// State of the file when this connection waited last.
    pub(crate) seen: Cell<Option<i64>>,
    /// Time at which this connection looked for expired leases last.
    pub(crate) looked_for_expired: Cell<Option<u64>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogOptions {
    /// Maximum number of queued and running jobs.
    pub capacity: u64,
    /// Time to wait for another process that writes, and for a server whose connection was lost.
    pub wait: Duration,
    /// Seed of the random part of new ids.
    pub seed: u64,
    pub lease_clock: LeaseClock,
    /// Commits do not wait for the disk: what was written last may be lost with the power, and nothing before it. For a
    /// process that somebody waits for.
    pub hurried: bool,
}

impl Default for CatalogOptions {
    fn default() -> Self {
        Self {
            capacity: 100_000,
            wait: Duration::from_secs(5),
            seed: 0,
            lease_clock: LeaseClock::default(),
            hurried: false,
        }
    }
}

impl Catalog {
    /// Opens the catalog at a location, and creates it if it does not exist.
    pub fn open_at(
        location: &StateLocation,
        options: CatalogOptions,
    ) -> Result<Self, CatalogError> {
        match location {
            StateLocation::File(path) => Self::open(path, options),
            #[cfg(feature = "postgres")]
            StateLocation::Server(server) => Self::connect(server, options),
        }
    }

    /// Opens the database at `path`. Creates it if it does not exist, readable only by its owner.
    pub fn open(path: &Utf8Path, options: CatalogOptions) -> Result<Self, CatalogError> {
        let path = sqlite::ensure_file(path)?;
        let failed = |cause: rusqlite::Error| CatalogError::new(&path, cause.into());
        let connection = sqlite::open(&path, options.wait).map_err(failed)?;
        // Check before any change: even the journal mode is written into the file.
        let check = || {
            let found = schema::version(&connection).map_err(failed)?;
            check_version(&path, found, schema::VERSION).map(|()| found)
        };
        let found = check()?;
        sqlite::prepare(&connection, options.hurried).map_err(failed)?;
        if found < schema::VERSION {
            let upgrade = || {
                let transaction = sqlite::begin(&connection)?;
                schema::bring_up_to_date(&transaction)?;
                transaction.commit()
            };
            upgrade().map_err(failed)?;
            check()?;
        }
        Ok(Self::new(Connection::Sqlite(connection), path, &options))
    }

    /// Connects to a PostgreSQL server, and creates the tables if they do not exist.
    #[cfg(feature = "postgres")]
    pub fn connect(server: &crate::Server, options: CatalogOptions) -> Result<Self, CatalogError> {
        use crate::backend::postgres::{ServerSession, schema};

        let path = Utf8PathBuf::from(server.label());
        let failed = |cause| CatalogError::new(&path, cause);
        let session =
            ServerSession::connect(server, options.wait, options.lease_clock).map_err(failed)?;
        let found = schema::version(&session).map_err(failed)?;
        check_version(&path, found, schema::VERSION)?;
        if found < schema::VERSION {
            let found = schema::bring_up_to_date(&session).map_err(failed)?;
            check_version(&path, found, schema::VERSION)?;
        }
        let connection = Connection::Postgres(Box::new(session));
        Ok(Self::new(connection, path, &options))
    }

    /// Returns the state of the server that holds the catalog; `None` for a file. `clock` is the caller's clock, in
    /// milliseconds since 1970.
    pub fn server_state(
        &self,
        clock: impl Fn() -> u64,
    ) -> Result<Option<ServerState>, CatalogError> {
        match &self.connection {
            Connection::Sqlite(_) => {
                let _ = clock;
                Ok(None)
            }
            #[cfg(feature = "postgres")]
            Connection::Postgres(session) => session
                .state(&clock)
                .map(Some)
                .map_err(|cause| CatalogError::new(&self.path, cause)),
        }
    }

    fn new(connection: Connection, path: Utf8PathBuf, options: &CatalogOptions) -> Self {
        Self {
            connection,
            path,
            capacity: options.capacity,
            ids: RefCell::new(JobIds::new(options.seed)),
            seen: Cell::new(None),
            looked_for_expired: Cell::new(None),
        }
    }

    /// Returns the absolute path, or the server's address without its password.
    pub fn path(&self) -> &Utf8Path {
        &self.path
    }

    /// Reads. Several queries see one snapshot only inside [`Catalog::read_at_once`].
    pub(crate) fn read<T>(
        &self,
        body: impl Fn(&Connection) -> Answer<T>,
    ) -> Result<T, CatalogError> {
        let answer = match &self.connection {
            connection @ Connection::Sqlite(_) => body(connection),
            #[cfg(feature = "postgres")]
            Connection::Postgres(session) => session.read(|| body(&self.connection)),
        };
        answer.map_err(|cause| CatalogError::new(&self.path, cause))
    }

    /// Uses the connection once, outside a transaction and without retries.
    pub(crate) fn connection_does<T>(
        &self,
        body: impl FnOnce(&Connection) -> Answer<T>,
    ) -> Result<T, CatalogError> {
        body(&self.connection).map_err(|cause| CatalogError::new(&self.path, cause))
    }

    /// Reads in one consistent snapshot.
    pub(crate) fn read_at_once<T>(
        &self,
        body: impl Fn(&Connection) -> Answer<T>,
    ) -> Result<T, CatalogError> {
        let answer = match &self.connection {
            Connection::Sqlite(connection) => sqlite::begin_reading(connection)
                .map_err(Into::into)
                .and_then(|_transaction| body(&self.connection)),
            #[cfg(feature = "postgres")]
            Connection::Postgres(session) => session.read_at_once(|| body(&self.connection)),
        };
        answer.map_err(|cause| CatalogError::new(&self.path, cause))
    }

    /// Writes everything that `body` does, or nothing. `body` may run more than once; the effects of earlier attempts
    /// are rolled back.
    pub(crate) fn write<T, E: From<CatalogError>>(
        &self,
        body: impl Fn(&Connection) -> Result<T, TransactionStop<E>>,
    ) -> Result<T, E> {
        self.transact(WriteLock::Alone, |connection| {
            let value = body(connection)?;
            count_change(connection)?;
            Ok(value)
        })
    }

    /// Like [`Catalog::write`], for a body that locks each row it depends on: others may write concurrently.
    pub(crate) fn write_rows<T, E: From<CatalogError>>(
        &self,
        body: impl Fn(&Connection) -> Result<T, TransactionStop<E>>,
    ) -> Result<T, E> {
        self.transact(WriteLock::Rows, |connection| {
            let value = body(connection)?;
            count_change(connection)?;
            Ok(value)
        })
    }

    /// Like [`Catalog::write`], for changes that give a sync no work.
    pub(crate) fn write_aside<T, E: From<CatalogError>>(
        &self,
        body: impl Fn(&Connection) -> Result<T, TransactionStop<E>>,
    ) -> Result<T, E> {
        self.transact(WriteLock::Alone, body)
    }

    /// Like [`Catalog::write_rows`], for changes that give a sync no work.
    pub(crate) fn write_rows_aside<T, E: From<CatalogError>>(
        &self,
        body: impl Fn(&Connection) -> Result<T, TransactionStop<E>>,
    ) -> Result<T, E> {
        self.transact(WriteLock::Rows, body)
    }

    /// Makes the database overwrite purged data, as far as it supports that.
    pub(crate) fn empty_log(&self) -> Result<(), CatalogError> {
        self.read(|connection| match connection {
            Connection::Sqlite(connection) => Ok(sqlite::empty_log(connection)?),
            #[cfg(feature = "postgres")]
            Connection::Postgres(_) => Ok(()),
        })
    }

    #[cfg_attr(
        not(feature = "postgres"),
        expect(unused_variables, reason = "SQLite knows one kind of writer")
    )]
    fn transact<T, E: From<CatalogError>>(
        &self,
        lock: WriteLock,
        body: impl Fn(&Connection) -> Result<T, TransactionStop<E>>,
    ) -> Result<T, E> {
        let done = match &self.connection {
            Connection::Sqlite(connection) => sqlite::begin(connection)
                .map_err(|cause| TransactionStop::Database(cause.into()))
                .and_then(|transaction| {
                    // A later version may have migrated it since it was opened, for example under a daemon.
                    let found = schema::version(connection)
                        .map_err(|cause| TransactionStop::Database(cause.into()))?;
                    check_version(&self.path, found, schema::VERSION)
                        .map_err(|error| TransactionStop::Refused(error.into()))?;
                    let value = body(&self.connection)?;
                    let committed = transaction.commit();
                    committed.map_err(|cause| TransactionStop::Database(cause.into()))?;
                    Ok(value)
                }),
            #[cfg(feature = "postgres")]
            Connection::Postgres(session) => session.transact(lock, || body(&self.connection)),
        };
        done.map_err(|stop| match stop {
            TransactionStop::Database(cause) => CatalogError::new(&self.path, cause).into(),
            TransactionStop::Refused(error) => error,
        })
    }
}

/// Records that there may be work.
fn count_change(connection: &Connection) -> Answer<()> {
    match connection {
        Connection::Sqlite(connection) => {
            connection
                .prepare_cached("UPDATE changes SET made = made + 1")?
                .execute([])?;
            Ok(())
        }
        #[cfg(feature = "postgres")]
        Connection::Postgres(session) => {
            session.count_change();
            Ok(())
        }
    }
}

fn check_version(path: &Utf8Path, found: i64, supported: i64) -> Result<(), CatalogError> {
    if (0..=supported).contains(&found) {
        return Ok(());
    }
    Err(CatalogError::Newer {
        path: path.to_owned(),
        found,
        supported,
    })
}
