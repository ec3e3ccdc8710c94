//! Values in several parts after their name: literals that code joins, the lines of a block, lists of bytes.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex::bytes::Regex;

use crate::view::RangeSink;
use crate::work;

/// Maximum distance between a name and the end of its value.
const REACH: usize = 480;

/// Finds the parts of the value of the name that ends at `from`, if `is_value` accepts them together.
pub(crate) fn joined(
    text: &str,
    from: usize,
    is_value: &dyn Fn(&str) -> bool,
    found: RangeSink<'_>,
) {
    let end = text.floor_char_boundary((from + REACH).min(text.len()));
    let rest = &text[from..end];
    work::did(rest.len());
    let pieces = block(rest).or_else(|| literals(rest)).unwrap_or_default();
    if pieces.len() < 2 {
        return;
    }
    let whole: String = pieces.iter().map(|piece| &rest[piece.clone()]).collect();
    if is_value(&whole) {
        pieces
            .into_iter()
            .for_each(|piece| found(from + piece.start..from + piece.end));
    }
}

/// Returns the words on the indented lines of a YAML block: `name: >-`.
fn block(rest: &str) -> Option<Vec<Range<usize>>> {
    static HEAD: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"(?-u)\A\s{0,2}:\s{0,2}[|>][+-]?[ \t]*(?:\n|\\n)"#)
            .expect("the tests compile it")
    });
    static LINE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"(?-u)\A[ \t]{1,16}([!-\[\]-~]{4,120})[ \t]*(?:\n|\\n|\z|")"#)
            .expect("the tests compile it")
    });
    let mut at = HEAD.find(rest.as_bytes())?.end();
    let mut pieces = Vec::new();
    while let Some(line) = LINE.captures(&rest.as_bytes()[at..]) {
        let (all, word) = (line.get(0)?, line.get(1)?);
        pieces.push(at + word.start()..at + word.end());
        at += all.end();
    }
    Some(pieces)
}

/// Returns the literals of one text: signs join them, or the end of a line, or a function that joins a list.
fn literals(rest: &str) -> Option<Vec<Range<usize>>> {
    let bytes = rest.as_bytes();
    let start = bytes
        .iter()
        .take(24)
        .position(|it| matches!(it, b'=' | b':' | b'('))?;
    let mut pieces: Vec<Range<usize>> = Vec::new();
    let (mut is_list, mut is_joined) = (false, false);
    let mut at = start + 1;
    while at < bytes.len() {
        let byte = bytes[at];
        match byte {
            b'"' | b'\'' => {
                let length = bytes[at + 1..]
                    .iter()
                    .position(|it| *it == byte || *it == b'\n')?;
                let inner = rest[at + 1..at + 1 + length].trim_end_matches('\\');
                let is_part = |it: u8| it.is_ascii_alphanumeric() || b"+/=_-.".contains(&it);
                if bytes[at + 1 + length] != byte || !inner.bytes().all(is_part) || inner.len() < 3
                {
                    break;
                }
                pieces.push(at + 1..at + 1 + inner.len());
                at += length + 2;
                // The name of a field is no piece.
                if bytes.get(at) == Some(&b':') {
                    return None;
                }
            }
            b'\\' if matches!(bytes.get(at + 1), Some(b'n' | b't' | b'r')) => at += 2,
            _ if byte.is_ascii_alphabetic() || byte == b'_' => {
                let word = bytes[at..]
                    .iter()
                    .take_while(|it| it.is_ascii_alphanumeric() || **it == b'_')
                    .count();
                let word = &rest[at..at + word];
                let is = |words: &[&str]| words.iter().any(|it| word.eq_ignore_ascii_case(it));
                is_joined |= is(JOINERS);
                if !is(JOINERS) && !is(WRAPPERS) {
                    break;
                }
                at += word.len();
            }
            b',' => {
                is_list = true;
                at += 1;
            }
            b' ' | b'\n' | b'\r' | b'\t' | b'\\' | b'+' | b'.' | b'&' | b'~' | b'(' | b')'
            | b'[' | b']' | b'=' => at += 1,
            _ => break,
        }
    }
    (is_joined || !is_list).then_some(pieces)
}

/// Functions that join texts.
const JOINERS: &[&str] = &[
    "append", "concat", "implode", "join", "joined", "paste", "paste0", "plus", "push_str",
];

/// Other words between the literals of one text.
const WRAPPERS: &[&str] = &[
    "array",
    "b",
    "f",
    "list",
    "new",
    "r",
    "str",
    "string",
    "stringbuffer",
    "stringbuilder",
    "strings",
    "u",
];

/// Finds the list of bytes after the name of a key that ends at `from`.
pub(crate) fn bytes(text: &str, from: usize, found: RangeSink<'_>) {
    static LIST: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(concat!(
            r#"(?-u)\A(?:\[[^\]\n]{0,16}\]|[^\n";0-9]|[;0-9](?:[^\n";,]){0,3}\]){0,64}?(?:[\[{(<"'=: ]|\\n|\s){1,40}"#,
            r#"((?:0x[0-9a-fA-F]{1,2}(?:u8)?(?:,|\s|\\n){1,24}){11,}0x[0-9a-fA-F]{1,2}"#,
            r#"|(?:-?\d{1,3}\s{0,4},(?:\s|\\n){0,24}){15,}-?\d{1,3}"#,
            r#"|(?:[0-9a-fA-F]{2}[ :-]){11,}[0-9a-fA-F]{2}"#,
            r#"|(?:\\{1,4}x[0-9a-fA-F]{2}){10,})"#,
        ))
        .expect("the tests compile it")
    });
    let end = (from + 3 * REACH).min(text.len());
    // Nearly every name is followed by something else.
    let near = &text.as_bytes()[from..(from + 96).min(end)];
    if near.iter().filter(|it| it.is_ascii_digit()).count() < 8 {
        return;
    }
    work::did(end - from);
    let Some(list) = LIST
        .captures(&text.as_bytes()[from..end])
        .and_then(|it| it.get(1))
    else {
        return;
    };
    let content = String::from_utf8_lossy(list.as_bytes());
    let numbers: Vec<&str> = content
        .split(|it: char| !it.is_ascii_hexdigit() && it != 'x')
        .filter(|it| !it.is_empty())
        .flat_map(|it| it.split("x"))
        .filter(|it| !it.is_empty())
        .collect();
    let distinct: HashSet<&&str> = numbers.iter().collect();
    let is_row = numbers
        .windows(2)
        .all(|pair| (pair[0].len(), pair[0]) < (pair[1].len(), pair[1]));
    if distinct.len() >= 10 && !is_row {
        found(from + list.start()..from + list.end());
    }
}
