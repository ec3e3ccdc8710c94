//! Things found by the beginning of their id, as people type it.

/// What an id or the beginning of one stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup<T> {
    Missing,
    One(T),
    /// Some of those it may stand for, ten at most.
    Ambiguous(Vec<T>),
}

/// How many of several matches are given.
pub(crate) const SHOWN: usize = 10;

/// A condition that a column begins with the text of parameter 1. Ordered by that column, an exact
/// match comes first.
pub(crate) fn begins(column: &str) -> String {
    format!("{column} >= ?1 AND substr({column}, 1, length(?1)) = ?1")
}

impl<T> Lookup<T> {
    /// Sorts out what a query for `begins` found: an exact match stands before longer ids.
    pub(crate) fn new(mut found: Vec<T>, is_exact: impl Fn(&T) -> bool) -> Self {
        if found.iter().any(&is_exact) {
            found.retain(is_exact);
        }
        match found.len() {
            0 => Lookup::Missing,
            1 => found.pop().map_or(Lookup::Missing, Lookup::One),
            _ => {
                found.truncate(SHOWN);
                Lookup::Ambiguous(found)
            }
        }
    }

    pub fn one(self) -> Option<T> {
        match self {
            Lookup::One(found) => Some(found),
            _ => None,
        }
    }
}
