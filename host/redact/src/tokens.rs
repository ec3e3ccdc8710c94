//! Tokens that do not stand in one piece: over several lines, in several literals, or backwards; and
//! keys that have no prefix and are known by their form.

use std::borrow::Cow;
use std::ops::Range;

use crate::blobs::base64;
use crate::edits;
use crate::value::alternates;
use crate::view::View;

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

/// A key without prefix whose first run of digits is `run`, and the id of its rule.
pub(crate) fn by_form(text: &str, run: Range<usize>) -> Option<(Range<usize>, &'static str)> {
    let bytes = text.as_bytes();
    let digits = &bytes[run.clone()];
    let before = run.start.checked_sub(1).map(|at| bytes[at]);
    // Discord: a number in base64, a time, a signature, which is the run.
    if (27..=45).contains(&digits.len()) && before == Some(b'.') {
        let from = text.floor_char_boundary(run.start.saturating_sub(40));
        let head = &text[from..run.start - 1];
        let length: usize = head
            .chars()
            .rev()
            .take_while(|it| it.is_ascii_alphanumeric() || "._-".contains(*it))
            .map(char::len_utf8)
            .sum();
        let head = &head[head.len() - length..];
        if let Some((id, time)) = head.rsplit_once('.')
            && (23..=28).contains(&id.len())
            && (5..=7).contains(&time.len())
            && base64(id.as_bytes()).iter().all(u8::is_ascii_digit)
        {
            return Some((run.start - 1 - head.len()..run.end, "discord-token"));
        }
    }
    // Airtable: `pat`, fourteen characters, a point and 64 hexadecimal digits.
    if digits.len() == 64 && before == Some(b'.') && run.start >= 18 {
        let head = &bytes[run.start - 18..run.start - 1];
        if head.starts_with(b"pat") && head.iter().all(u8::is_ascii_alphanumeric) {
            return Some((run.start - 18..run.end, "airtable-token"));
        }
    }
    // Azure: 64 bytes in base64. A SHA-512 of a lock file says what it is.
    let is_checksum = before == Some(b'-') || text[..run.start].ends_with("sha512");
    if digits.len() == 86
        && text[run.end..].starts_with("==")
        && !is_checksum
        && !digits.starts_with(b"sha512-")
        && alternates(&text[run.clone()])
    {
        return Some((run.start..run.end + 2, "azure-storage-key"));
    }
    None
}

/// Tells whether a piece reads as a word: `last`, `The`.
pub(crate) fn is_short_word(piece: &str) -> bool {
    piece.len() < 8
        && piece.bytes().skip(1).all(|byte| byte.is_ascii_lowercase())
        && piece.starts_with(|first: char| first.is_ascii_alphabetic())
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
    loop {
        let count = escapes(at);
        match bytes.get(at + count)? {
            b'n' | b'r' if count > 0 => at += count + 1,
            b'\n' | b'\r' => at += count + 1,
            _ if at == end => return None,
            _ => break,
        }
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

/// Tells whether nothing of the line follows but a quote or a sign of code.
fn ends_line(bytes: &[u8], at: usize) -> bool {
    let rest = &bytes[at..(at + 6).min(bytes.len())];
    let rest: Cow<'_, str> = String::from_utf8_lossy(rest);
    let rest = rest.trim_start_matches(['"', '\'', '`', ',', ';', ')', ' ', '+', '.', ']']);
    rest.is_empty() || rest.starts_with(['\n', '\r', '\\'])
}
