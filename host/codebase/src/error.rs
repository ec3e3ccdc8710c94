//! Errors that concern a whole project. Problems with single files are reported as skipped entries of the answer.

use std::io;

use camino::Utf8PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum ContextError {
    #[error("`{path}` is not a directory")]
    NotADirectory { path: Utf8PathBuf },
    #[error("could not read the project `{path}`")]
    Project {
        path: Utf8PathBuf,
        #[source]
        cause: io::Error,
    },
    #[error("the project `{path}` has more than {limit} files")]
    TooManyFiles { path: Utf8PathBuf, limit: u64 },
    #[error("invalid path pattern `{pattern}`")]
    Pattern {
        pattern: String,
        #[source]
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    #[error("could not use the context cache")]
    Cache(#[from] acreta_fs::FsError),
    #[error("another process is writing the context of this project")]
    Busy(#[source] acreta_fs::LockError),
    #[error("could not compare `{path}` with the revision `{revision}`")]
    Revision {
        path: Utf8PathBuf,
        revision: String,
        #[source]
        cause: acreta_git::GitError,
    },
    #[error("could not set up redaction")]
    Redaction(#[from] acreta_redact::RuleError),
    #[error("{message}")]
    Request { message: String },
}

impl ContextError {
    /// Returns advice on how to fix the error.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            ContextError::NotADirectory { .. } => Some("name the folder of a project"),
            ContextError::TooManyFiles { .. } => {
                Some("name a folder within it, or exclude generated files in .gitignore")
            }
            ContextError::Revision { .. } => {
                Some("name a commit, tag or branch of this repository")
            }
            ContextError::Busy(_) => Some("try again when it has finished"),
            _ => None,
        }
    }
}
