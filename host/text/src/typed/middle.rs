//! The middle of a message. People type to an agent in one paragraph or two; what has more is mostly their remark around
//! something that they pasted, and what was written for readers opens with a capital:
//!
//! ```text
//! can we pick this one up today?                       typed: the first paragraph
//!
//! Strictness should always be opt-in in this library.  pasted
//!
//! oh and no flags                                      typed: opens with a small letter, as people type in passing
//!
//! What do they want?                                   typed: the last paragraph
//! ```
//!
//! Who writes three paragraphs with care waits to be asked. Scripts without small letters have no sign of a typing hand.

use std::ops::Range;

/// Returns what stands between the first and the last paragraph of a message.
pub(super) fn middle(text: &str) -> Range<usize> {
    let text = text.trim_end();
    let start = text.len() - text.trim_start().len();
    let first = text[start..].find("\n\n").map(|at| start + at);
    match (first, text.rfind("\n\n")) {
        (Some(first), Some(last)) if first < last => first..last,
        _ => 0..0,
    }
}

/// Reports whether a text opens with a small letter.
pub(super) fn is_jotted(text: &str) -> bool {
    let is_letter = |one: &char| one.is_alphabetic() && !matches!(one, 'ª' | 'º');
    text.chars().find(is_letter).is_some_and(char::is_lowercase)
}
