//! Which files a task is about: words, names, and the weight of each sign.

pub(crate) mod candidate;
pub(crate) mod names;
pub(crate) mod query;
pub(crate) mod ranking;
pub(crate) mod stop_words;
pub(crate) mod terms;
pub(crate) mod weights;
