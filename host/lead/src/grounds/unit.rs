//! A sentence that a person typed, and the mark for a cut between two.

use super::stance::Stance;

/// Marks a place where something was cut out.
pub(crate) const GAP: char = '\u{0}';

/// A sentence that the person typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TypedSentence {
    pub(crate) text: String,
    /// The original sentence, including its quotations.
    pub(crate) whole: String,
    /// Examples in the sentence: they belong to it and state nothing.
    pub(crate) example: String,
    pub(crate) stance: Stance,
}
