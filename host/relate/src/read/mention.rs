//! What reading finds: the words that mean something, one by one.

use crate::lexicon::Concept;

/// What kind of thing is mentioned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    Name,
    Number,
    Word,
    /// A word that says little: a common verb or noun of the trade.
    Generic,
}

/// One occurrence of a word that means something.
#[derive(Debug, Clone)]
pub(crate) struct Mention {
    pub(crate) concept: Concept,
    /// Keys of the pieces, when there is more than one.
    pub(crate) parts: Vec<u64>,
    /// Key of the word without its `un`, `non`, `in` or `dis`.
    pub(crate) without_prefix: Option<u64>,
    pub(crate) class: Class,
    pub(crate) denied: bool,
    /// It is over: removed, dropped, no longer so.
    pub(crate) undone: bool,
    /// Position of the word.
    pub(crate) word: usize,
    pub(crate) sentence: usize,
    pub(crate) clause: usize,
}

/// A text as it was read.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub(crate) mentions: Vec<Mention>,
    pub(crate) sentences: usize,
    pub(crate) clauses: usize,
    /// Words that say that something goes on: `still`, `also`.
    pub(crate) continuities: usize,
    /// Words that tell of what was.
    pub(crate) pasts: usize,
    /// Each two neighbouring words, as a number.
    pub(crate) phrases: Vec<u64>,
}
