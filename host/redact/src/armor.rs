//! Keys between `-----BEGIN …-----` and `-----END …-----`. The label decides: private, secret and static keys go,
//! public keys, certificates and messages stay. The start or the end of a block may be missing.

use std::ops::Range;
use std::sync::LazyLock;

use regex_lite::Regex as Pattern;

use crate::view::RangeSink;
use crate::work;

/// Search distance before an end mark.
const BACK: usize = 8192;

/// Maximum length of a label.
const LABEL: usize = 56;

/// The body of a block after its label, and its end mark.
static BODY: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(concat!(
        r"\A(?:",
        between!(),
        r"+(?:Proc-Type|DEK-Info|Version|Comment): ?[^\n\\]{0,80}){0,4}",
        r"(?:",
        between!(),
        r"*[A-Za-z0-9+/=]{20,})+",
        r"(?:(?:",
        between!(),
        r"*[A-Za-z0-9+/=]{1,64}){0,2}",
        between!(),
        r"*-----END[ A-Za-z0-9._-]{0,56}-----)?",
    ))
    .expect("the tests compile it")
});

/// Finds the block whose begin mark starts with `keyword`.
pub(crate) fn block(text: &str, keyword: Range<usize>, found: RangeSink<'_>) {
    let Some(label) = secret_label(&text[keyword.end..]) else {
        return;
    };
    let from = keyword.end + label.len() + 5;
    if let Some(body) = BODY.find(&text[from..]) {
        work::did(body.end());
        found(keyword.start..from + body.end());
    }
}

/// Finds the lines of a key before its end mark; its start may be anywhere or missing.
pub(crate) fn before_end(text: &str, keyword: Range<usize>, found: RangeSink<'_>) {
    let Some(label) = secret_label(&text[keyword.end..]) else {
        return;
    };
    let from = text.floor_char_boundary(keyword.start.saturating_sub(BACK));
    let before = &text[from..keyword.start];
    let is_body = |it: char| it.is_ascii_alphanumeric() || " \t\r\n\"'+,/:=\\|>→*#.".contains(it);
    let start = before
        .char_indices()
        .rev()
        .take_while(|(_, it)| is_body(*it))
        .last()
        .map_or(before.len(), |(at, _)| at);
    // Starts at the first full line: words before it are not part of the key.
    let body = &before[start..];
    work::did(body.len());
    let is_digit = |it: char| it.is_ascii_alphanumeric() || "+/=".contains(it);
    let mut at = 0;
    for piece in body.split_inclusive(|it: char| !is_digit(it)) {
        // A line of hexadecimal digits is shorter than one of base64.
        let digits = piece.trim_end_matches(|it: char| !is_digit(it));
        // The letter of `\n`.
        let digits = digits.trim_start_matches(['n', 'r']);
        let is_line = piece.len() >= 40
            || digits.len() == 32 && digits.bytes().all(|it| it.is_ascii_hexdigit());
        if is_line {
            let end = keyword.end + label.len() + 5;
            return found(from + start + at..end.min(text.len()));
        }
        at += piece.len();
    }
}

/// Returns the label at the start of a text, up to its dashes, if it is one of a secret.
fn secret_label(text: &str) -> Option<&str> {
    let end = text.floor_char_boundary((LABEL + 5).min(text.len()));
    let label = text[..end].split("-----").next()?;
    let is_closed = text[label.len()..].starts_with("-----");
    let names = |word: &str| {
        let mut words = label.split([' ', '-', '_']);
        words.any(|it| it.eq_ignore_ascii_case(word))
    };
    let is_public = PUBLIC.iter().any(|word| names(word));
    (is_closed && !is_public && SECRET.iter().any(|word| names(word))).then_some(label)
}

const SECRET: &[&str] = &["key", "private", "secret", "static", "symmetric"];

const PUBLIC: &[&str] = &[
    "public",
    "certificate",
    "request",
    "message",
    "signature",
    "signed",
    "parameters",
];
