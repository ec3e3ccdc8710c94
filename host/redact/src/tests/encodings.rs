//! Every token in every encoding and position: nothing of it remains, and the text around it stays.

use std::fmt::Write as _;

use super::{redactor, tokens};

/// An encoding: its name, and its function.
pub(super) type Encoding = (&'static str, fn(&str) -> String);

pub(super) const ENCODINGS: &[Encoding] = &[
    ("base64", |it| base64(it.as_bytes(), STANDARD, true)),
    ("base64 without padding", |it| {
        base64(it.as_bytes(), STANDARD, false)
    }),
    ("url-safe base64", |it| {
        base64(format!("~~~{it}???").as_bytes(), URL, true)
    }),
    ("base64 of base64", |it| {
        base64(
            base64(it.as_bytes(), STANDARD, true).as_bytes(),
            STANDARD,
            true,
        )
    }),
    ("wrapped base64", |it| {
        wrapped(&base64(padded(it).as_bytes(), STANDARD, true), "\n")
    }),
    ("wrapped base64 in JSON", |it| {
        wrapped(&base64(padded(it).as_bytes(), STANDARD, true), "\\n")
    }),
    ("indented base64", |it| {
        wrapped(&base64(padded(it).as_bytes(), STANDARD, true), "\n      ")
    }),
    ("base64 of JSON", |it| {
        base64(format!("{{\"a\":\"{it}\"}}").as_bytes(), STANDARD, true)
    }),
    ("base64 of UTF-16", |it| base64(&wide(it), STANDARD, true)),
    ("hex", |it| hex(it.as_bytes(), "")),
    ("capital hex", |it| hex(it.as_bytes(), "").to_uppercase()),
    ("hex of UTF-16", |it| hex(&wide(it), "")),
    ("\\x escapes", |it| {
        format!("\\x{}", hex(it.as_bytes(), "\\x"))
    }),
    ("percent", |it| format!("%{}", hex(it.as_bytes(), "%"))),
    ("percent of percent", |it| {
        format!("%25{}", hex(it.as_bytes(), "%25"))
    }),
    ("percent of signs", |it| {
        it.chars()
            .map(|it| match it.is_ascii_alphanumeric() {
                true => it.to_string(),
                false => format!("%{:02X}", it as u32),
            })
            .collect()
    }),
    ("\\u escapes", |it| {
        each(it, |it| format!("\\u{:04x}", it as u32))
    }),
    ("\\u escapes in JSON", |it| {
        each(it, |it| format!("\\\\u{:04X}", it as u32))
    }),
    ("some \\u escapes", |it| {
        it.chars()
            .enumerate()
            .map(|(at, it)| match at % 5 {
                1 => format!("\\u{:04x}", it as u32),
                _ => it.to_string(),
            })
            .collect()
    }),
    ("\\u{} escapes", |it| {
        each(it, |it| format!("\\u{{{:x}}}", it as u32))
    }),
    ("entities", |it| each(it, |it| format!("&#{};", it as u32))),
    ("hexadecimal entities", |it| {
        each(it, |it| format!("&#x{:X};", it as u32))
    }),
    ("UTF-16 as text", |it| each(it, |it| format!("{it}\0"))),
    ("UTF-16 as JSON", |it| each(it, |it| format!("{it}\\u0000"))),
    ("zero width spaces", |it| every(it, 4, "\u{200b}")),
    ("zero width joiners", |it| every(it, 1, "\u{200d}")),
    ("word joiners", |it| every(it, 3, "\u{2060}")),
    ("soft hyphens", |it| every(it, 2, "\u{ad}")),
    ("zero width in JSON", |it| every(it, 4, "\\u200b")),
    ("colours", |it| every(it, 6, "\u{1b}[01;31m")),
    ("colours in JSON", |it| every(it, 6, "\\u001b[0m")),
    ("reversed", |it| it.chars().rev().collect()),
    ("lines", |it| every(it, 17, "\n")),
    ("lines in JSON", |it| every(it, 17, "\\n")),
    ("lines in JSON in JSON", |it| every(it, 17, "\\\\n")),
    ("indented lines", |it| every(it, 17, "\n    ")),
    ("quoted lines", |it| every(it, 17, "\n> ")),
    ("continued lines", |it| every(it, 17, "\\\n")),
    ("continued lines in JSON", |it| every(it, 17, "\\\\\\n")),
    ("a sum", |it| every(it, 9, "\" + \"")),
    ("a sum without space", |it| every(it, 9, "'+'")),
    ("a sum over lines", |it| every(it, 17, "\" +\n    \"")),
    ("a sum over lines in JSON", |it| {
        every(it, 17, "\\\" +\\n    \\\"")
    }),
    ("literals after each other", |it| {
        every(it, 17, "\"\n    \"")
    }),
    ("PHP", |it| every(it, 17, "' . '")),
    ("a list", |it| every(it, 17, "\", \"")),
];

#[test]
fn encoded_tokens_go() {
    let redactor = redactor();
    let around = [
        ("", ""),
        ("the value is ", " and that is all"),
        ("first\n", "\nlast"),
        ("\"", "\""),
        ("'", "'"),
        ("\\\"", "\\\""),
    ];
    let mut missed = Vec::new();
    for (id, token) in tokens() {
        for (name, encode) in ENCODINGS {
            // Its three characters are not specific in reverse.
            if *name == "reversed" && id == "twilio-key" {
                continue;
            }
            let encoded = encode(&token);
            for (before, after) in around {
                let text = format!("{before}{encoded}{after}");
                let redacted = redactor.redact(&text).text;
                if let Some(rest) = left_of(&encoded, &redacted) {
                    missed.push(format!(
                        "{id} as {name}: `{rest}` of {text:?} -> {redacted:?}"
                    ));
                } else if !redacted.starts_with(before.trim_end_matches(['"', '\\']))
                    || !redacted.ends_with(after.trim_start_matches(['"', '\\']))
                {
                    missed.push(format!(
                        "{id} as {name}: too much of {text:?} -> {redacted:?}"
                    ));
                }
            }
        }
    }
    assert!(
        missed.is_empty(),
        "{} missed\n{}",
        missed.len(),
        missed[..missed.len().min(40)].join("\n")
    );
}

#[test]
fn json_in_json_goes_to_any_depth() {
    let redactor = redactor();
    for (id, before, secret, after) in super::surrounded() {
        let mut text = format!("first line\n{before}{secret}{after}");
        let mut escaped = secret.clone();
        for depth in 0..4 {
            let redacted = redactor.redact(&text).text;
            assert!(
                !redacted.contains(&escaped),
                "{id} at depth {depth}: {text} -> {redacted}"
            );
            text = serde_json::to_string(&serde_json::json!({ "text": text })).unwrap();
            let quoted = serde_json::to_string(&escaped).unwrap();
            escaped = quoted[1..quoted.len() - 1].to_owned();
        }
    }
}

/// Returns a significant part of a secret that remains.
fn left_of(encoded: &str, redacted: &str) -> Option<String> {
    let characters: Vec<char> = encoded.chars().collect();
    characters
        .windows(14)
        .map(|part| part.iter().collect::<String>())
        .find(|part| redacted.contains(part.as_str()))
}

fn padded(secret: &str) -> String {
    format!("a line before\nkey {secret}\nand a line after that, long enough for two lines\n")
}

fn each(text: &str, write: fn(char) -> String) -> String {
    text.chars().map(write).collect()
}

fn every(text: &str, step: usize, between: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let parts: Vec<String> = characters
        .chunks(step)
        .map(|part| part.iter().collect())
        .collect();
    parts.join(between)
}

fn wide(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn hex(bytes: &[u8], between: &str) -> String {
    let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.join(between)
}

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

fn base64(bytes: &[u8], alphabet: &[u8; 64], pads: bool) -> String {
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let mut bits = 0_u32;
        for index in 0..3 {
            bits = bits << 8 | u32::from(group.get(index).copied().unwrap_or(0));
        }
        for index in 0..=group.len() {
            text.push(char::from(
                alphabet[(bits >> (18 - 6 * index) & 63) as usize],
            ));
        }
        if pads {
            write!(text, "{}", "=".repeat(3 - group.len())).unwrap();
        }
    }
    text
}

fn wrapped(text: &str, newline: &str) -> String {
    every(text, 76, newline)
}
