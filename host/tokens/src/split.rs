//! Splits text into the pieces that tokens never cross. Implements o200k's regular expression by hand, because
//! compiling it would take longer than counting most texts:
//!
//! ```text
//! [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//! [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//! \p{N}{1,3}
//!  ?[^\s\p{L}\p{N}]+[\r\n/]*
//! \s*[\r\n]+
//! \s+(?!\S)
//! \s+
//! ```

use crate::classes::CharClass;

/// Returns the pieces of a text in order; concatenated they are the text.
pub(crate) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let (piece, after) = rest.split_at(length(rest, first));
        rest = after;
        Some(piece)
    })
}

/// Returns the length of the first piece of a text that starts with `first`.
fn length(text: &str, first: char) -> usize {
    let class = CharClass::of(first);
    if let Some(length) = word(text, first, class) {
        return length;
    }
    match class {
        CharClass::Number => number(text),
        CharClass::Space => match text.strip_prefix(' ').map(symbols) {
            Some(symbols) if symbols > 0 => 1 + symbols,
            _ => space(text),
        },
        _ => symbols(text),
    }
}

/// Matches a word with an optional preceding character that is neither letter, number nor line end.
fn word(text: &str, first: char, class: CharClass) -> Option<usize> {
    let may_precede = !class.is_letter() && class != CharClass::Number && !is_line_end(first);
    let skipped = if may_precede { first.len_utf8() } else { 0 };
    let preceded = may_precede.then(|| cased(&text[skipped..])).flatten();
    let cased = preceded
        .map(|length| skipped + length)
        .or_else(|| cased(text));
    let end = cased.or_else(|| {
        let length = run(&text[skipped..], CharClass::begins_word);
        (length > 0).then_some(skipped + length)
    })?;
    Some(end + contraction(&text[end..]))
}

/// Matches `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+`, with backtracking for the second part.
fn cased(text: &str) -> Option<usize> {
    let begin = run(text, CharClass::begins_word);
    let end = run(&text[begin..], CharClass::ends_word);
    if end > 0 {
        return Some(begin + end);
    }
    let last = text[..begin]
        .char_indices()
        .rfind(|(_, character)| CharClass::of(*character).ends_word());
    last.map(|(at, character)| at + character.len_utf8())
}

/// Matches `(?i:'s|'t|'re|'ve|'m|'ll|'d)?`.
fn contraction(text: &str) -> usize {
    let mut characters = text.chars();
    if characters.next() != Some('\'') {
        return 0;
    }
    let lower = |character: char| character.to_ascii_lowercase();
    match (characters.next().map(lower), characters.next().map(lower)) {
        (Some('s' | 't' | 'm' | 'd'), _) => 2,
        // The long s (`ſ`) is equal to `s` when case is ignored.
        (Some('ſ'), _) => 3,
        (Some('r' | 'v'), Some('e')) | (Some('l'), Some('l')) => 3,
        _ => 0,
    }
}

fn number(text: &str) -> usize {
    let numbers = text
        .chars()
        .take(3)
        .take_while(|character| CharClass::of(*character) == CharClass::Number);
    numbers.map(char::len_utf8).sum()
}

/// Matches `[^\s\p{L}\p{N}]+[\r\n/]*`; returns 0 without a match.
fn symbols(text: &str) -> usize {
    let symbols = run(text, |class| {
        matches!(class, CharClass::Mark | CharClass::Other)
    });
    if symbols == 0 {
        return 0;
    }
    let rest = &text[symbols..];
    let after = rest.trim_start_matches(['\r', '\n', '/']);
    symbols + rest.len() - after.len()
}

/// Matches white space: up to its last line end; otherwise all of it at the end of the text; otherwise all but its last
/// character, which belongs to the following word.
fn space(text: &str) -> usize {
    let end = run(text, |class| class == CharClass::Space);
    let space = &text[..end];
    if let Some(at) = space.rfind(is_line_end) {
        return at + 1;
    }
    let last = space.chars().next_back().map_or(0, char::len_utf8);
    if end == text.len() || last == end {
        end
    } else {
        end - last
    }
}

fn is_line_end(character: char) -> bool {
    matches!(character, '\r' | '\n')
}

/// Returns the length of the prefix of characters whose class is wanted.
fn run(text: &str, wanted: impl Fn(CharClass) -> bool) -> usize {
    let end = text.find(|character| !wanted(CharClass::of(character)));
    end.unwrap_or(text.len())
}
