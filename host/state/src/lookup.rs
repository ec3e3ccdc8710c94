//! Lookup by id prefix, as people type it.

/// Result of looking up an id or a prefix of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup<T> {
    Missing,
    One(T),
    /// Some of the matches, at most ten.
    Ambiguous(Vec<T>),
}

/// Maximum number of matches in an ambiguous result.
pub(crate) const SHOWN: usize = 10;

/// Builds the condition that a column starts with the text of parameter 1. Ordered by that column, an exact match comes
/// first.
pub(crate) fn begins(column: &str) -> String {
    format!("{column} >= ?1 AND substr({column}, 1, length(?1)) = ?1")
}

impl<T> Lookup<T> {
    /// Classifies the rows that a query with `begins` returned; an exact match wins over longer ids.
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
