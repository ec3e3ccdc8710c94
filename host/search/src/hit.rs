//! Results of a search: hits, and where they came from.

use acreta_model::MemoryType;
use acreta_store::Trust;
use camino::Utf8PathBuf;

use crate::{Explanation, Snippet, Status};

/// What a search gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Best first.
    pub hits: Vec<Hit>,
    pub source: Source,
    /// What a person should know about how it was searched: that the model could not be used.
    pub warning: Option<String>,
}

/// Where an answer came from. It is right either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The index on disk.
    Disk,
    /// One built in memory, because the one on disk could not be used or written.
    Memory,
    /// There is no memory yet.
    Nothing,
}

/// A memory that was found. Its texts are untrusted: show them through `acreta_text::visible`.
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
    /// Names something that is gone from the repository.
    pub is_stale: bool,
    pub score: f32,
    /// How close the best passage is to the question in meaning: the cosine between them. `None` if no model was asked or
    /// the passage has no vector yet.
    pub closeness: Option<f32>,
    /// From the passage that fits best.
    pub snippet: Snippet,
    /// When it was asked for.
    pub explanation: Option<Explanation>,
}
