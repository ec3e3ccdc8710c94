//! Tells sentences that another hand wrote than the rest of a message. Who pastes prose writes a remark before or after it,
//! and types that as people type to an agent, while the prose was written to be read:
//!
//! ```text
//! can we pick this one up today?                       typed: opens in lower case
//!
//! Strictness should always be opt-in in this library.  pasted: a capital and a full stop, in the middle
//!
//! 👍 3
//! ```
//!
//! A message that is written one way from beginning to end, and its first and last paragraph, are not judged.

use std::ops::Range;

/// Returns where sentences that were written with care are not the person's: between the first and the last paragraph,
/// if one of these was typed carelessly.
pub(super) fn other_hand(text: &str) -> Range<usize> {
    let text = text.trim_end();
    let offset = text.len() - text.trim_start().len();
    let first = text[offset..].find("\n\n").map(|at| offset + at);
    let last = text.rfind("\n\n");
    match (first, last) {
        (Some(first), Some(last))
            if first < last
                && (is_careless(&text[offset..first]) || is_careless(&text[last..])) =>
        {
            first..last
        }
        _ => 0..0,
    }
}

/// Reports whether a paragraph opens with a small letter, or is one line without a stop.
fn is_careless(paragraph: &str) -> bool {
    let paragraph = paragraph.trim();
    opens_small(paragraph)
        || !paragraph.contains('\n')
            && paragraph.ends_with(|last: char| last.is_alphanumeric() || last == ')')
}

/// Reports whether a sentence has a full stop and does not open with a small letter.
pub(super) fn is_careful(sentence: &str) -> bool {
    let end = sentence.trim_end_matches(|last: char| !last.is_alphanumeric() && !is_stop(last));
    end.ends_with(is_stop) && !opens_small(sentence)
}

fn opens_small(text: &str) -> bool {
    let letter = text.chars().find(|one| one.is_alphabetic());
    letter.is_some_and(char::is_lowercase)
}

fn is_stop(character: char) -> bool {
    matches!(character, '.' | '!' | '。' | '！' | '।' | '۔')
}
