//! A sentence that a person typed, and the mark for what was cut between two.

use super::stance::Stance;

/// Stands where something was cut out.
pub(crate) const GAP: char = '\u{0}';

/// A sentence that the person typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unit {
    pub(crate) text: String,
    /// The sentence as it stands, with what it quotes.
    pub(crate) whole: String,
    /// Examples that it gives: they belong to it and state nothing.
    pub(crate) example: String,
    pub(crate) stance: Stance,
}
