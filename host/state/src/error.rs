//! Errors of the catalog. Each error names its subject; the database's own error is its source.

use acreta_fs::FsError;
use camino::{Utf8Path, Utf8PathBuf};
use rusqlite::ErrorCode;
use rusqlite::ffi::{SQLITE_IOERR_DIR_FSYNC, SQLITE_IOERR_FSYNC};

use crate::{DatabaseError, ProjectId, SessionKey, TaskState};

/// The database could not be used, or does not contain what was asked for.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// Written by a later version. Nothing was changed.
    #[error("`{path}` has schema version {found}, only versions up to {supported} are supported")]
    Newer {
        path: Utf8PathBuf,
        found: i64,
        supported: i64,
    },
    #[error("`{path}` is damaged or not a database")]
    Damaged {
        path: Utf8PathBuf,
        #[source]
        cause: DatabaseError,
    },
    /// Another process kept it locked for longer than the wait.
    #[error("`{path}` is locked by another process")]
    Busy {
        path: Utf8PathBuf,
        #[source]
        cause: DatabaseError,
    },
    #[error("no space left to write `{path}`")]
    NoSpace {
        path: Utf8PathBuf,
        #[source]
        cause: DatabaseError,
    },
    /// The state on disk is not known: stop, and check again at the next start.
    #[error("`{path}` could not be synced to disk")]
    Sync {
        path: Utf8PathBuf,
        #[source]
        cause: DatabaseError,
    },
    #[error("could not use `{path}`")]
    Database {
        path: Utf8PathBuf,
        #[source]
        cause: DatabaseError,
    },
    #[error(transparent)]
    Fs(#[from] FsError),
    #[error("session `{session}` is not in the catalog")]
    UnknownSession { session: SessionKey },
    #[error("project {project} is not in the catalog")]
    UnknownProject { project: ProjectId },
    #[error("run `{run_id}` is not in the catalog")]
    UnknownRun { run_id: String },
    #[error("run `{run_id}` is already in the catalog")]
    RunExists { run_id: String },
}

/// An operation that only the holder of a job may do was refused.
#[derive(Debug, thiserror::Error)]
pub enum LeaseError {
    /// The job was claimed by another worker, or has ended. Discard all work done for it.
    #[error("lease {token} of job `{job}` was lost")]
    Lost { job: String, token: u64 },
    #[error(transparent)]
    Catalog(#[from] CatalogError),
}

/// A person's request on a job was refused.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    #[error("job `{id}` is not in the queue")]
    Unknown { id: String },
    #[error("job `{id}` is {state}: it cannot be {action}")]
    State {
        id: String,
        state: TaskState,
        action: &'static str,
    },
    /// Its session is already queued as another job.
    #[error("job `{id}` is not needed: job `{by}` is queued for the same session")]
    Superseded { id: String, by: String },
    #[error(transparent)]
    Catalog(#[from] CatalogError),
}

impl CatalogError {
    /// Returns advice on how to resolve the error.
    pub fn hint(&self) -> Option<String> {
        match self {
            CatalogError::Newer { .. } => {
                Some(
                    "a later version of acreta has used this database; `acreta self check` says how to update this one"
                        .to_owned(),
                )
            }
            CatalogError::Damaged { path, .. } if is_server(path) => {
                Some(format!("restore the database at `{path}` from a backup"))
            }
            CatalogError::Damaged { path, .. } => Some(format!(
                "move `{path}` away, with `{path}-wal` and `{path}-shm` if they exist; `acreta project add` registers a project again, the next sync finds the sessions, and no memory is lost"
            )),
            CatalogError::NoSpace { .. } => Some("free some space, then try again".to_owned()),
            CatalogError::Fs(error) => error.hint().map(str::to_owned),
            CatalogError::Busy { .. } => {
                Some("wait for the other process to finish, and try again".to_owned())
            }
            CatalogError::Database { path, .. } if is_server(path) => Some(format!(
                "check that the server at `{path}` runs and that the user may use the database"
            )),
            CatalogError::Database { path, .. } => Some(format!(
                "check that `{path}` is a file that you may read and write, or move it away; `acreta project add` registers a project again, the next sync finds the sessions, and no memory is lost"
            )),
            _ => None,
        }
    }

    /// Returns true if a failed sync is the cause; nothing more should be written then.
    pub fn is_sync(&self) -> bool {
        match self {
            CatalogError::Sync { .. } => true,
            CatalogError::Fs(error) => error.is_sync(),
            _ => false,
        }
    }

    pub(crate) fn new(path: &Utf8Path, cause: DatabaseError) -> Self {
        let path = path.to_owned();
        match kind_of(&cause) {
            FailureClass::Damaged => CatalogError::Damaged { path, cause },
            FailureClass::Sync => CatalogError::Sync { path, cause },
            FailureClass::Busy => CatalogError::Busy { path, cause },
            FailureClass::NoSpace => CatalogError::NoSpace { path, cause },
            FailureClass::Other => CatalogError::Database { path, cause },
        }
    }
}

/// Returns true if the database is a server and not a file.
fn is_server(path: &Utf8Path) -> bool {
    path.as_str().starts_with("postgres://")
}

enum FailureClass {
    Damaged,
    Sync,
    Busy,
    NoSpace,
    Other,
}

fn kind_of(cause: &DatabaseError) -> FailureClass {
    match cause {
        DatabaseError::Sqlite(cause) => kind_of_sqlite(cause),
        #[cfg(feature = "postgres")]
        DatabaseError::Postgres(cause) => kind_of_postgres(cause),
        #[cfg(feature = "postgres")]
        DatabaseError::UnknownCommit(_) => FailureClass::Sync,
        _ => FailureClass::Other,
    }
}

fn kind_of_sqlite(cause: &rusqlite::Error) -> FailureClass {
    if is_unreadable(cause) {
        return FailureClass::Damaged;
    }
    let extended = cause.sqlite_error().map(|error| error.extended_code);
    if matches!(extended, Some(SQLITE_IOERR_FSYNC | SQLITE_IOERR_DIR_FSYNC)) {
        return FailureClass::Sync;
    }
    match cause.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => FailureClass::Busy,
        Some(ErrorCode::DiskFull) => FailureClass::NoSpace,
        _ => FailureClass::Other,
    }
}

#[cfg(feature = "postgres")]
fn kind_of_postgres(cause: &postgres::Error) -> FailureClass {
    match cause.code().map(|code| code.code()) {
        // Lock timeout, statement timeout, or repeated conflicts.
        Some("55P03" | "57014" | "40001" | "40P01") => FailureClass::Busy,
        Some("53100") => FailureClass::NoSpace,
        Some("XX001" | "XX002") => FailureClass::Damaged,
        _ => FailureClass::Other,
    }
}

/// Returns true if SQLite cannot read the file, or the catalog cannot read a value.
fn is_unreadable(cause: &rusqlite::Error) -> bool {
    matches!(
        cause,
        rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::Utf8Error(..)
    ) || matches!(
        cause.sqlite_error_code(),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
    )
}
