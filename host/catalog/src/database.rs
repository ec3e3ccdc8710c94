//! The door to the database: opening it, and transactions on it. What a transaction read still holds when it commits,
//! whichever database is behind it.

use std::cell::RefCell;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};

use crate::backend::{Connection, LeaseClock, Lock, Result as Answer, Stop, sqlite};
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
    /// How long one waits for another process that writes, and for a server whose connection was lost.
    pub wait: Duration,
    /// Where the random part of new ids starts.
    pub seed: u64,
    pub lease_clock: LeaseClock,
}

impl Default for CatalogOptions {
    fn default() -> Self {
        Self {
            capacity: 100_000,
            wait: Duration::from_secs(5),
            seed: 0,
            lease_clock: LeaseClock::default(),
        }
    }
}

impl Catalog {
    /// Opens the database at `path`, and makes it if there is none: a file that only its owner reads.
    pub fn open(path: &Utf8Path, options: CatalogOptions) -> Result<Self, CatalogError> {
        let path = sqlite::ensure_file(path)?;
        let failed = |cause: rusqlite::Error| CatalogError::new(&path, cause.into());
        let connection = sqlite::open(&path, options.wait).map_err(failed)?;
        // Looked at before anything is changed: even the journal's mode is written into the file.
        let check = || {
            let found = schema::version(&connection).map_err(failed)?;
            check_version(&path, found, schema::VERSION).map(|()| found)
        };
        let found = check()?;
        sqlite::prepare(&connection).map_err(failed)?;
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

    /// Connects to a PostgreSQL server, and makes the tables where there are none.
    #[cfg(feature = "postgres")]
    pub fn connect(server: &crate::Server, options: CatalogOptions) -> Result<Self, CatalogError> {
        use crate::backend::postgres::{Session, schema};

        let path = Utf8PathBuf::from(server.label());
        let failed = |cause| CatalogError::new(&path, cause);
        let session =
            Session::connect(server, options.wait, options.lease_clock).map_err(failed)?;
        let found = schema::version(&session).map_err(failed)?;
        check_version(&path, found, schema::VERSION)?;
        if found < schema::VERSION {
            let found = schema::bring_up_to_date(&session).map_err(failed)?;
            check_version(&path, found, schema::VERSION)?;
        }
        let connection = Connection::Postgres(Box::new(session));
        Ok(Self::new(connection, path, &options))
    }

    fn new(connection: Connection, path: Utf8PathBuf, options: &CatalogOptions) -> Self {
        Self {
            connection,
            path,
            capacity: options.capacity,
            ids: RefCell::new(Ids::new(options.seed)),
        }
    }

    /// Where it lies: an absolute path, or a server's address without its password.
    pub fn path(&self) -> &Utf8Path {
        &self.path
    }

    /// Reads. Several queries see one state only inside [`Catalog::read_at_once`].
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

    /// Reads the state of one moment.
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

    /// Writes all that `body` does, or nothing of it. `body` may run more than once: what it did before was undone.
    pub(crate) fn write<T, E: From<CatalogError>>(
        &self,
        body: impl Fn(&Connection) -> Result<T, Stop<E>>,
    ) -> Result<T, E> {
        self.transact(Lock::Alone, |connection| {
            let value = body(connection)?;
            count_change(connection)?;
            Ok(value)
        })
    }

    /// As [`Catalog::write`], but for what locks each row that it depends on: others may write meanwhile.
    pub(crate) fn write_rows<T, E: From<CatalogError>>(
        &self,
        body: impl Fn(&Connection) -> Result<T, Stop<E>>,
    ) -> Result<T, E> {
        self.transact(Lock::Rows, |connection| {
            let value = body(connection)?;
            count_change(connection)?;
            Ok(value)
        })
    }

    /// As [`Catalog::write`], but for what is no concern of a sync: it gives it nothing to do.
    pub(crate) fn write_aside<T, E: From<CatalogError>>(
        &self,
        body: impl Fn(&Connection) -> Result<T, Stop<E>>,
    ) -> Result<T, E> {
        self.transact(Lock::Alone, body)
    }

    /// Lets the database overwrite what is purged, as far as it can be told to.
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
        lock: Lock,
        body: impl Fn(&Connection) -> Result<T, Stop<E>>,
    ) -> Result<T, E> {
        let done = match &self.connection {
            Connection::Sqlite(connection) => sqlite::begin(connection)
                .map_err(|cause| Stop::Database(cause.into()))
                .and_then(|transaction| {
                    let value = body(&self.connection)?;
                    let committed = transaction.commit();
                    committed.map_err(|cause| Stop::Database(cause.into()))?;
                    Ok(value)
                }),
            #[cfg(feature = "postgres")]
            Connection::Postgres(session) => session.transact(lock, || body(&self.connection)),
        };
        done.map_err(|stop| match stop {
            Stop::Database(cause) => CatalogError::new(&self.path, cause).into(),
            Stop::Refused(error) => error,
        })
    }
}

/// Notes that there may be something to do.
fn count_change(connection: &Connection) -> Answer<()> {
    match connection {
        Connection::Sqlite(connection) => {
            connection
                .prepare_cached("UPDATE changes SET made = made + 1")?
                .execute([])?;
            Ok(())
        }
        #[cfg(feature = "postgres")]
        Connection::Postgres(session) => session.count_change(),
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
