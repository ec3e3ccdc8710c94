//! Characters written as numbers: lists of decimal, hexadecimal or binary codes, and pairs of hexadecimal digits
//! separated by spaces or colons. A list is decoded together with the name before it.

use std::ops::Range;

use crate::view::{Unit, View};

/// Literals that almost every list of letters and digits contains, and little else.
pub(crate) const MARKS: &[&str] = &[
    ",10", ",11", ", 10", ", 11", "0x6", "0x7", " 0110", " 6a ", " 6b ", " 6c ", " 6d ", " 6e ",
    " 6f ", " 7a ", " 4a ", " 4b ", " 4c ", " 4d ", " 4e ", " 4f ", " 5a ", ":6a:", ":6b:", ":6c:",
    ":6d:", ":6e:", ":6f:", ":7a:", ":4a:", ":4b:", ":4c:", ":4d:", ":4e:", ":4f:", ":5a:",
];

/// Minimum number of elements of a list.
const LEAST: usize = 12;

/// Maximum distance from the start of a list to its mark, and maximum size of a list in bytes.
const BACK: usize = 256;
const LONGEST: usize = 8192;

/// Number of bytes before a list that are read with it.
const HEAD: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NumberFormat {
    Decimal,
    Prefixed,
    Pair,
    Bits,
}

/// Decodes the list around the mark at `at`, if it is one; returns also where the scan ended.
pub(crate) fn decoded(text: &str, at: usize) -> (Option<View>, usize) {
    let bytes = text.as_bytes();
    let kind = match &bytes[at..] {
        [b',', ..] => NumberFormat::Decimal,
        [b'0', b'x' | b'X', ..] => NumberFormat::Prefixed,
        [b' ', b'0', b'1', ..] => NumberFormat::Bits,
        _ => NumberFormat::Pair,
    };
    let belongs = |byte: &u8| match kind {
        NumberFormat::Decimal => byte.is_ascii_digit() || is_gap(*byte),
        NumberFormat::Prefixed => {
            byte.is_ascii_hexdigit() || is_gap(*byte) || matches!(byte, b'x' | b'X')
        }
        NumberFormat::Pair => byte.is_ascii_hexdigit() || matches!(byte, b' ' | b':'),
        NumberFormat::Bits => matches!(byte, b'0' | b'1' | b' '),
    };
    let back = bytes[..at].iter().rev().take(BACK);
    let mut next = at - back.take_while(|byte| belongs(byte)).count();
    let limit = (next + LONGEST).min(bytes.len());
    let mut list: Vec<(char, Range<usize>)> = Vec::new();
    while next < limit {
        match number(bytes, next, kind) {
            Some((code, end)) => {
                list.push((code, next..end));
                next = end + gap(&bytes[end..], kind);
                if next == end {
                    break;
                }
            }
            // The text before was not part of the list.
            None if next < at => {
                list.clear();
                next += 1;
            }
            None => break,
        }
    }
    let end = next.max(at + 1);
    if list.len() < LEAST {
        return (None, end);
    }
    (Some(view(text, &list)), end)
}

/// Returns the characters of a list, in quotes, after the text before it on its line.
fn view(text: &str, list: &[(char, Range<usize>)]) -> View {
    let first = list[0].1.start;
    let from = text.floor_char_boundary(first.saturating_sub(HEAD));
    let head = text[from..first].trim_end_matches(['[', '(', '{', ' ', '\n', '\t']);
    let line = head.rfind('\n').map_or(0, |at| at + 1);
    let mut view = View::default();
    view.copy(&head[line..], from + line);
    view.add("\"", first..first, Unit::Whole);
    let mut buffer = [0; 4];
    for (character, span) in list {
        view.add(
            character.encode_utf8(&mut buffer),
            span.clone(),
            Unit::Whole,
        );
    }
    let end = list[list.len() - 1].1.end;
    view.add("\"", end..end, Unit::Whole);
    view
}

/// Returns the character whose number starts at `at`, and the end of the number.
fn number(bytes: &[u8], at: usize, kind: NumberFormat) -> Option<(char, usize)> {
    let (from, radix, least, most) = match kind {
        NumberFormat::Decimal => (at, 10, 1, 3),
        NumberFormat::Prefixed
            if bytes[at..].starts_with(b"0x") || bytes[at..].starts_with(b"0X") =>
        {
            (at + 2, 16, 2, 2)
        }
        NumberFormat::Prefixed => return None,
        NumberFormat::Pair => (at, 16, 2, 2),
        NumberFormat::Bits => (at, 2, 8, 8),
    };
    let digits = bytes[from..].iter().take(most + 1);
    let digits = digits
        .take_while(|byte| char::from(**byte).is_digit(radix))
        .count();
    if !(least..=most).contains(&digits) {
        return None;
    }
    let text = std::str::from_utf8(&bytes[from..from + digits]).ok()?;
    let code = u32::from_str_radix(text, radix).ok()?;
    let character =
        char::from_u32(code).filter(|it| matches!(it, '\t' | '\n' | '\r' | ' '..='~'))?;
    Some((character, from + digits))
}

/// Returns the length of the separator between two numbers of a list; 0 at its end.
fn gap(bytes: &[u8], kind: NumberFormat) -> usize {
    match kind {
        NumberFormat::Pair | NumberFormat::Bits => {
            usize::from(matches!(bytes.first(), Some(b' ' | b':')))
        }
        NumberFormat::Decimal | NumberFormat::Prefixed => {
            let length = bytes.iter().take(48).take_while(|it| is_gap(**it)).count();
            let commas = bytes[..length].iter().filter(|it| **it == b',').count();
            // The letter of `\n`.
            let letter = bytes[..length].ends_with(b"\\") && bytes.get(length) == Some(&b'n');
            let spaces = match letter {
                true => {
                    bytes[length + 1..]
                        .iter()
                        .take(48)
                        .take_while(|it| **it == b' ')
                        .count()
                        + 1
                }
                false => 0,
            };
            if commas == 1 { length + spaces } else { 0 }
        }
    }
}

fn is_gap(byte: u8) -> bool {
    matches!(byte, b',' | b' ' | b'\n' | b'\r' | b'\t' | b'\\')
}
