//! Lists of recovery codes, and passwords that a sentence says are in base64.

use std::ops::Range;

use crate::blobs::base64;
use crate::password::is_likely_password;
use crate::view::RangeSink;
use crate::vocabulary::FOREIGN;
use crate::work;

/// Finds the codes of a list that is announced as recovery codes.
pub(crate) fn codes(text: &str, keyword: Range<usize>, found: RangeSink<'_>) {
    let end = text.floor_char_boundary((keyword.end + 3 * SENTENCE).min(text.len()));
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '-';
    work::did(end - keyword.end);
    let mut codes: Vec<Range<usize>> = Vec::new();
    let mut at = keyword.end;
    for piece in text[keyword.end..end].split_inclusive(|it| !is_part(it)) {
        let from = at;
        at += piece.len();
        let word = piece.trim_end_matches(|it| !is_part(it));
        // The letter of `
        // ` is not part of the code.
        let lead = usize::from(text[..from].ends_with('\\') && word.starts_with('n'));
        let word = &word[lead..];
        let digits = word.bytes().filter(u8::is_ascii_digit).count();
        let is_lower = !word.bytes().any(|it| it.is_ascii_uppercase());
        let is_upper = !word.bytes().any(|it| it.is_ascii_lowercase());
        if (8..=24).contains(&word.len())
            && digits >= 2
            && (is_lower || is_upper)
            && !word.starts_with('-')
        {
            codes.push(from + lead..from + lead + word.len());
        }
    }
    // All codes have one length, or they are not codes.
    let alike = codes
        .iter()
        .filter(|code| code.len() == codes[0].len())
        .count();
    if alike >= 4 && alike == codes.len() {
        codes.into_iter().for_each(found);
    }
}

/// Finds passwords in base64 near the word `base64` and a word for a secret.
pub(crate) fn encoded(text: &str, keyword: Range<usize>, found: RangeSink<'_>) {
    let bytes = text.as_bytes();
    let from = text.floor_char_boundary(keyword.start.saturating_sub(SENTENCE));
    let to = text.floor_char_boundary((keyword.end + SENTENCE).min(text.len()));
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/-_=".contains(byte);
    work::did(to - from);
    let mut names_secret = None;
    let mut at = from;
    while at < to {
        let length = bytes[at..to].iter().take_while(|it| is_digit(it)).count();
        // The letter of `
        // ` is not a digit.
        let lead = at > 0 && bytes[at - 1] == b'\\' && matches!(bytes[at], b'n' | b'r' | b't');
        let span = at + usize::from(lead)..at + length;
        at += length.max(1);
        let is_cut = span.start == from && from > 0 || span.end == to && to < bytes.len();
        if !(12..=80).contains(&span.len()) || is_cut || !holds_password(&text[span.clone()]) {
            continue;
        }
        if *names_secret.get_or_insert_with(|| {
            let near = text[from..to].to_lowercase();
            SECRETS
                .iter()
                .chain(FOREIGN)
                .any(|word| near.contains(word))
        }) {
            found(span);
        }
    }
}

/// Maximum distance of a sentence from its keyword.
const SENTENCE: usize = 200;

/// Words that mark encoded text as a secret, besides those for passwords in other languages.
const SECRETS: &[&str] = &[
    "passw",
    "passphrase",
    "passcode",
    "secret",
    "credential",
    "login",
    "pwd",
];

/// Reports whether base64 digits decode to a password only.
fn holds_password(digits: &str) -> bool {
    let digits = digits.trim_end_matches('=');
    if digits.len() % 4 == 1 || digits.contains('=') {
        return false;
    }
    String::from_utf8(base64(digits.as_bytes())).is_ok_and(|text| {
        let text = text.trim_end_matches(['\n', '\r']);
        text.bytes().all(|byte| byte.is_ascii_graphic()) && is_likely_password(text)
    })
}
