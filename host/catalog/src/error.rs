//! What can go wrong with the catalog. Each error names what it is about; SQLite's words are its source.

use acreta_fs::FsError;
use camino::{Utf8Path, Utf8PathBuf};
use rusqlite::ErrorCode;
use rusqlite::ffi::{SQLITE_IOERR_DIR_FSYNC, SQLITE_IOERR_FSYNC};

use crate::{DatabaseError, ProjectId, SessionKey, TaskState};

/// The database could not be used, or does not know what was asked for.
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
    /// Another process kept it locked for longer than one waits.
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
    /// What is on disk is not known: stop, and look again at the next start.
    #[error("`{path}` could not be brought safely to disk")]
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
    #[error("`{path}` is the root of another project already")]
    RootTaken { path: Utf8PathBuf },
    #[error("run `{run_id}` is not in the catalog")]
    UnknownRun { run_id: String },
    #[error("run `{run_id}` is in the catalog already")]
    RunExists { run_id: String },
}

/// Something that only the holder of a job may do was not done.
#[derive(Debug, thiserror::Error)]
pub enum LeaseError {
    /// The job was given to somebody else, or has ended. Whatever was done for it must not be kept.
    #[error("lease {token} of job `{job}` was lost")]
    Lost { job: String, token: u64 },
    #[error(transparent)]
    Catalog(#[from] CatalogError),
}

/// Something that a person asked of a job was not done.
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
    /// Its session waits in the queue already, as another job.
    #[error("job `{id}` is not needed: job `{by}` waits for the same session")]
    Superseded { id: String, by: String },
    #[error(transparent)]
    Catalog(#[from] CatalogError),
}

impl CatalogError {
    /// What a person can do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            CatalogError::Newer { .. } => {
                Some("a later version of acreta has used this database; update this one".to_owned())
            }
            CatalogError::Damaged { path, .. } if is_server(path) => {
                Some(format!("restore the database at `{path}` from a backup"))
            }
            CatalogError::Damaged { path, .. } => Some(format!(
                "move `{path}` away, with `{path}-wal` and `{path}-shm` if they are there; sessions are found again and nothing of memory is lost"
            )),
            CatalogError::Busy { .. } => {
                Some("wait for the other process to finish, and try again".to_owned())
            }
            CatalogError::Database { path, .. } if is_server(path) => Some(format!(
                "check that the server at `{path}` runs and that the user may use the database"
            )),
            _ => None,
        }
    }

    /// Whether a failed sync is at the bottom of it, after which nothing more should be written.
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
            Kind::Damaged => CatalogError::Damaged { path, cause },
            Kind::Sync => CatalogError::Sync { path, cause },
            Kind::Busy => CatalogError::Busy { path, cause },
            Kind::NoSpace => CatalogError::NoSpace { path, cause },
            Kind::Other => CatalogError::Database { path, cause },
        }
    }
}

/// Reports whether a database is a server and no file.
fn is_server(path: &Utf8Path) -> bool {
    path.as_str().starts_with("postgres://")
}

enum Kind {
    Damaged,
    Sync,
    Busy,
    NoSpace,
    Other,
}

fn kind_of(cause: &DatabaseError) -> Kind {
    match cause {
        DatabaseError::Sqlite(cause) => kind_of_sqlite(cause),
        #[cfg(feature = "postgres")]
        DatabaseError::Postgres(cause) => kind_of_postgres(cause),
        #[cfg(feature = "postgres")]
        DatabaseError::UnknownCommit(_) => Kind::Sync,
        _ => Kind::Other,
    }
}

fn kind_of_sqlite(cause: &rusqlite::Error) -> Kind {
    if is_unreadable(cause) {
        return Kind::Damaged;
    }
    let extended = cause.sqlite_error().map(|error| error.extended_code);
    if matches!(extended, Some(SQLITE_IOERR_FSYNC | SQLITE_IOERR_DIR_FSYNC)) {
        return Kind::Sync;
    }
    match cause.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Kind::Busy,
        Some(ErrorCode::DiskFull) => Kind::NoSpace,
        _ => Kind::Other,
    }
}

#[cfg(feature = "postgres")]
fn kind_of_postgres(cause: &postgres::Error) -> Kind {
    match cause.code().map(|code| code.code()) {
        // No lock within the time, a statement over its time, others in the way again and again.
        Some("55P03" | "57014" | "40001" | "40P01") => Kind::Busy,
        Some("53100") => Kind::NoSpace,
        Some("XX001" | "XX002") => Kind::Damaged,
        _ => Kind::Other,
    }
}

/// Reports whether SQLite cannot make sense of the file, or we cannot of a value in a database.
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
