//! A candidate file for a task, with its relevance signals.

use acreta_symbols::Symbol;

use crate::rank::weights::Signals;

pub(crate) struct FileCandidate {
    pub(crate) index: u32,
    pub(crate) path: String,
    pub(crate) signs: Signals,
    pub(crate) symbols: Vec<Symbol>,
}
