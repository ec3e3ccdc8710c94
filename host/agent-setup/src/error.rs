//! Problems and errors. A problem with one file affects only that file and is reported with its path; an error of
//! `apply` states whether everything is unchanged.

use acreta_fs::FsError;
use camino::Utf8PathBuf;

/// A file that a plan skips, and the reason.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    #[error("{path}:{line}:{column}: {message}")]
    Syntax {
        path: Utf8PathBuf,
        line: usize,
        column: usize,
        message: String,
    },
    #[error("`{path}` has something at `{key}` that acreta's entry does not fit into")]
    Unfit { path: Utf8PathBuf, key: String },
    #[error("`{path}` has something else than an object at its top")]
    NoObject { path: Utf8PathBuf },
    #[error("`{path}` has `{key}` twice")]
    Twice { path: Utf8PathBuf, key: String },
    #[error("`{path}` is a link that leads nowhere")]
    DeadLink { path: Utf8PathBuf },
    #[error("the path of the binary must be absolute, not `{path}`")]
    RelativeBinary { path: Utf8PathBuf },
    #[error(transparent)]
    Disk(#[from] FsError),
}

/// A plan that was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    #[error("`{path}` changed since the plan was made; nothing was written")]
    Stale { path: Utf8PathBuf },
    #[error("`{folder}` holds the backup of another change; nothing was written")]
    FolderTaken { folder: Utf8PathBuf },
    #[error("the backup could not be made; nothing was written")]
    Backup(#[source] FsError),
    #[error("`{path}` could not be written; every file is as it was")]
    RolledBack {
        path: Utf8PathBuf,
        #[source]
        cause: FsError,
    },
    #[error("`{path}` could not be written, and not every file could be put back")]
    Partial {
        path: Utf8PathBuf,
        /// Folder of the receipt that restores the rest.
        folder: Utf8PathBuf,
        #[source]
        cause: FsError,
    },
}

/// A receipt that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReceiptError {
    #[error(transparent)]
    Disk(#[from] FsError),
    #[error("`{path}` is not a receipt this version knows")]
    Form {
        path: Utf8PathBuf,
        #[source]
        cause: serde_json::Error,
    },
}

impl ApplyError {
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            ApplyError::Stale { .. } => Some("look at the plan again; an agent may be running"),
            ApplyError::Partial { .. } => Some("undo with the receipt in the backup folder"),
            _ => None,
        }
    }
}
