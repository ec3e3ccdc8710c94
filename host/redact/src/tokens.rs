//! Tokens that do not stand in one piece: over several lines or rows, in several literals, backwards or turned by thirteen.

use std::borrow::Cow;
use std::ops::Range;

use crate::edits;
use crate::letters::{alternates, is_short_word};
use crate::view::{Unit, View};

/// The longest token that is put together.
const LONGEST: usize = 1024;

/// A token is put together of at most so many pieces.
const PIECES: usize = 24;

/// A token put together.
#[derive(Debug)]
pub(crate) struct Joined {
    pub(crate) view: View,
    /// Where each piece but the first ends in the view.
    pub(crate) ends: Vec<usize>,
}

/// The token that starts at `at` and goes on after an end of line or in another literal; `None` when
/// it does not. `first` is what the rule found without that; `words` lets pieces be short words.
pub(crate) fn joined(
    text: &str,
    at: usize,
    first: Option<&Range<usize>>,
    words: bool,
) -> Option<Joined> {
    let bytes = text.as_bytes();
    if first.is_some_and(|span| bytes.get(span.end).is_some_and(|byte| is_token(*byte))) {
        return None;
    }
    let mut end = run_end(bytes, at);
    let mut next = gap(bytes, end)?;
    let mut view = View::default();
    view.copy(&text[at..end], at);
    let mut ends = Vec::new();
    while ends.len() < PIECES && view.text.len() < LONGEST {
        let stop = run_end(bytes, next);
        let piece = &text[next..stop];
        // Words of the next line are no part of a token that is complete.
        let belongs = match first {
            Some(_) => piece.len() >= 8 && ends_line(bytes, stop) && alternates(piece),
            None => !piece.is_empty() && (words || !is_short_word(piece)),
        };
        if !belongs {
            break;
        }
        view.copy(piece, next);
        ends.push(view.text.len());
        end = stop;
        match gap(bytes, end) {
            Some(after) => next = after,
            None => break,
        }
    }
    (!ends.is_empty()).then_some(Joined { view, ends })
}

/// The characters of a token that ends with `end`, last first.
pub(crate) fn reversed(text: &str, end: usize) -> Option<String> {
    let bytes = text.as_bytes();
    if bytes
        .get(end)
        .is_some_and(|byte| is_token(*byte) && *byte != b'.')
    {
        return None;
    }
    let from = end.saturating_sub(512);
    let length = bytes[from..end]
        .iter()
        .rev()
        .take_while(|byte| is_token(**byte))
        .count();
    (length >= 16).then(|| {
        bytes[end - length..end]
            .iter()
            .rev()
            .map(|byte| char::from(*byte))
            .collect()
    })
}

/// A text whose letters are turned by thirteen, which undoes itself.
pub(crate) fn rotated(text: &str) -> String {
    let turn = |it: char, first: u8| char::from((it as u8 - first + 13) % 26 + first);
    text.chars()
        .map(|it| match it {
            'a'..='z' => turn(it, b'a'),
            'A'..='Z' => turn(it, b'A'),
            _ => it,
        })
        .collect()
}

/// What stands around `at`, turned.
pub(crate) fn turned(text: &str, at: usize) -> View {
    let from = text.floor_char_boundary(at.saturating_sub(64));
    let to = text.ceil_char_boundary((at + LONGEST / 2).min(text.len()));
    let mut view = View::default();
    view.add(&rotated(&text[from..to]), from..to, Unit::Ratio(1, 1));
    view
}

fn run_end(bytes: &[u8], at: usize) -> usize {
    let run = bytes[at..].iter().take(LONGEST);
    at + run.take_while(|byte| is_token(**byte)).count()
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'+' | b'/' | b'=')
}

/// Where a token goes on that was broken at `end`: on the next line, or in the next literal.
fn gap(bytes: &[u8], end: usize) -> Option<usize> {
    let escapes = |at: usize| {
        bytes[at..]
            .iter()
            .take(16)
            .take_while(|it| **it == b'\\')
            .count()
    };
    let mut at = end;
    // The next literal of a list or a sum.
    let quote = at + escapes(at);
    if matches!(bytes.get(quote), Some(b'"' | b'\'' | b'`')) {
        return edits::next_literal(bytes, quote);
    }
    // The bar at the end of a table's row.
    let bar = |at: usize| {
        bytes[at..]
            .iter()
            .take(64)
            .take_while(|it| **it == b' ')
            .count()
    };
    let after = at + bar(at);
    let is_row = bars(&bytes[after..]);
    at = if is_row > 0 { after + is_row } else { at };
    let end = at;
    loop {
        let count = escapes(at);
        match bytes.get(at + count)? {
            b'n' | b'r' if count > 0 => at += count + 1,
            b'\n' | b'\r' => at += count + 1,
            _ if at == end => return None,
            _ => break,
        }
    }
    // The empty cells before the next piece.
    if is_row > 0 {
        for _ in 0..8 {
            let start = at + bar(at);
            match bars(&bytes[start..]) {
                0 => break,
                bar => at = start + bar,
            }
        }
        at += bar(at);
    }
    // Indentation, the number of a line, the mark of a quote or a diff.
    let mark = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'>' | b'|' | b'#' | b'*');
    at += bytes[at..].iter().take(32).take_while(mark).count();
    let number = bytes[at..]
        .iter()
        .take(6)
        .take_while(|it| it.is_ascii_digit());
    let number = number.count();
    if number > 0 {
        let after = &bytes[at + number..];
        let marks: [&[u8]; 4] = ["→".as_bytes(), "│".as_bytes(), b"\t", b": "];
        if let Some(mark) = marks.into_iter().find(|mark| after.starts_with(mark)) {
            at += number + mark.len();
            at += bytes[at..]
                .iter()
                .take(32)
                .take_while(|it| **it == b' ')
                .count();
        }
    }
    bytes
        .get(at)
        .is_some_and(|byte| is_token(*byte))
        .then_some(at)
}

/// The length of the bar between cells that a text starts with.
fn bars(bytes: &[u8]) -> usize {
    match bytes {
        [b'|', ..] => 1,
        [0xe2, 0x94, 0x82 | 0x83, ..] | [0xe2, 0x95, 0x91, ..] => 3,
        _ => 0,
    }
}

/// Tells whether nothing of the line follows but a quote or a sign of code.
fn ends_line(bytes: &[u8], at: usize) -> bool {
    let rest = &bytes[at..(at + 6).min(bytes.len())];
    let rest: Cow<'_, str> = String::from_utf8_lossy(rest);
    let rest = rest.trim_start_matches(['"', '\'', '`', ',', ';', ')', ' ', '+', '.', ']']);
    rest.is_empty() || rest.starts_with(['\n', '\r', '\\'])
}
