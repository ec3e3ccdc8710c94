//! Ranks files by relevance to a task: words, names, and the weight of each signal.

pub(crate) mod candidate;
pub(crate) mod names;
pub(crate) mod query;
pub(crate) mod ranking;
pub(crate) mod stop_words;
pub(crate) mod terms;
pub(crate) mod weights;
