//! Bounds of a value: its quotes, the end of its word or line, and whether its name starts a line.

use std::ops::Range;

use crate::edits::joint;

/// Reports whether a name starts its line, apart from prefixes that settings files allow.
pub(crate) fn starts_line(before: &[u8], commands: bool) -> bool {
    let mut rest = before;
    for _ in 0..48 {
        match rest {
            [] | [.., b'\n' | b'\r'] => return true,
            // A line number.
            [.., b'n' | b'r'] if rest.len() >= 2 && rest[rest.len() - 2] == b'\\' => return true,
            [
                ..,
                b' ' | b'\t' | b'-' | b'+' | b'>' | b'#' | b'"' | b'\'' | b'`' | b'.',
            ] => {
                rest = &rest[..rest.len() - 1];
            }
            [.., b'\\', b't'] => rest = &rest[..rest.len() - 2],
            [head @ .., 0xe2, 0x86, 0x92] => rest = head,
            [head @ .., digit] if digit.is_ascii_digit() => rest = head,
            [head @ .., b'\\'] => rest = head,
            _ => break,
        }
    }
    let words: [&[u8]; 8] = [
        b"export",
        b"set",
        b"ENV",
        b"ARG",
        b"local",
        b"setx",
        b"declare -x",
        b"Environment=",
    ];
    let mut heads = words.iter().filter_map(|word| rest.strip_suffix(*word));
    commands && heads.any(|head| starts_line(head, false))
}

/// A name within a shell's parameter expansion: `${NAME:?message}`, `${NAME:-default}`.
pub(crate) enum Expansion {
    /// The text after the operator is a message, or replaces a value that is set.
    Message,
    Default(Range<usize>),
}

/// Returns the expansion that contains a name, if it has an operator.
pub(crate) fn expansion(text: &str, name: &Range<usize>) -> Option<Expansion> {
    if !text[..name.start].ends_with("${") {
        return None;
    }
    // Names in a shell have no hyphen.
    let end = text[name.clone()]
        .find('-')
        .map_or(name.end, |at| name.start + at);
    let rest = text[end..].strip_prefix(':').unwrap_or(&text[end..]);
    let operator = rest.chars().next()?;
    let from = text.len() - rest.len() + 1;
    match operator {
        '?' | '+' => Some(Expansion::Message),
        '-' | '=' => {
            let end = text.floor_char_boundary((from + 200).min(text.len()));
            let length = text[from..end].find(['}', '\n'])?;
            let inner = text[from..from + length].trim_matches(['\\', '"', '\'']);
            let start = from + text[from..from + length].find(inner)?;
            Some(Expansion::Default(start..start + inner.len()))
        }
        _ => None,
    }
}

/// Reports whether a line ends here, apart from space and a comment.
pub(crate) fn ends_line(after: &[u8]) -> bool {
    let space = after
        .iter()
        .take(8)
        .take_while(|it| matches!(it, b' ' | b'\t'));
    let space = space.count();
    match &after[space..] {
        [] | [b'\n' | b'\r' | b'\\' | b'"', ..] => true,
        [b'#', ..] => space > 0,
        _ => false,
    }
}

/// Returns the length of four groups of four letters, if a line consists of them.
pub(crate) fn four_groups(bytes: &[u8]) -> Option<usize> {
    let groups = bytes.get(..19)?;
    let fits = |(at, byte): (usize, &u8)| match at % 5 {
        4 => *byte == b' ',
        _ => byte.is_ascii_lowercase(),
    };
    (groups.iter().enumerate().all(fits) && ends_line(&bytes[19..])).then_some(19)
}

