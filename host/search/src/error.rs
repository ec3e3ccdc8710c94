//! Errors of a search. A damaged or missing index is not one: it is rebuilt, or bypassed.

use acreta_fs::{FsError, LockError};
use camino::Utf8PathBuf;

/// A failed search.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The folder of the scope cannot be read.
    #[error("could not read the memory in `{path}`")]
    Memory {
        path: Utf8PathBuf,
        #[source]
        cause: FsError,
    },
    /// Another process writes the index of sessions, and does not end.
    #[error("could not take the lock of the index in `{path}`")]
    Locked {
        path: Utf8PathBuf,
        #[source]
        cause: LockError,
    },
    /// An in-memory index failed, so rebuilding cannot help.
    #[error("could not search the index in `{path}`")]
    Engine {
        path: Utf8PathBuf,
        #[source]
        cause: tantivy::TantivyError,
    },
}
