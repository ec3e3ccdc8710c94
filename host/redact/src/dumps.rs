//! Decodes hexadecimal dumps as printed by `hexdump -C`, `xxd` and `od`. A line is redacted as a whole, so that neither
//! its digits nor its letters remain.

use crate::view::{Unit, View};

/// Start of a line's offset, in the first four kilobytes of a dump.
pub(crate) const MARK: &str = "00000";

/// Maximum number of lines that are decoded at once.
const LINES: usize = 1024;

/// Maximum number of bytes in a line.
const WIDTH: usize = 16;

/// Decodes the dump whose first line has its offset at `at`; returns the view and the end of the dump.
pub(crate) fn decoded(text: &str, at: usize) -> Option<(View, usize)> {
    let bytes = text.as_bytes();
    if !starts_line(bytes, at) {
        return None;
    }
    let mut view = View::default();
    let mut next = at;
    let mut end = at;
    for _ in 0..LINES {
        let Some(line) = DumpLine::at(bytes, next) else {
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

/// One line: its text, and its span from the first digit to the last letter.
struct DumpLine {
    text: String,
    start: usize,
    end: usize,
}

impl DumpLine {
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
            // More spaces pad a last line.
            if spaces(bytes, index) > 2 {
                break;
            }
            index += spaces(bytes, index);
        }
        let end = letters_end(bytes, index, text.len());
        (!text.is_empty()).then_some(Self { text, start, end })
    }
}

/// Decodes two digits; a byte that is not text becomes a character that no token contains.
fn letter(digits: &[u8]) -> char {
    let value = digits.iter().fold(0, |value, digit| {
        value * 16 + char::from(*digit).to_digit(16).unwrap_or_default()
    });
    let is_text = |it: &char| matches!(it, '\t' | '\n' | '\r' | ' '..='~');
    char::from_u32(value).filter(is_text).unwrap_or('\u{7f}')
}

/// Returns the end of the letters after a line's digits, with their closing character.
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

/// Returns the start of the next line, if a line ends at `at`, plain or in JSON.
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

/// Reports whether a line starts here, plain or in JSON.
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
