//! Texts, and questions with the texts that answer them, whatever they were read from.

use acreta_search::Entry;

/// Entries that are searched together, and questions to them.
pub(crate) struct Corpus {
    /// The id of each is its place in this list.
    pub(crate) texts: Vec<Text>,
    pub(crate) questions: Vec<Question>,
}

pub(crate) struct Question {
    pub(crate) text: String,
    /// The entries that answer it, by place.
    pub(crate) entries: Vec<usize>,
    /// The parts that answer it, by place of their entry and in it; empty where that is not known.
    pub(crate) parts: Vec<(usize, usize)>,
}

pub(crate) struct Text {
    /// As search gets it.
    pub(crate) entry: Entry,
    /// As BM25 gets it: turns of a conversation, or one part with everything.
    pub(crate) parts: Vec<String>,
}
