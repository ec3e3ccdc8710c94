//! Errors of the raw archive. Each names its file.

use std::io;

use acreta_fs::FsError;
use camino::Utf8PathBuf;

use crate::objects::ObjectError;

/// A session could not be archived, or an archived one could not be read.
#[derive(Debug, thiserror::Error)]
pub enum RescueError {
    #[error(transparent)]
    Fs(#[from] FsError),
    #[error(transparent)]
    Shared(#[from] ObjectError),
    #[error("could not read `{path}`")]
    Read {
        path: Utf8PathBuf,
        #[source]
        cause: io::Error,
    },
    /// The file was rewritten meanwhile; a retry may succeed.
    #[error("`{path}` changed while it was read: {found} of {expected} bytes were read")]
    Changed {
        path: Utf8PathBuf,
        expected: u64,
        found: u64,
    },
    #[error("`{path}` holds more than {allowed} bytes")]
    TooLarge { path: Utf8PathBuf, allowed: u64 },
    #[error("`{path}` expands to more than {allowed} times its compressed size")]
    Bomb { path: Utf8PathBuf, allowed: u64 },
    #[error("`{path}` cannot be decompressed")]
    Undecodable {
        path: Utf8PathBuf,
        #[source]
        cause: io::Error,
    },
    #[error("archived session `{path}` is damaged: its content has another digest")]
    Damaged { path: Utf8PathBuf },
    #[error("`{digest}` is not a SHA-256 digest in lower-case hex")]
    NotADigest { digest: String },
    #[error("agent `{agent}` has no archived session `{digest}`")]
    Missing { agent: String, digest: String },
}

impl RescueError {
    /// Returns true if a retry may succeed.
    pub fn is_retryable(&self) -> bool {
        matches!(self, RescueError::Changed { .. })
    }

    /// Returns true if shared storage does not have the content, or does not answer, which may pass.
    pub fn is_passing(&self) -> bool {
        match self {
            RescueError::Shared(error) => error.is_passing(),
            RescueError::Missing { .. } => true,
            _ => false,
        }
    }

    /// Returns advice on how to resolve the error.
    pub fn hint(&self) -> Option<String> {
        match self {
            RescueError::Shared(error) => error.hint(),
            _ => None,
        }
    }

    /// Recovers the original error from an I/O error that passed through readers and writers.
    pub(super) fn from_io(path: &camino::Utf8Path, cause: io::Error) -> Self {
        let cause = match cause.downcast::<RescueError>() {
            Ok(error) => return error,
            Err(cause) => cause,
        };
        match cause.downcast::<FsError>() {
            Ok(error) => RescueError::Fs(error),
            Err(cause) => RescueError::Read {
                path: path.to_owned(),
                cause,
            },
        }
    }
}

impl From<RescueError> for io::Error {
    fn from(error: RescueError) -> Self {
        io::Error::other(error)
    }
}
