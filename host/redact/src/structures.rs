//! Secrets that a pattern from left to right cannot match: keys without their start, the values of a Kubernetes secret,
//! the pairs of a cookie, and tokens identified by their middle.

use std::ops::Range;

use crate::blobs::base64;
use crate::judge::{is_placeholder, is_variable};
use crate::value::Likeness;
use crate::view::RangeSink;
use crate::work;

/// Search distance around a keyword.
const AROUND: usize = 4096;

/// Distance within which another keyword of the same kind needs no search of its own. Searches reach that much further.
const SAME: usize = 512;

/// Finds an Azure client secret: three characters before the digit and `Q~`, and more after.
pub(crate) fn azure_secret(text: &str, keyword: Range<usize>, found: RangeSink<'_>) {
    let bytes = text.as_bytes();
    let is_part =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'~' | b'.' | b'-');
    let before = bytes[..keyword.start].iter().rev().take(4);
    let before = before.take_while(|byte| is_part(byte)).count();
    let after = bytes[keyword.end..].iter().take(36);
    let after = after.take_while(|byte| is_part(byte)).count();
    if before >= 3 && (31..=35).contains(&after) && text[keyword.clone()].ends_with("Q~") {
        let start = keyword.start - 3;
        let span = start..keyword.end + after;
        if Likeness::Entropy(3.5).holds(&text[span.clone()]) {
            found(span);
        }
    }
}

/// Finds a Terraform token: fourteen characters, `.atlasv1.`, and more.
pub(crate) fn atlas_token(text: &str, keyword: Range<usize>, found: RangeSink<'_>) {
    let (before, after) = word_around(text, &keyword);
    if before >= 14 && after >= 60 {
        found(keyword.start - 14..keyword.end + after);
    }
}

/// Finds a Mailchimp key: 32 hexadecimal digits and the data centre.
pub(crate) fn mailchimp(text: &str, keyword: Range<usize>, found: RangeSink<'_>) {
    let bytes = text.as_bytes();
    let before = bytes[..keyword.start].iter().rev().take(33);
    let before = before.take_while(|byte| byte.is_ascii_hexdigit()).count();
    let after = bytes[keyword.end..].iter().take(3);
    let after = after.take_while(|byte| byte.is_ascii_digit()).count();
    if before == 32 && after <= 1 {
        found(keyword.start - 32..keyword.end + after);
    }
}

/// Finds an Azure DevOps token: its mark is near its end.
pub(crate) fn azure_devops(text: &str, keyword: Range<usize>, found: RangeSink<'_>) {
    let (before, after) = word_around(text, &keyword);
    if (70..=84).contains(&before) && (2..=8).contains(&after) {
        found(keyword.start - before..keyword.end + after);
    }
}

fn word_around(text: &str, keyword: &Range<usize>) -> (usize, usize) {
    let bytes = text.as_bytes();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'=');
    let before = bytes[..keyword.start].iter().rev().take(128);
    let after = bytes[keyword.end..].iter().take(128);
    (
        before.take_while(|byte| is_part(byte)).count(),
        after.take_while(|byte| is_part(byte)).count(),
    )
}

