//! Failures of a database, of either kind, and how the body of a transaction ends early.

pub(crate) type Result<T> = std::result::Result<T, DatabaseError>;

/// A database did not do as it was told.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    #[error("the query gave no row")]
    NoRows,
    /// From SQLite; or a value, of whichever database, that cannot be what the catalog wrote.
    #[error(transparent)]
    Sqlite(rusqlite::Error),
    #[cfg(feature = "postgres")]
    #[error("{}", postgres_words(.0))]
    Postgres(#[source] ::postgres::Error),
    /// The connection was lost while a transaction was being committed, and the server did not come back to tell
    /// whether it was.
    #[cfg(feature = "postgres")]
    #[error("the connection was lost during a commit; it is not known whether the change was made")]
    UnknownCommit(#[source] ::postgres::Error),
    /// The server did not keep a change, or has not told its fate yet: try again.
    #[cfg(feature = "postgres")]
    #[error("the connection was lost, and nothing was changed")]
    Interrupted,
    /// Settings for a server that cannot be used.
    #[cfg(feature = "postgres")]
    #[error("{0}")]
    Settings(String),
}

impl From<rusqlite::Error> for DatabaseError {
    fn from(cause: rusqlite::Error) -> Self {
        match cause {
            rusqlite::Error::QueryReturnedNoRows => DatabaseError::NoRows,
            cause => DatabaseError::Sqlite(cause),
        }
    }
}

#[cfg(feature = "postgres")]
impl From<::postgres::Error> for DatabaseError {
    fn from(cause: ::postgres::Error) -> Self {
        DatabaseError::Postgres(cause)
    }
}

/// The server's own sentence, where it sent one.
#[cfg(feature = "postgres")]
fn postgres_words(cause: &::postgres::Error) -> String {
    match cause.as_db_error() {
        Some(error) => format!("{} (SQLSTATE {})", error.message(), error.code().code()),
        None => cause.to_string(),
    }
}

/// Makes "no row" a value.
pub(crate) trait OptionalExtension<T> {
    fn optional(self) -> Result<Option<T>>;
}

impl<T> OptionalExtension<T> for Result<T> {
    fn optional(self) -> Result<Option<T>> {
        match self {
            Ok(value) => Ok(Some(value)),
            Err(DatabaseError::NoRows) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Why the body of a transaction did not get to its end.
pub(crate) enum Stop<E> {
    Database(DatabaseError),
    Refused(E),
}

impl<E> From<DatabaseError> for Stop<E> {
    fn from(cause: DatabaseError) -> Self {
        Stop::Database(cause)
    }
}

impl<A> Stop<A> {
    /// Carries the error into an operation whose errors say more.
    pub(crate) fn widen<E: From<A>>(self) -> Stop<E> {
        match self {
            Stop::Database(cause) => Stop::Database(cause),
            Stop::Refused(error) => Stop::Refused(error.into()),
        }
    }
}
