//! Errors of either database, and early exits from the body of a transaction.

pub(crate) type Result<T> = std::result::Result<T, DatabaseError>;

/// A database operation failed.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    #[error("the query returned no row")]
    NoRows,
    /// An error of SQLite, or a value from either database that the catalog cannot have written.
    #[error(transparent)]
    Sqlite(rusqlite::Error),
    #[cfg(feature = "postgres")]
    #[error("{}", postgres_words(.0))]
    Postgres(#[source] ::postgres::Error),
    /// The connection was lost during a commit, and the server did not come back to say whether it succeeded.
    #[cfg(feature = "postgres")]
    #[error("the connection was lost during a commit; it is not known whether the change was made")]
    UnknownCommit(#[source] ::postgres::Error),
    /// The server rolled a change back, or its outcome is not known yet: retry.
    #[cfg(feature = "postgres")]
    #[error("the connection was lost, and nothing was changed")]
    Interrupted,
    /// Unusable server settings.
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

/// Returns the server's own message if it sent one.
#[cfg(feature = "postgres")]
fn postgres_words(cause: &::postgres::Error) -> String {
    match cause.as_db_error() {
        Some(error) => format!("{} (SQLSTATE {})", error.message(), error.code().code()),
        None => cause.to_string(),
    }
}

/// Turns "no row" into `None`.
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

/// Reason why the body of a transaction ended early.
pub(crate) enum TransactionStop<E> {
    Database(DatabaseError),
    Refused(E),
}

impl<E> From<DatabaseError> for TransactionStop<E> {
    fn from(cause: DatabaseError) -> Self {
        TransactionStop::Database(cause)
    }
}

impl<A> TransactionStop<A> {
    /// Converts the error into the wider error type of an operation.
    pub(crate) fn widen<E: From<A>>(self) -> TransactionStop<E> {
        match self {
            TransactionStop::Database(cause) => TransactionStop::Database(cause),
            TransactionStop::Refused(error) => TransactionStop::Refused(error.into()),
        }
    }
}
