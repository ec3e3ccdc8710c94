//! What can go wrong with rescued sessions. Each error names its file.

use std::io;

use acreta_fs::FsError;
use camino::Utf8PathBuf;

/// A session that was not rescued, or one that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RescueError {
    #[error(transparent)]
    Fs(#[from] FsError),
    #[error("could not read `{path}`")]
    Read {
        path: Utf8PathBuf,
        #[source]
        cause: io::Error,
    },
    /// Somebody rewrote it meanwhile; another try may find it whole.
    #[error("`{path}` changed while it was read: {found} of {expected} bytes were there")]
    Changed {
        path: Utf8PathBuf,
        expected: u64,
        found: u64,
    },
    #[error("`{path}` holds more than {allowed} bytes")]
    TooLarge { path: Utf8PathBuf, allowed: u64 },
    #[error("`{path}` holds more than {allowed} times what its compressed bytes say")]
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
    /// Whether the same may work a moment later.
    pub fn is_retryable(&self) -> bool {
        matches!(self, RescueError::Changed { .. })
    }

    /// What an error on the way through readers and writers was before it became one of theirs.
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
