//! The port between the catalog's queries and the database that answers them. A query is written once, in SQL that
//! SQLite and PostgreSQL both read; the few constructs that differ are translated in `postgres::dialect`, and where a
//! whole statement differs the caller picks with [`Connection::either`]. Values travel in rusqlite's vocabulary
//! (`ToSql`, `FromSql`), so that SQLite pays nothing for the port.

mod failure;
#[cfg(feature = "postgres")]
pub(crate) mod postgres;
pub(crate) mod sqlite;

use rusqlite::ToSql;
use rusqlite::types::FromSql;

pub use failure::DatabaseError;
pub(crate) use failure::{OptionalExtension, Result, Stop};

/// An open database of either kind.
#[derive(Debug)]
pub(crate) enum Connection {
    Sqlite(rusqlite::Connection),
    #[cfg(feature = "postgres")]
    Postgres(Box<postgres::Session>),
}

/// The clock that leases go by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LeaseClock {
    /// The server's, where there is a server: the clocks of machines that share a queue differ.
    #[default]
    Database,
    /// The time that every call is given.
    Caller,
}

/// How far a transaction that writes keeps others out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lock {
    /// It is the only one that writes.
    Alone,
    /// Others like it write at once; rows that it depends on are locked one by one. Where a database has one write
    /// lock only, as SQLite does, that is taken.
    Rows,
}

impl Connection {
    /// A statement, parsed once for each connection.
    pub(crate) fn prepare(&self, sql: &str) -> Result<Statement<'_>> {
        Ok(match self {
            Connection::Sqlite(connection) => Statement::Sqlite(connection.prepare_cached(sql)?),
            #[cfg(feature = "postgres")]
            Connection::Postgres(session) => Statement::Postgres(session.prepare(sql)?),
        })
    }

    pub(crate) fn execute(&self, sql: &str, params: impl Params) -> Result<usize> {
        self.prepare(sql)?.execute(params)
    }

    pub(crate) fn query_row<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> Result<T>,
    ) -> Result<T> {
        self.prepare(sql)?.query_row(params, read)
    }

    /// Picks the text for this database, where the two share none.
    pub(crate) fn either<'a>(&self, sqlite: &'a str, postgres: &'a str) -> &'a str {
        let _ = postgres;
        match self {
            Connection::Sqlite(_) => sqlite,
            #[cfg(feature = "postgres")]
            Connection::Postgres(_) => postgres,
        }
    }

    /// The time that leases go by: the database's own in a transaction of a database that several machines use,
    /// otherwise the caller's.
    pub(crate) fn lease_time_ms(&self, callers_ms: u64) -> u64 {
        match self {
            Connection::Sqlite(_) => callers_ms,
            #[cfg(feature = "postgres")]
            Connection::Postgres(session) => session.now_ms().unwrap_or(callers_ms),
        }
    }
}

pub(crate) enum Statement<'connection> {
    Sqlite(rusqlite::CachedStatement<'connection>),
    #[cfg(feature = "postgres")]
    Postgres(postgres::Statement<'connection>),
}

impl Statement<'_> {
    /// Gives the number of rows that it changed.
    pub(crate) fn execute(&mut self, params: impl Params) -> Result<usize> {
        match self {
            Statement::Sqlite(statement) => Ok(statement.execute(params)?),
            #[cfg(feature = "postgres")]
            Statement::Postgres(statement) => statement.execute(&params),
        }
    }

    /// Reads the first row; [`DatabaseError::NoRows`] if there is none.
    pub(crate) fn query_row<T>(
        &mut self,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> Result<T>,
    ) -> Result<T> {
        let mut rows = self.query(params)?;
        match rows.next()? {
            Some(row) => read(&row),
            None => Err(DatabaseError::NoRows),
        }
    }

    pub(crate) fn query_map<T, F: FnMut(&Row<'_>) -> Result<T>>(
        &mut self,
        params: impl Params,
        read: F,
    ) -> Result<Mapped<'_, F>> {
        Ok(Mapped {
            rows: self.query(params)?,
            read,
        })
    }

    pub(crate) fn query(&mut self, params: impl Params) -> Result<Rows<'_>> {
        Ok(match self {
            Statement::Sqlite(statement) => Rows::Sqlite(statement.query(params)?),
            #[cfg(feature = "postgres")]
            Statement::Postgres(statement) => Rows::Postgres(statement.query(&params)?),
        })
    }

    pub(crate) fn exists(&mut self, params: impl Params) -> Result<bool> {
        Ok(self.query(params)?.next()?.is_some())
    }
}

/// The rows of an answer, one after the other.
pub(crate) enum Rows<'statement> {
    Sqlite(rusqlite::Rows<'statement>),
    #[cfg(feature = "postgres")]
    Postgres(postgres::Rows),
}

impl Rows<'_> {
    pub(crate) fn next(&mut self) -> Result<Option<Row<'_>>> {
        Ok(match self {
            Rows::Sqlite(rows) => rows.next()?.map(Row::Sqlite),
            #[cfg(feature = "postgres")]
            Rows::Postgres(rows) => rows.next().map(Row::Postgres),
        })
    }
}

/// Rows, each read by a function.
pub(crate) struct Mapped<'statement, F> {
    rows: Rows<'statement>,
    read: F,
}

impl<T, F: FnMut(&Row<'_>) -> Result<T>> Iterator for Mapped<'_, F> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        match self.rows.next() {
            Ok(row) => row.map(|row| (self.read)(&row)),
            Err(error) => Some(Err(error)),
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) enum Row<'row> {
    Sqlite(&'row rusqlite::Row<'row>),
    #[cfg(feature = "postgres")]
    Postgres(&'row ::postgres::Row),
}

impl Row<'_> {
    pub(crate) fn get<T: FromSql>(&self, index: usize) -> Result<T> {
        match self {
            Row::Sqlite(row) => Ok(row.get(index)?),
            #[cfg(feature = "postgres")]
            Row::Postgres(row) => postgres::values::get(row, index),
        }
    }
}

/// Is shown a parameter's value, with its name if it has one.
#[cfg(feature = "postgres")]
type See<'a> = dyn FnMut(Option<&str>, &dyn ToSql) -> Result<()> + 'a;

/// The values of a statement's parameters: rusqlite's own forms, as far as the catalog uses them.
pub(crate) trait Params: rusqlite::Params {
    /// Shows each value.
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
