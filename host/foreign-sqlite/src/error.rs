//! Errors of opening and reading a database. Each names the database, has a stable code, and says if a retry can help.

use std::time::Duration;

use acreta_fs::FsError;
use acreta_types::{Failure, with_causes};
use camino::{Utf8Path, Utf8PathBuf};
use rusqlite::ErrorCode;

use crate::limits::{DatabaseLimits, HEAP_BYTES};

/// A database could not be opened, or a query failed.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    #[error(transparent)]
    Fs(#[from] FsError),
    #[error("`{path}` is not a readable database: {reason}")]
    NotADatabase {
        path: Utf8PathBuf,
        reason: &'static str,
    },
    #[error("database `{path}` is damaged")]
    Corrupt {
        path: Utf8PathBuf,
        #[source]
        cause: rusqlite::Error,
    },
    /// No consistent state was found in which it could be read.
    #[error("database `{path}` is busy: {reason}")]
    Busy {
        path: Utf8PathBuf,
        reason: &'static str,
    },
    /// It is read in place, and changed before the answer was complete. Only a new [`crate::Database`] can continue.
    #[error("database `{path}` was changed while it was read")]
    Changed { path: Utf8PathBuf },
    #[error("database `{path}` is too large: more than {allowed} bytes would have to be copied")]
    TooLarge { path: Utf8PathBuf, allowed: u64 },
    /// An operation other than reading; nothing was executed.
    #[error("database `{path}` is read-only: {what} is refused")]
    Refused { path: Utf8PathBuf, what: String },
    #[error("query of database `{path}` failed")]
    Sql {
        path: Utf8PathBuf,
        #[source]
        cause: rusqlite::Error,
    },
    #[error("query of database `{path}` needs more than {allowed} {limit}")]
    OverLimit {
        path: Utf8PathBuf,
        limit: &'static str,
        allowed: u64,
    },
    #[error("query of database `{path}` took longer than {allowed:?}")]
    OverTime {
        path: Utf8PathBuf,
        allowed: Duration,
    },
    /// An error was reported earlier, for this result or for another that ended it.
    #[error("result of a query of database `{path}` has already ended")]
    Ended { path: Utf8PathBuf },
    #[error("could not read database `{path}`")]
    Io {
        path: Utf8PathBuf,
        #[source]
        cause: rusqlite::Error,
    },
    #[error("could not start reading database `{path}`")]
    Thread {
        path: Utf8PathBuf,
        #[source]
        cause: std::io::Error,
    },
    /// The reading thread ended because a request exhausted it.
    #[error("reading database `{path}` stopped")]
    Stopped { path: Utf8PathBuf },
}

impl DatabaseError {
    /// Returns the stable error code.
    pub fn code(&self) -> &'static str {
        match self {
            DatabaseError::NotADatabase { .. } => "not-a-database",
            DatabaseError::Corrupt { .. } => "corrupt",
            DatabaseError::Busy { .. } => "busy",
            DatabaseError::Changed { .. } => "changed",
            DatabaseError::TooLarge { .. } => "too-large",
            DatabaseError::Refused { .. } => "refused",
            DatabaseError::Sql { .. } => "sql",
            DatabaseError::OverLimit { .. } | DatabaseError::OverTime { .. } => "limit",
            DatabaseError::Ended { .. } => "ended",
            DatabaseError::Fs(_)
            | DatabaseError::Io { .. }
            | DatabaseError::Thread { .. }
            | DatabaseError::Stopped { .. } => "io",
        }
    }

    /// Returns true if opening it again may succeed.
    pub fn is_retryable(&self) -> bool {
        matches!(
            self,
            DatabaseError::Busy { .. } | DatabaseError::Changed { .. }
        )
    }

    /// Returns advice on how to resolve the error.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            DatabaseError::Busy { .. } | DatabaseError::Changed { .. } => {
                Some("try again when the program that writes it is less busy")
            }
            DatabaseError::TooLarge { .. } => Some(
                "it need not be copied if the scratch folder is on the same file system, or when \
                 the program that writes it was closed properly",
            ),
            _ => None,
        }
    }

    /// Returns the error in the form that a plugin receives: the code, and the message with all causes.
    pub fn to_failure(&self) -> Failure {
        Failure {
            code: self.code().to_owned(),
            message: with_causes(self),
            retryable: self.is_retryable(),
        }
    }

    /// Classifies an error of SQLite by its meaning for the caller.
    pub(crate) fn from_sqlite(
        path: &Utf8Path,
        limits: &DatabaseLimits,
        cause: rusqlite::Error,
    ) -> Self {
        let path = path.to_owned();
        if matches!(cause, rusqlite::Error::Utf8Error(..)) {
            return DatabaseError::Corrupt { path, cause };
        }
        let over = |limit, allowed| DatabaseError::OverLimit {
            path: path.clone(),
            limit,
            allowed,
        };
        match cause.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => DatabaseError::NotADatabase {
                path,
                reason: "it is damaged or encrypted",
            },
            Some(ErrorCode::DatabaseCorrupt) => DatabaseError::Corrupt { path, cause },
            Some(ErrorCode::TooBig) => over("bytes in one value", u64::from(limits.value_bytes)),
            Some(ErrorCode::OutOfMemory) => over("bytes of memory", HEAP_BYTES),
            Some(ErrorCode::OperationInterrupted) => DatabaseError::OverTime {
                path,
                allowed: limits.call_time,
            },
            Some(
                ErrorCode::SystemIoFailure
                | ErrorCode::CannotOpen
                | ErrorCode::PermissionDenied
                | ErrorCode::ReadOnly
                | ErrorCode::DiskFull
                | ErrorCode::NoLargeFileSupport,
            ) => DatabaseError::Io { path, cause },
            _ => DatabaseError::Sql { path, cause },
        }
    }
}
