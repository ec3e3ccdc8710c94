//! Hexadecimal dumps, as `hexdump -C`, `xxd` and `od` print them: what the bytes of their lines say.
//! A line is redacted as a whole, so that neither its digits nor its letters are left.

use crate::view::{Unit, View};

/// How the first offset of a line starts, in a dump's first four kilobytes.
pub(crate) const MARK: &str = "00000";

/// The longest dump that is read at once.
const LINES: usize = 1024;

/// A line has at most so many bytes.
const WIDTH: usize = 16;

/// The bytes of the dump whose first line has its offset at `at`, over the lines that show them, and where
/// the dump ends.
pub(crate) fn decoded(text: &str, at: usize) -> Option<(View, usize)> {
    let bytes = text.as_bytes();
    if !starts_line(bytes, at) {
        return None;
    }
    let mut view = View::default();
    let mut next = at;
    let mut end = at;
    for _ in 0..LINES {
        let Some(line) = Line::at(bytes, next) else {
            break;
        };
        view.add(&line.text, line.start..line.end, Unit::Whole);
        end = line.end;
        let Some(start) = after_break(bytes, line.end) else {
            break;
        };
        next = start;
    }
    (view.text.len() >= 8).then_some((view, end))
}

/// One line: what it says, from its first digit to its last letter.
struct Line {
    text: String,
    start: usize,
    end: usize,
}

impl Line {
    fn at(bytes: &[u8], at: usize) -> Option<Self> {
        let offset = bytes[at..].iter().take(17);
        let offset = offset.take_while(|it| it.is_ascii_hexdigit()).count();
        let mut index = at + offset;
        index += usize::from(bytes.get(index) == Some(&b':'));
        let gap = spaces(bytes, index);
        if !(6..=16).contains(&offset) || gap == 0 {
            return None;
        }
        index += gap;
        let start = index;
        let mut text = String::new();
        while text.len() < WIDTH {
            let group = bytes[index..].iter().take(9);
            let group = group.take_while(|it| it.is_ascii_hexdigit()).count();
            let after = bytes.get(index + group);
            if !matches!(group, 2 | 4 | 8)
                || after.is_some_and(|it| it.is_ascii_graphic() && *it != b'\\')
            {
                break;
            }
            text.extend(bytes[index..index + group].chunks_exact(2).map(letter));
            index += group;
            // More space is what a last line is filled with.
            if spaces(bytes, index) > 2 {
                break;
            }
            index += spaces(bytes, index);
        }
        let end = letters_end(bytes, index, text.len());
        (!text.is_empty()).then_some(Self { text, start, end })
    }
}

/// What two digits stand for; a byte that is no text is a sign that no token has.
fn letter(digits: &[u8]) -> char {
    let value = digits.iter().fold(0, |value, digit| {
        value * 16 + char::from(*digit).to_digit(16).unwrap_or_default()
    });
    let is_text = |it: &char| matches!(it, '\t' | '\n' | '\r' | ' '..='~');
    char::from_u32(value).filter(is_text).unwrap_or('\u{7f}')
}

/// Where the letters of a line end that stand after its digits, with the sign that closes them.
fn letters_end(bytes: &[u8], digits: usize, count: usize) -> usize {
    let mut at = digits + spaces(bytes, digits);
    let close = match bytes.get(at) {
        Some(b'|') => Some(b'|'),
        Some(b'>') => Some(b'<'),
        _ => None,
    };
    at += usize::from(close.is_some());
    for _ in 0..count {
        at += match bytes.get(at) {
            // Escaped, in JSON.
            Some(b'\\') if matches!(bytes.get(at + 1), Some(b'"' | b'\\')) => 2,
            Some(byte) if *byte == b' ' || (byte.is_ascii_graphic() && *byte != b'\\') => 1,
            _ => break,
        };
    }
    at + usize::from(close.is_some() && bytes.get(at).copied() == close)
}

fn spaces(bytes: &[u8], at: usize) -> usize {
    bytes[at..]
        .iter()
        .take(64)
        .take_while(|it| **it == b' ')
        .count()
}

/// Where the next line starts, if a line ends at `at`, as it is or in JSON.
fn after_break(bytes: &[u8], at: usize) -> Option<usize> {
    let count = bytes[at..]
        .iter()
        .take(16)
        .take_while(|it| **it == b'\\')
        .count();
    match (count, bytes.get(at + count)?) {
        (0, b'\r') if bytes.get(at + 1) == Some(&b'\n') => Some(at + 2),
        (0, b'\n') => Some(at + 1),
        (1.., b'n') => Some(at + count + 1),
        _ => None,
    }
    .map(|next| next + spaces(bytes, next))
}

/// Tells whether a line starts here, as it is or in JSON.
fn starts_line(bytes: &[u8], at: usize) -> bool {
    let indent = bytes[..at]
        .iter()
        .rev()
        .take(32)
        .take_while(|it| **it == b' ')
        .count();
    matches!(
        &bytes[..at - indent],
        [] | [.., b'\n' | b'\r' | b'"' | b'`' | b'\t'] | [.., b'\\', b'n']
    )
}
