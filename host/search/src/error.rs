//! What can keep a search from answering. The index never does: it is rebuilt, or done without.

use acreta_fs::FsError;
use camino::Utf8PathBuf;

/// A search that gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The folder of the scope cannot be read.
    #[error("could not read the memory in `{path}`")]
    Memory {
        path: Utf8PathBuf,
        #[source]
        cause: FsError,
    },
    /// An index in memory failed, which has no disk to blame.
    #[error("could not search the memory in `{path}`")]
    Engine {
        path: Utf8PathBuf,
        #[source]
        cause: tantivy::TantivyError,
    },
}
