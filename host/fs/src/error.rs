//! File system errors. Each names its path; the system's error is its source.

use std::io;

use camino::{Utf8Path, Utf8PathBuf};

use crate::{EntryKind, OperationKind};

/// A failed file system operation.
#[derive(Debug, thiserror::Error)]
pub enum FsError {
    #[error("invalid path `{path}`: it {reason}")]
    InvalidPath {
        path: Utf8PathBuf,
        reason: &'static str,
    },
    #[error("`{path}` does not exist")]
    NotFound {
        path: Utf8PathBuf,
        #[source]
        cause: io::Error,
    },
    #[error("`{path}` already exists")]
    AlreadyExists {
        path: Utf8PathBuf,
        #[source]
        cause: io::Error,
    },
    #[error("`{path}` is larger than {limit} bytes")]
    TooLarge { path: Utf8PathBuf, limit: u64 },
    #[error("`{path}` is a {kind}, not a regular file")]
    NotRegular { path: Utf8PathBuf, kind: EntryKind },
    #[error("`{path}` is a {kind}, not a directory")]
    NotDirectory { path: Utf8PathBuf, kind: EntryKind },
    /// At or beneath a project's own folder, where a repository could redirect it anywhere.
    #[error("`{path}` is a symbolic link, which acreta does not follow in a project's `.acreta`")]
    Link { path: Utf8PathBuf },
    #[error("`{path}` is not valid UTF-8")]
    NotUtf8 { path: Utf8PathBuf },
    #[error("no space left to {action} `{path}`")]
    NoSpace {
        path: Utf8PathBuf,
        action: OperationKind,
        #[source]
        cause: io::Error,
    },
    #[error("could not {action} `{path}` on a read-only file system")]
    ReadOnly {
        path: Utf8PathBuf,
        action: OperationKind,
        #[source]
        cause: io::Error,
    },
    #[error("not allowed to {action} `{path}`")]
    PermissionDenied {
        path: Utf8PathBuf,
        action: OperationKind,
        #[source]
        cause: io::Error,
    },
    /// A failed sync cannot be retried: further writes through this directory are refused.
    #[error("could not sync `{path}` to disk; further writes are refused")]
    Sync {
        path: Utf8PathBuf,
        #[source]
        cause: io::Error,
    },
    #[error("`{path}` has more than {allowed} {limit}")]
    OverLimit {
        path: Utf8PathBuf,
        limit: &'static str,
        allowed: u64,
    },
    #[error("could not {action} `{path}`")]
    Io {
        path: Utf8PathBuf,
        action: OperationKind,
        #[source]
        cause: io::Error,
    },
}

impl FsError {
    pub fn path(&self) -> &Utf8Path {
        match self {
            FsError::InvalidPath { path, .. }
            | FsError::NotFound { path, .. }
            | FsError::AlreadyExists { path, .. }
            | FsError::TooLarge { path, .. }
            | FsError::NotRegular { path, .. }
            | FsError::NotDirectory { path, .. }
            | FsError::Link { path }
            | FsError::NotUtf8 { path }
            | FsError::NoSpace { path, .. }
            | FsError::ReadOnly { path, .. }
            | FsError::PermissionDenied { path, .. }
            | FsError::Sync { path, .. }
            | FsError::OverLimit { path, .. }
            | FsError::Io { path, .. } => path,
        }
    }

    pub fn is_not_found(&self) -> bool {
        matches!(self, FsError::NotFound { .. })
    }

    pub fn is_link(&self) -> bool {
        matches!(self, FsError::Link { .. })
    }

    /// Returns advice on how to fix the cause, if there is any.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            FsError::Link { .. } => {
                Some("replace the link with a real file or folder, or remove it")
            }
            FsError::PermissionDenied { .. } | FsError::ReadOnly { .. } => Some(
                "give yourself access to it, or choose another place: `ACRETA_HOME` for acreta's own folder, `acreta run --memory-root DIR --workspace-root DIR` for a project's",
            ),
            FsError::NoSpace { .. } => Some("free some space, then try again"),
            FsError::NotRegular { .. } | FsError::NotDirectory { .. } => {
                Some("acreta needs this name for itself: move away what is there")
            }
            FsError::NotUtf8 { .. } => Some("save it as UTF-8, or move it away"),
            FsError::Io { cause, .. } if cause.kind() == io::ErrorKind::NotADirectory => Some(
                "a part of this path is a file: move it away, or choose another place with `ACRETA_HOME`",
            ),
            _ => None,
        }
    }

    pub fn is_sync(&self) -> bool {
        matches!(self, FsError::Sync { .. })
    }

    pub(crate) fn new(action: OperationKind, path: Utf8PathBuf, cause: io::Error) -> Self {
        if action.is_sync() {
            return FsError::Sync { path, cause };
        }
        match cause.kind() {
            io::ErrorKind::NotFound => FsError::NotFound { path, cause },
            io::ErrorKind::AlreadyExists => FsError::AlreadyExists { path, cause },
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => FsError::NoSpace {
                path,
                action,
                cause,
            },
            io::ErrorKind::ReadOnlyFilesystem => FsError::ReadOnly {
                path,
                action,
                cause,
            },
            io::ErrorKind::PermissionDenied => FsError::PermissionDenied {
                path,
                action,
                cause,
            },
            _ => FsError::Io {
                path,
                action,
                cause,
            },
        }
    }
}

impl From<FsError> for io::Error {
    fn from(error: FsError) -> Self {
        let kind = match &error {
            FsError::NotFound { cause, .. }
            | FsError::AlreadyExists { cause, .. }
            | FsError::NoSpace { cause, .. }
            | FsError::ReadOnly { cause, .. }
            | FsError::PermissionDenied { cause, .. }
            | FsError::Sync { cause, .. }
            | FsError::Io { cause, .. } => cause.kind(),
            _ => io::ErrorKind::Other,
        };
        io::Error::new(kind, error)
    }
}

/// A lock could not be taken.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process holds it; `holder` is the process id in the file, if it can be read.
    #[error("`{path}` is locked by another process{}", holder_note(.holder))]
    Busy {
        path: Utf8PathBuf,
        holder: Option<u32>,
    },
    #[error(transparent)]
    Fs(#[from] FsError),
}

fn holder_note(holder: &Option<u32>) -> String {
    holder
        .map(|pid| format!(" (pid {pid})"))
        .unwrap_or_default()
}
