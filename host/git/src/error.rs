//! Errors of reading a repository, with the path and the cause.

use std::io;

use camino::{Utf8Path, Utf8PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum GitError {
    #[error("`{path}` is not a git repository")]
    NotARepository { path: Utf8PathBuf },
    #[error("unsupported git repository `{path}`: {what}")]
    Unsupported {
        path: Utf8PathBuf,
        what: &'static str,
    },
    #[error("`{path}` is damaged: {what}")]
    Damaged { path: Utf8PathBuf, what: String },
    #[error("`{path}` exceeds a limit: {what}")]
    TooLarge {
        path: Utf8PathBuf,
        what: &'static str,
    },
    #[error("unknown revision `{revision}` in `{path}`")]
    Revision { path: Utf8PathBuf, revision: String },
    #[error("could not read `{path}`")]
    Io {
        path: Utf8PathBuf,
        #[source]
        cause: io::Error,
    },
}

impl GitError {
    pub(crate) fn damaged(path: &Utf8Path, what: impl ToString) -> Self {
        Self::Damaged {
            path: path.to_owned(),
            what: what.to_string(),
        }
    }

    pub(crate) fn too_large(path: &Utf8Path, what: &'static str) -> Self {
        Self::TooLarge {
            path: path.to_owned(),
            what,
        }
    }

    pub(crate) fn io(path: &Utf8Path, cause: io::Error) -> Self {
        Self::Io {
            path: path.to_owned(),
            cause,
        }
    }
}
