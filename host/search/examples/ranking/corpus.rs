//! Texts, and questions with the texts that answer them, independent of their source.

use acreta_search::IndexEntry;

/// Entries that are searched together, and questions about them.
pub(crate) struct Corpus {
    /// The id of each is its position in this list.
    pub(crate) texts: Vec<Text>,
    pub(crate) questions: Vec<Question>,
}

pub(crate) struct Question {
    pub(crate) text: String,
    /// The entries that answer it, by position.
    pub(crate) entries: Vec<usize>,
    /// The parts that answer it, by position of their entry and in it; empty if unknown.
    pub(crate) parts: Vec<(usize, usize)>,
}

pub(crate) struct Text {
    /// Input for search.
    pub(crate) entry: IndexEntry,
    /// Input for BM25: turns of a conversation, or one part with everything.
    pub(crate) parts: Vec<String>,
}
