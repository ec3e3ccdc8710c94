//! Errors that stop a whole sync. Problems with one file or one session are in its report.

use acreta_fs::{FsError, LockError};
use acreta_session_archive::RescueError;
use acreta_state::CatalogError;
use acreta_store::StoreError;

#[derive(Debug, thiserror::Error)]
pub enum SyncError {
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    #[error(transparent)]
    Fs(#[from] FsError),
    #[error(transparent)]
    Lock(#[from] LockError),
    #[error(transparent)]
    Archive(#[from] RescueError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("no adapter reads sessions of `{agent}` (available: {})", .known.join(", "))]
    UnknownAgent { agent: String, known: Vec<String> },
    #[error("the plugins of a run cannot be loaded: {message}")]
    Plugins { message: String },
}

impl SyncError {
    /// Returns advice on how to resolve the error.
    pub fn hint(&self) -> Option<String> {
        match self {
            SyncError::Catalog(error) => error.hint(),
            SyncError::Archive(error) => error.hint(),
            SyncError::Fs(error) => error.hint().map(str::to_owned),
            SyncError::UnknownAgent { .. } => {
                Some("`acreta connect list` shows the agents".to_owned())
            }
            _ => None,
        }
    }
}
