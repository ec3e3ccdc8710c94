//! The interface between the catalog's queries and the database. A query is written once, in SQL that SQLite and
//! PostgreSQL both accept; `postgres::dialect` translates the few constructs that differ, and where a whole statement
//! differs the caller picks with [`Connection::either`]. Values use rusqlite's traits (`ToSql`, `FromSql`), so the
//! abstraction costs nothing on SQLite.

mod failure;
#[cfg(feature = "postgres")]
pub(crate) mod postgres;
pub(crate) mod sqlite;

use rusqlite::ToSql;
use rusqlite::types::FromSql;

pub use failure::DatabaseError;
pub(crate) use failure::{OptionalExtension, Result, TransactionStop};

/// An open database of either kind.
#[derive(Debug)]
pub(crate) enum Connection {
    Sqlite(rusqlite::Connection),
    #[cfg(feature = "postgres")]
    Postgres(Box<postgres::ServerSession>),
}

/// The clock that leases use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LeaseClock {
    /// The server's clock, if there is a server: the clocks of machines that share a queue differ.
    #[default]
    Database,
    /// The time that the caller passes to each call.
    Caller,
}

/// State of the server that holds the catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerState {
    /// Version of PostgreSQL, as the server reports it.
    pub server_version: String,
    /// Version of acreta's tables.
    pub schema_version: i64,
    /// Time by which the server's clock is ahead of the caller's; negative if it is behind.
    pub clock_ahead_ms: i64,
}

/// Locking mode of a write transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WriteLock {
    /// Exclusive: no other transaction writes at the same time.
    Alone,
    /// Shared: others write concurrently, and the rows it depends on are locked one by one. SQLite has a single write
    /// lock and takes that one.
    Rows,
}

impl Connection {
    /// Prepares a statement, cached per connection.
    pub(crate) fn prepare(&self, sql: &str) -> Result<DatabaseStatement<'_>> {
        Ok(match self {
            Connection::Sqlite(connection) => {
                DatabaseStatement::Sqlite(connection.prepare_cached(sql)?)
            }
            #[cfg(feature = "postgres")]
            Connection::Postgres(session) => DatabaseStatement::Postgres(session.prepare(sql)?),
        })
    }

    pub(crate) fn execute(&self, sql: &str, params: impl Params) -> Result<usize> {
        self.prepare(sql)?.execute(params)
    }

    pub(crate) fn query_row<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&ResultRow<'_>) -> Result<T>,
    ) -> Result<T> {
        self.prepare(sql)?.query_row(params, read)
    }

    /// Picks the SQL text for this database, for statements that have no common form.
    pub(crate) fn either<'a>(&self, sqlite: &'a str, postgres: &'a str) -> &'a str {
        let _ = postgres;
        match self {
            Connection::Sqlite(_) => sqlite,
            #[cfg(feature = "postgres")]
            Connection::Postgres(_) => postgres,
        }
    }

    /// Reports whether other machines write to the same database.
    pub(crate) fn is_shared(&self) -> bool {
        !matches!(self, Connection::Sqlite(_))
    }

    /// Returns the condition that row `table` of a table with machines is this machine's. A file has one machine only.
    pub(crate) fn here(&self, table: &str) -> String {
        let _ = table;
        match self {
            Connection::Sqlite(_) => "TRUE".to_owned(),
            #[cfg(feature = "postgres")]
            Connection::Postgres(_) => format!("{table}.machine = this_machine()"),
        }
    }

    /// Returns the time that leases use: the server's time inside a transaction on PostgreSQL, otherwise the caller's.
    pub(crate) fn lease_time_ms(&self, callers_ms: u64) -> u64 {
        match self {
            Connection::Sqlite(_) => callers_ms,
            #[cfg(feature = "postgres")]
            Connection::Postgres(session) => session.now_ms().unwrap_or(callers_ms),
        }
    }
}

