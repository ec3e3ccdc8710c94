//! Tokens that are not in one piece: over several lines or rows, in several literals, reversed or ROT13-encoded.

use std::borrow::Cow;
use std::ops::Range;

use crate::letters::{alternates, is_short_word, is_word};
use crate::view::{Unit, View};
use crate::{edits, rules, work};

/// Maximum length of a joined token.
const LONGEST: usize = 1024;

/// Maximum number of pieces of a token.
const PIECES: usize = 24;

/// A joined token.
#[derive(Debug)]
pub(crate) struct Joined {
    pub(crate) view: View,
    /// End of each piece except the first in the view.
    pub(crate) ends: Vec<usize>,
}

/// Joins the token that starts at `at` and continues after a line break or in another literal; `None` if it does not
/// continue. `first` is the rule's match without joining; `words` allows pieces that are short words.
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
        work::did(stop - next);
        // Words of the next line are not part of a complete token.
        let belongs = match first {
            Some(_) => {
                piece.len() >= 8
                    && ends_line(bytes, stop)
                    && alternates(piece)
                    && !starts_token(&text[at..], piece)
            }
            None => !piece.is_empty() && (words || !is_short_word(piece)),
        };
        let belongs = belongs && !is_assigned(piece);
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

/// Reports whether a piece is another token rather than the rest of `token`.
fn starts_token(token: &str, piece: &str) -> bool {
    let starts = |start: &str| {
        let head = piece.as_bytes().get(..start.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(start.as_bytes()))
    };
    token.get(..4).is_some_and(starts)
        || rules::all()
            .filter(|rule| rule.token)
            .flat_map(|rule| rule.keywords)
            .any(|keyword| keyword.len() >= 4 && starts(keyword))
}

/// Reports whether a piece is `NAME=value`. Tokens may contain `=` too, but not after a name.
fn is_assigned(piece: &str) -> bool {
    let Some((name, value)) = piece.split_once('=') else {
        return false;
    };
    let is_constant = !name.bytes().any(|byte| byte.is_ascii_lowercase());
    !value.trim_start_matches('=').is_empty()
        && name.len() >= 2
        && name.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_')
        && name.bytes().all(|it| is_word(it) || b".-".contains(&it))
        && (is_constant || !alternates(name))
}

/// Returns the characters of a token that ends with `end`, last first.
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
    work::did(length);
    (length >= 16).then(|| {
        bytes[end - length..end]
            .iter()
            .rev()
            .map(|byte| char::from(*byte))
            .collect()
    })
}

/// Applies ROT13, which is its own inverse.
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

/// Returns the text around `at`, decoded with ROT13.
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

/// Returns the offset at which a token broken at `end` continues: on the next line, or in the next literal.
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
    // Indentation, a line number, the mark of a quote or a diff.
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

/// Returns the length of the bar between cells at the start of a text.
fn bars(bytes: &[u8]) -> usize {
    match bytes {
        [b'|', ..] => 1,
        [0xe2, 0x94, 0x82 | 0x83, ..] | [0xe2, 0x95, 0x91, ..] => 3,
        _ => 0,
    }
}

/// Reports whether nothing of the line follows but a quote or a sign of code.
fn ends_line(bytes: &[u8], at: usize) -> bool {
    let rest = &bytes[at..(at + 6).min(bytes.len())];
    let rest: Cow<'_, str> = String::from_utf8_lossy(rest);
    let rest = rest.trim_start_matches(['"', '\'', '`', ',', ';', ')', ' ', '+', '.', ']']);
    rest.is_empty() || rest.starts_with(['\n', '\r', '\\'])
}
