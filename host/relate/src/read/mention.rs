//! Results of reading: the meaningful words, one by one.

use crate::lexicon::Concept;

/// Kind of a mention.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MentionClass {
    Name,
    Number,
    Word,
    /// A word that carries little meaning: a common technical verb or noun.
    Generic,
}

/// One occurrence of a meaningful word.
#[derive(Debug, Clone)]
pub(crate) struct Mention {
    pub(crate) concept: Concept,
    /// Keys of the pieces, if there are several.
    pub(crate) parts: Vec<u64>,
    /// Key of the word without its `un`, `non`, `in` or `dis`.
    pub(crate) without_prefix: Option<u64>,
    pub(crate) class: MentionClass,
    pub(crate) denied: bool,
    /// It is over: removed, dropped, no longer so.
    pub(crate) undone: bool,
    /// Position of the word.
    pub(crate) word: usize,
    pub(crate) sentence: usize,
    pub(crate) clause: usize,
}

/// Result of reading a text.
#[derive(Debug, Default)]
pub(crate) struct TextReading {
    pub(crate) mentions: Vec<Mention>,
    pub(crate) sentences: usize,
    pub(crate) clauses: usize,
    /// Words that say that something continues: `still`, `also`.
    pub(crate) continuities: usize,
    /// Words that refer to the past.
    pub(crate) pasts: usize,
    /// Hashes of each two neighbouring words.
    pub(crate) phrases: Vec<u64>,
}
