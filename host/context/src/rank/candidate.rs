//! A file that a task may be about, with the signs that speak for it.

use acreta_symbols::Symbol;

use crate::rank::weights::Signs;

pub(crate) struct Candidate {
    pub(crate) index: u32,
    pub(crate) path: String,
    pub(crate) signs: Signs,
    pub(crate) symbols: Vec<Symbol>,
}
