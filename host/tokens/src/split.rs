//! Splits text into the pieces that tokens never cross. By hand what o200k's regular expression says, whose compilation
//! would cost more than most texts:
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

use crate::classes::Class;

/// The pieces of a text, in order; together they are the text.
pub(crate) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let (piece, after) = rest.split_at(length(rest, first));
        rest = after;
        Some(piece)
    })
}

/// Bytes of the first piece of a text that starts with `first`.
fn length(text: &str, first: char) -> usize {
    let class = Class::of(first);
    if let Some(length) = word(text, first, class) {
        return length;
    }
    match class {
        Class::Number => number(text),
        Class::Space => match text.strip_prefix(' ').map(symbols) {
            Some(symbols) if symbols > 0 => 1 + symbols,
            _ => space(text),
        },
        _ => symbols(text),
    }
}

/// A word, with one character before it that is neither letter, number nor line end.
fn word(text: &str, first: char, class: Class) -> Option<usize> {
    let may_precede = !class.is_letter() && class != Class::Number && !is_line_end(first);
    let skipped = if may_precede { first.len_utf8() } else { 0 };
    let preceded = may_precede.then(|| cased(&text[skipped..])).flatten();
    let cased = preceded
        .map(|length| skipped + length)
        .or_else(|| cased(text));
    let end = cased.or_else(|| {
        let length = run(&text[skipped..], Class::begins_word);
        (length > 0).then_some(skipped + length)
    })?;
    Some(end + contraction(&text[end..]))
}

/// `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+`, with the backtracking that its second part may need.
fn cased(text: &str) -> Option<usize> {
    let begin = run(text, Class::begins_word);
    let end = run(&text[begin..], Class::ends_word);
    if end > 0 {
        return Some(begin + end);
    }
    let last = text[..begin]
        .char_indices()
        .rfind(|(_, character)| Class::of(*character).ends_word());
    last.map(|(at, character)| at + character.len_utf8())
}

/// `(?i:'s|'t|'re|'ve|'m|'ll|'d)?`
fn contraction(text: &str) -> usize {
    let mut characters = text.chars();
    if characters.next() != Some('\'') {
        return 0;
    }
    let lower = |character: char| character.to_ascii_lowercase();
    match (characters.next().map(lower), characters.next().map(lower)) {
        (Some('s' | 't' | 'm' | 'd'), _) => 2,
        // The long s is a lower case s.
        (Some('ſ'), _) => 3,
        (Some('r' | 'v'), Some('e')) | (Some('l'), Some('l')) => 3,
        _ => 0,
    }
}

fn number(text: &str) -> usize {
    let numbers = text
        .chars()
        .take(3)
        .take_while(|character| Class::of(*character) == Class::Number);
    numbers.map(char::len_utf8).sum()
}

/// `[^\s\p{L}\p{N}]+[\r\n/]*`, or nothing.
fn symbols(text: &str) -> usize {
    let symbols = run(text, |class| matches!(class, Class::Mark | Class::Other));
    if symbols == 0 {
        return 0;
    }
    let rest = &text[symbols..];
    let after = rest.trim_start_matches(['\r', '\n', '/']);
    symbols + rest.len() - after.len()
}

/// White space: up to its last line end; else all of it at the end of the text; else all but its last character, which
/// goes with the word that follows.
fn space(text: &str) -> usize {
    let end = run(text, |class| class == Class::Space);
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

/// Bytes of the characters at the start whose class is wanted.
fn run(text: &str, wanted: impl Fn(Class) -> bool) -> usize {
    let end = text.find(|character| !wanted(Class::of(character)));
    end.unwrap_or(text.len())
}