pub(crate) enum DatabaseStatement<'connection> {
    Sqlite(rusqlite::CachedStatement<'connection>),
    #[cfg(feature = "postgres")]
    Postgres(postgres::ServerStatement<'connection>),
}

impl DatabaseStatement<'_> {
    /// Returns the number of changed rows.
    pub(crate) fn execute(&mut self, params: impl Params) -> Result<usize> {
        match self {
            DatabaseStatement::Sqlite(statement) => Ok(statement.execute(params)?),
            #[cfg(feature = "postgres")]
            DatabaseStatement::Postgres(statement) => statement.execute(&params),
        }
    }

    /// Reads the first row. Returns [`DatabaseError::NoRows`] if there is none.
    pub(crate) fn query_row<T>(
        &mut self,
        params: impl Params,
        read: impl FnOnce(&ResultRow<'_>) -> Result<T>,
    ) -> Result<T> {
        let mut rows = self.query(params)?;
        match rows.next()? {
            Some(row) => read(&row),
            None => Err(DatabaseError::NoRows),
        }
    }

    pub(crate) fn query_map<T, F: FnMut(&ResultRow<'_>) -> Result<T>>(
        &mut self,
        params: impl Params,
        read: F,
    ) -> Result<Mapped<'_, F>> {
        Ok(Mapped {
            rows: self.query(params)?,
            read,
        })
    }

    pub(crate) fn query(&mut self, params: impl Params) -> Result<DatabaseRows<'_>> {
        Ok(match self {
            DatabaseStatement::Sqlite(statement) => DatabaseRows::Sqlite(statement.query(params)?),
            #[cfg(feature = "postgres")]
            DatabaseStatement::Postgres(statement) => {
                DatabaseRows::Postgres(statement.query(&params)?)
            }
        })
    }

    pub(crate) fn exists(&mut self, params: impl Params) -> Result<bool> {
        Ok(self.query(params)?.next()?.is_some())
    }
}

/// Result rows, read one after the other.
pub(crate) enum DatabaseRows<'statement> {
    Sqlite(rusqlite::Rows<'statement>),
    #[cfg(feature = "postgres")]
    Postgres(postgres::ServerRows),
}

impl DatabaseRows<'_> {
    pub(crate) fn next(&mut self) -> Result<Option<ResultRow<'_>>> {
        Ok(match self {
            DatabaseRows::Sqlite(rows) => rows.next()?.map(ResultRow::Sqlite),
            #[cfg(feature = "postgres")]
            DatabaseRows::Postgres(rows) => rows.next().map(ResultRow::Postgres),
        })
    }
}

/// Result rows, each converted by a function.
pub(crate) struct Mapped<'statement, F> {
    rows: DatabaseRows<'statement>,
    read: F,
}

impl<T, F: FnMut(&ResultRow<'_>) -> Result<T>> Iterator for Mapped<'_, F> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        match self.rows.next() {
            Ok(row) => row.map(|row| (self.read)(&row)),
            Err(error) => Some(Err(error)),
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) enum ResultRow<'row> {
    Sqlite(&'row rusqlite::Row<'row>),
    #[cfg(feature = "postgres")]
    Postgres(&'row ::postgres::Row),
}

impl ResultRow<'_> {
    pub(crate) fn get<T: FromSql>(&self, index: usize) -> Result<T> {
        match self {
            ResultRow::Sqlite(row) => Ok(row.get(index)?),
            #[cfg(feature = "postgres")]
            ResultRow::Postgres(row) => postgres::values::get(row, index),
        }
    }
}

/// Callback that receives a parameter's value, and its name if it has one.
#[cfg(feature = "postgres")]
type See<'a> = dyn FnMut(Option<&str>, &dyn ToSql) -> Result<()> + 'a;

/// Parameter values of a statement, in the rusqlite forms that the catalog uses.
pub(crate) trait Params: rusqlite::Params {
    /// Calls `see` with each value.
    #[cfg(feature = "postgres")]
    fn visit(&self, see: &mut See<'_>) -> Result<()>;
}

impl Params for [&(dyn ToSql + Send + Sync); 0] {
    #[cfg(feature = "postgres")]
    fn visit(&self, _: &mut See<'_>) -> Result<()> {
        Ok(())
    }
}

impl Params for &[&dyn ToSql] {
    #[cfg(feature = "postgres")]
    fn visit(&self, see: &mut See<'_>) -> Result<()> {
        self.iter().try_for_each(|value| see(None, *value))
    }
}

impl Params for &[(&str, &dyn ToSql)] {
    #[cfg(feature = "postgres")]
    fn visit(&self, see: &mut See<'_>) -> Result<()> {
        self.iter()
            .try_for_each(|(name, value)| see(Some(name), *value))
    }
}

macro_rules! params_of_arrays {
    ($($length:literal),+) => {$(
        impl<T: ToSql> Params for [T; $length] {
            #[cfg(feature = "postgres")]
            fn visit(
                &self,
                see: &mut See<'_>,
            ) -> Result<()> {
                self.iter().try_for_each(|value| see(None, value))
            }
        }
    )+};
}
params_of_arrays!(1, 2, 3, 4);
