//! Results of a search: hits and their source.

use acreta_store::Trust;
use acreta_types::MemoryType;
use camino::Utf8PathBuf;

use crate::{Explanation, Snippet, Status};

/// Result of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchResults {
    /// Best first.
    pub hits: Vec<Hit>,
    pub source: Source,
    /// A warning for the user, for example that the model could not be used.
    pub warning: Option<String>,
}

/// Index that an answer came from. The answer is correct in all cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The index on disk.
    Disk,
    /// An index in memory, because the one on disk could not be used or written.
    Memory,
    /// There is no memory yet.
    Nothing,
}

/// A memory that matches. Its texts are untrusted: display them through `acreta_text::visible`.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub id: String,
    /// Relative to the memory root.
    pub path: Utf8PathBuf,
    pub memory_type: MemoryType,
    pub kind: String,
    pub title: String,
    pub trust: Trust,
    pub status: Status,
    /// Names something that no longer exists in the repository.
    pub is_stale: bool,
    pub score: f32,
    /// Cosine similarity of the best passage and the question. `None` if no model was used or the passage has no vector
    /// yet.
    pub closeness: Option<f32>,
    /// From the best passage.
    pub snippet: Snippet,
    /// Set if the query asked for it.
    pub explanation: Option<Explanation>,
}