/// Finds the values of a cookie header: those of session cookies, and random ones. Returns the end of the header.
pub(crate) fn cookies(text: &str, keyword: Range<usize>, found: RangeSink<'_>) -> usize {
    let bytes = text.as_bytes();
    let mut at = keyword.end;
    let signs = |at: usize, signs: &[u8]| {
        bytes[at..]
            .iter()
            .take(24)
            .take_while(|it| signs.contains(it))
            .count()
    };
    at += signs(at, b"sS");
    let separator = signs(at, b"\\\"'` \t:=({");
    if separator == 0
        || !bytes[at..at + separator]
            .iter()
            .any(|it| matches!(it, b':' | b'='))
    {
        return keyword.end;
    }
    at += separator;
    let limit = (at + AROUND).min(bytes.len());
    while at < limit {
        let name = bytes[at..limit].iter();
        let name = name
            .take_while(|it| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-' | b'.'))
            .count();
        let equals = at + name;
        if name == 0 || bytes.get(equals) != Some(&b'=') {
            return at;
        }
        let value = bytes[equals + 1..limit].iter();
        let value = value
            .take_while(|it| it.is_ascii_graphic() && !b"\\\"'`;,".contains(it))
            .count();
        let span = equals + 1..equals + 1 + value;
        if is_cookie(&text[at..equals], &text[span.clone()]) {
            found(span.clone());
        }
        work::did(span.end - at);
        at = span.end;
        let next = signs(at, b"; ");
        if next == 0 {
            return at;
        }
        at += next;
    }
    at
}

/// Finds the values under `data` and `stringData` of a Kubernetes secret, in YAML or JSON.
pub(crate) fn kubernetes(text: &str, keyword: Range<usize>, found: RangeSink<'_>) -> usize {
    let after = text[keyword.end..].trim_start_matches(['"', '\'', '\\', ':', ' ']);
    if !after.starts_with("Secret") || after[6..].starts_with(|it: char| it.is_alphanumeric()) {
        return keyword.end;
    }
    let from = text.floor_char_boundary(keyword.start.saturating_sub(AROUND));
    let to = text.ceil_char_boundary((keyword.end + AROUND + SAME).min(text.len()));
    let (from, to) = document(text, from, &keyword, to);
    work::did(to - from);
    let mut at = from;
    while let Some(name) = text[at..to].find("ata") {
        let end = at + name + 3;
        at = end;
        let before = text[..end]
            .strip_suffix("stringData")
            .or(text[..end].strip_suffix("data"));
        let is_data = before.is_some_and(|before| {
            before.is_empty()
                || before.ends_with(['\n', ' ', '"', '\'', '{', ','])
                || before.ends_with("\\n")
        });
        let rest = text[end..to].trim_start_matches(['"', '\'', '\\']);
        let Some(rest) = rest.strip_prefix(':') else {
            continue;
        };
        if is_data {
            let block = to - rest.len();
            // Names within the block are not its siblings.
            at = values(text, block, to, found).max(at);
        }
    }
    // The rest of the document, or as much as was read further.
    to.min(keyword.start + SAME)
}

/// Returns the document between the marks around a keyword; in a file of JSON lines, the line.
fn document(text: &str, from: usize, keyword: &Range<usize>, to: usize) -> (usize, usize) {
    let is_escaped = text[..keyword.start]
        .trim_end_matches(['"', '\'', '\\'])
        .ends_with([',', '{', ' '])
        || text[..keyword.start].ends_with("\\n");
    let marks = ["\n---", "\\n---", "\n{\""];
    let marks = &marks[..if is_escaped { 3 } else { 2 }];
    let start = marks
        .iter()
        .filter_map(|mark| text[from..keyword.start].rfind(mark));
    let end = marks
        .iter()
        .filter_map(|mark| text[keyword.end..to].find(mark));
    (
        start.max().map_or(from, |at| from + at),
        end.min().map_or(to, |at| keyword.end + at),
    )
}

/// Checks each value of an indented block, or of one in braces. Returns the end of the block.
fn values(text: &str, from: usize, to: usize, found: RangeSink<'_>) -> usize {
    let block = &text[from..to];
    let opened = block.trim_start_matches([' ', '\\', 'n', 'r', '\n', '\r', '\t']);
    let in_braces = opened.starts_with('{');
    let mut at = from;
    for piece in block.split_inclusive(['\n', ',', '{', '}']) {
        let start = at;
        at += piece.len();
        work::did(piece.len());
        if in_braces && piece.ends_with('}') {
            pair(text, start..at - 1, found);
            return at;
        }
        if !in_braces {
            // Lines may be escaped: each is checked separately.
            let mut line_at = start;
            for line in piece.split_inclusive("\\n") {
                let line_start = line_at;
                line_at += line.len();
                let content = line
                    .trim_end_matches("\\n")
                    .trim_end_matches(['\\', ' ', '\n']);
                if content.trim().is_empty() {
                    continue;
                }
                if !content.starts_with([' ', '\t']) {
                    return line_start;
                }
                pair(text, line_start..line_start + content.len(), found);
            }
            continue;
        }
        pair(text, start..at, found);
    }
    at
}

/// Checks the value of `name: value`, or a line that is only a value.
fn pair(text: &str, span: Range<usize>, found: RangeSink<'_>) {
    let content = &text[span.clone()];
    let value = match content.split_once(':') {
        Some((_, value)) => value,
        None => content,
    };
    let signs = [
        ' ', '"', '\'', '\\', '\t', '\n', '\r', ',', '}', '|', '>', '-',
    ];
    let inner = value.trim_end_matches(signs);
    let lead = inner.len() - inner.trim_start_matches(signs).len();
    let start = span.start + (content.len() - value.len()) + lead;
    let end = span.start + (content.len() - value.len()) + inner.len();
    if end > start
        && end - start >= 4
        && !text[start..end].contains(char::is_whitespace)
        && !is_variable(&text[start..end])
        && !text[start..end].starts_with("[redacted")
    {
        found(start..end);
    }
}

/// Finds the private numbers of a JSON web key, on either side of its type.
pub(crate) fn web_key(text: &str, keyword: Range<usize>, found: RangeSink<'_>) -> usize {
    let from = text.floor_char_boundary(keyword.start.saturating_sub(AROUND));
    let to = text.ceil_char_boundary((keyword.end + AROUND + SAME).min(text.len()));
    let start = text[from..keyword.start]
        .rfind('{')
        .map_or(from, |at| from + at);
    let end = text[keyword.end..to]
        .find('}')
        .map_or(to, |at| keyword.end + at);
    work::did(end - start);
    let mut at = start;
    for piece in text[start..end].split_inclusive(',') {
        let piece_at = at;
        at += piece.len();
        let Some((name, value)) = piece.split_once(':') else {
            continue;
        };
        let name = name.trim_matches(|it: char| !it.is_ascii_alphanumeric());
        let inner = value.trim_start_matches([' ', '"', '\\', '\'', '\n']);
        let length = inner
            .bytes()
            .take_while(|it| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-'))
            .count();
        if ["d", "p", "q", "dp", "dq", "qi", "k"].contains(&name) && length >= 20 {
            let value_at = piece_at + piece.len() - inner.len();
            found(value_at..value_at + length);
        }
    }
    end.min(keyword.start + SAME)
}

/// Finds the password of `user:password@tcp(host)`.
pub(crate) fn dsn(text: &str, keyword: Range<usize>, found: RangeSink<'_>) {
    let from = text.floor_char_boundary(keyword.start.saturating_sub(160));
    let before = &text[from..keyword.start];
    let start = before
        .rfind(|it: char| it.is_whitespace() || "\"'`=".contains(it))
        .map_or(0, |at| at + 1);
    if let Some((user, password)) = before[start..].split_once(':')
        && !user.is_empty()
        && password.len() >= 3
        && !is_variable(password)
        && !is_placeholder(password)
        && !password.starts_with('%')
    {
        found(keyword.start - password.len()..keyword.start);
    }
}

/// Finds the base64 after the start of a login to a mail server, on its line or the next one.
pub(crate) fn mail_login(text: &str, keyword: Range<usize>, found: RangeSink<'_>) {
    let rest = &text[keyword.end..text.floor_char_boundary((keyword.end + 80).min(text.len()))];
    let mut at = 0;
    // Space, line breaks, and the speaker: `C: `, `> `.
    for _ in 0..24 {
        let next = &rest[at..];
        let marks = [" ", "\r", "\n", "C:", "c:", ">", "<-", "->", "+", "="];
        let escapes = next.len() - next.trim_start_matches('\\').len();
        let is_break = escapes > 0 && next[escapes..].starts_with(['n', 'r']);
        match marks.iter().find(|mark| next.starts_with(**mark)) {
            _ if is_break => at += escapes + 1,
            Some(mark) => at += mark.len(),
            None => break,
        }
    }
    let start = keyword.end + at;
    let is_digit = |it: &u8| it.is_ascii_alphanumeric() || b"+/=".contains(it);
    let length = text.as_bytes()[start..]
        .iter()
        .take(2000)
        .take_while(|it| is_digit(it))
        .count();
    let word = &text[start..start + length];
    let decoded = base64(word.trim_end_matches('=').as_bytes());
    let is_text = decoded
        .iter()
        .all(|it| *it == 0 || *it == 1 || (b' '..=b'~').contains(it));
    if length >= 8 && at > 0 && is_text && word != "VXNlcm5hbWU6" && word.len().is_multiple_of(4) {
        found(start..start + length);
    }
}

/// Finds the value of a line in a cookie jar: seven fields separated by tabs, the name is the last but one.
pub(crate) fn cookie_jar(text: &str, keyword: Range<usize>, found: RangeSink<'_>) {
    // The tabs of a file, or of a string in JSON.
    let signs = &text[keyword.end - 1..text.floor_char_boundary((keyword.end + 8).min(text.len()))];
    let escapes = signs.len() - signs.trim_start_matches('\\').len();
    let tab = match escapes {
        0 => "\t".to_owned(),
        _ => format!("{}t", "\\".repeat(escapes)),
    };
    let keyword = keyword.start..keyword.end - 1 + tab.len();
    let limit = text.floor_char_boundary((keyword.end + AROUND).min(text.len()));
    if !text[..limit].is_char_boundary(keyword.end) || keyword.end > limit {
        return;
    }
    let rest = &text[keyword.end..limit];
    let end = rest.find(['\n', '"']).unwrap_or(rest.len());
    let end = rest[..end].find("\\n").unwrap_or(end);
    let fields: Vec<&str> = rest[..end].split(tab.as_str()).collect();
    // The mark is the second field or the fourth.
    let [.., expiry, name, value] = fields.as_slice() else {
        return;
    };
    let is_jar =
        fields.len() <= 5 && !expiry.is_empty() && expiry.bytes().all(|it| it.is_ascii_digit());
    let value = value.trim_end_matches(['\r', '\\']);
    if is_jar && is_cookie(name, value) {
        let start = keyword.end + end
            - (rest[..end].len() - rest[..end].rfind(tab.as_str()).unwrap_or(0))
            + tab.len();
        found(start..start + value.len());
    }
}

/// Reports whether a cookie's value belongs to a session, or is random.
fn is_cookie(name: &str, value: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let names_session = [
        "sess", "sid", "auth", "token", "jwt", "remember", "csrf", "xsrf", "login", "user",
    ]
    .iter()
    .any(|part| name.contains(part));
    value.len() >= 8
        && !is_placeholder(value)
        && !is_variable(value)
        && (Likeness::Random(2.8).holds(value)
            || (names_session && Likeness::Entropy(2.5).holds(value)))
}

/// Finds the random value of `key` in an object that also names a user.
pub(crate) fn key_of_user(text: &str, keyword: Range<usize>, found: RangeSink<'_>) {
    let signs = text[keyword.end..].bytes().take(16);
    let signs = signs.take_while(|it| b"\\\"': ".contains(it)).count();
    let start = keyword.end + signs;
    let length = text[start..]
        .bytes()
        .take(200)
        .take_while(|it| it.is_ascii_graphic() && !b"\\\"'`,{}[]()".contains(it))
        .count();
    let value = &text[start..start + length];
    if signs < 2 || length < 16 || !Likeness::Random(2.8).holds(value) {
        return;
    }
    let from = text.floor_char_boundary(keyword.start.saturating_sub(240));
    let to = text.ceil_char_boundary((start + length + 160).min(text.len()));
    let open = text[from..keyword.start]
        .rfind('{')
        .map_or(from, |at| from + at);
    let close = text[start..to].find('}').map_or(to, |at| start + at);
    let near = text[text.floor_char_boundary(open.saturating_sub(24)).max(from)..close]
        .to_ascii_lowercase();
    let is_named = [
        "\"user",
        "\"login\\",
        "\"login\"",
        "\"email",
        "\"account",
        "credential",
        "\"secret",
        "'user",
        "'email",
    ];
    if is_named.iter().any(|name| near.contains(name)) {
        found(start..start + length);
    }
}
