//! Finds a quoted passage in a text. Agents quote nearly verbatim: blanks, case, quotation marks and the full stop at the
//! end may differ, and nothing else may.

use std::ops::Range;

/// Maximum bytes of a text that is searched.
const TEXT_BYTES: usize = 1024 * 1024;

/// Returns the last place of a passage in a text.
pub(crate) fn find(text: &str, passage: &str) -> Option<Range<usize>> {
    let text = acreta_text::head(text, TEXT_BYTES);
    let passage = passage.trim();
    if passage.is_empty() {
        return None;
    }
    if let Some(start) = text.rfind(passage) {
        return Some(start..start + passage.len());
    }
    let wanted: Vec<char> = letters(passage).map(|(_, letter)| letter).collect();
    let end = wanted.iter().rposition(|letter| !is_end(*letter))? + 1;
    let wanted = &wanted[..end];
    let found: Vec<(usize, char)> = letters(text).collect();
    let fits = |window: &[(usize, char)]| window.iter().map(|(_, letter)| letter).eq(wanted);
    let first = found.windows(wanted.len()).rposition(fits)?;
    let last = found[first + wanted.len() - 1].0;
    let length = text[last..].chars().next().map_or(0, char::len_utf8);
    Some(found[first].0..last + length)
}

fn is_end(letter: char) -> bool {
    matches!(letter, '.' | '!' | '?' | '。' | '！' | '？' | '…')
}

/// Returns the characters of a text that count, each with its position.
fn letters(text: &str) -> impl Iterator<Item = (usize, char)> {
    text.char_indices().filter_map(|(place, letter)| {
        let plain = match letter {
            '“' | '”' | '„' => '"',
            '‘' | '’' => '\'',
            '*' | '`' => return None,
            _ if letter.is_whitespace() => return None,
            _ => letter.to_lowercase().next().unwrap_or(letter),
        };
        Some((place, plain))
    })
}
