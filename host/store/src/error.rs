//! Errors of the store. Each names the file; the I/O error is its source.

use std::io;

use acreta_fs::{FsError, LockError};
use camino::Utf8PathBuf;

/// The store could not be opened, locked or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process is writing to this memory.
    #[error("memory is being written by another process{}: `{path}` is locked", holder_note(.holder))]
    Busy {
        path: Utf8PathBuf,
        holder: Option<u32>,
    },
    /// The folder came with a repository that this user did not register.
    #[error("`{path}` belongs to a project that is not registered")]
    Closed { path: Utf8PathBuf },
    #[error("endorsements for `{path}` cannot be stored: the user's folder is not known")]
    NoWords { path: Utf8PathBuf },
    #[error(transparent)]
    Fs(#[from] FsError),
}

/// A change that was not made, or not finished.
#[derive(Debug, thiserror::Error)]
pub enum CommitError {
    #[error("run id `{run_id}` is not a valid folder name")]
    InvalidRun { run_id: String },
    #[error("change of `{path}` is refused: {reason}")]
    InvalidPath {
        path: Utf8PathBuf,
        reason: &'static str,
    },
    /// Nothing was written. Read again and decide again.
    #[error("`{path}` changed since it was read")]
    Stale { path: Utf8PathBuf },
    /// `recover` must first finish an earlier commit.
    #[error("commit `{run_id}` is unfinished")]
    Unfinished { run_id: String },
    /// The change is decided; `recover` will finish it.
    #[error("commit `{run_id}` was interrupted and will be finished at the next start")]
    Interrupted {
        run_id: String,
        #[source]
        cause: Box<CommitError>,
    },
    #[error("journal `{path}` is damaged: {reason}")]
    Damaged { path: Utf8PathBuf, reason: String },
    /// The state on disk is unknown: stop, and call `recover` at the next start.
    #[error("changes could not be synced to disk")]
    Sync(#[source] FsError),
    #[error(transparent)]
    Fs(FsError),
    /// The hook of the commit failed.
    #[error("commit could not be recorded")]
    Hook(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl CommitError {
    /// Returns the error of reading what a journal names. Something of another kind than a journal has, which trying again
    /// does not change, makes the journal a damaged one.
    pub(crate) fn of_journal(error: FsError) -> Self {
        let is_lasting = match &error {
            FsError::InvalidPath { .. }
            | FsError::TooLarge { .. }
            | FsError::NotRegular { .. }
            | FsError::NotDirectory { .. }
            | FsError::Link { .. } => true,
            FsError::Io { cause, .. } => matches!(
                cause.kind(),
                io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename
            ),
            _ => false,
        };
        match is_lasting {
            true => CommitError::Damaged {
                path: error.path().to_owned(),
                reason: error.to_string(),
            },
            false => error.into(),
        }
    }

    /// Reports whether the cause is a failed sync, after which nothing more can be written.
    pub fn is_sync(&self) -> bool {
        match self {
            CommitError::Sync(_) => true,
            CommitError::Interrupted { cause, .. } => cause.is_sync(),
            _ => false,
        }
    }
}

impl From<FsError> for CommitError {
    fn from(error: FsError) -> Self {
        if error.is_sync() {
            CommitError::Sync(error)
        } else {
            CommitError::Fs(error)
        }
    }
}

impl From<LockError> for StoreError {
    fn from(error: LockError) -> Self {
        match error {
            LockError::Busy { path, holder } => StoreError::Busy { path, holder },
            LockError::Fs(error) => StoreError::Fs(error),
        }
    }
}

fn holder_note(holder: &Option<u32>) -> String {
    holder
        .map(|pid| format!(" (pid {pid})"))
        .unwrap_or_default()
}