/// Returns the old value, or else the new one, in a word diff: `[-old-]{+new+}`.
pub(crate) fn changed(text: &str, from: usize) -> Option<Range<usize>> {
    let rest = &text[from..text.floor_char_boundary((from + 512).min(text.len()))];
    let inner = |open: usize, close: &str| {
        let length = rest[open..].find(close)?;
        let value = &rest[open..open + length];
        let is_one = !value.is_empty() && !value.contains(char::is_whitespace);
        (is_one && !value.contains("[redacted")).then_some(from + open..from + open + length)
    };
    if !rest.starts_with("[-") && !rest.starts_with("{+") {
        return None;
    }
    let old = rest.starts_with("[-").then(|| inner(2, "-]")).flatten();
    old.or_else(|| inner(rest.find("{+")? + 2, "+}"))
}

/// Returns the value on the line after a name and a colon, if it is alone there.
pub(crate) fn next_line(text: &str, name: usize, from: usize) -> Option<Range<usize>> {
    let separator = &text[name..from];
    let breaks = separator.matches('\n').count() + separator.matches("\\n").count();
    let is_label = separator
        .trim_start_matches(['"', '*', '`'])
        .starts_with(':');
    if breaks != 1 || !is_label || separator.contains('"') {
        return None;
    }
    let bytes = text.as_bytes();
    let length = unquoted(&bytes[from..], Reach::Line);
    (length >= 8 && ends_line(&bytes[from + length..])).then_some(from..from + length)
}

/// End of an unquoted value.
#[derive(Clone, Copy)]
pub(crate) enum Reach {
    /// To the next space.
    Line,
    /// To the next part of a connection string.
    Part,
    /// To the next tag.
    Tag,
    /// To any character that ends a word of code or of a command.
    Word,
}

pub(crate) fn unquoted(bytes: &[u8], reach: Reach) -> usize {
    let ends: &[u8] = match reach {
        Reach::Line => b"\\\"",
        Reach::Part => b"\\\"';",
        Reach::Tag => b"\\\"<",
        Reach::Word => b"\\\"'`,;&<>()[]{}|",
    };
    bytes
        .iter()
        .take(1000)
        .take_while(|byte| (byte.is_ascii_graphic() && !ends.contains(byte)) || !byte.is_ascii())
        .count()
}

/// Returns the text between the quote at `from` and its closing quote.
pub(crate) fn quoted(text: &str, from: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    // `b"`, `$'`, `@"`
    let prefix = usize::from(matches!(
        bytes.get(from)?,
        b'b' | b'r' | b'u' | b'f' | b'$' | b'@' | b'L' | b'N'
    ));
    let at = from + prefix;
    let depth = bytes[at..]
        .iter()
        .take(32)
        .take_while(|it| **it == b'\\')
        .count();
    let quote = *bytes.get(at + depth)?;
    if !matches!(quote, b'"' | b'\'' | b'`') {
        return None;
    }
    let start = at + depth + 1;
    let mut index = start;
    let limit = (start + 1000).min(bytes.len());
    while index < limit {
        match bytes[index] {
            b'\\' => {
                let count = bytes[index..].iter().take_while(|it| **it == b'\\').count();
                if count <= depth && bytes.get(index + count) == Some(&quote) {
                    match joint(bytes, index + count).or_else(|| requoted(bytes, index + count)) {
                        Some(end) => index = end,
                        None => return Some(start..index),
                    }
                } else {
                    index += count + 1;
                }
            }
            b'\n' | b'\r' => return None,
            byte if byte == quote => match joint(bytes, index).or_else(|| requoted(bytes, index)) {
                Some(end) => index = end,
                None => return Some(start..index),
            },
            _ => index += 1,
        }
    }
    None
}

/// Returns the offset at which a shell text continues after the quote at `at`, if a quote is part of it: `'it'"'"'s'`,
/// `'it'\\''s'`.
fn requoted(bytes: &[u8], at: usize) -> Option<usize> {
    if bytes[at] != b'\'' {
        return None;
    }
    let forms: [&[u8]; 4] = [b"'\"'\"'", b"'\\\"'\\\"'", b"'\\''", b"'\\\\''"];
    let form = forms.iter().find(|form| bytes[at..].starts_with(form))?;
    Some(at + form.len())
}
