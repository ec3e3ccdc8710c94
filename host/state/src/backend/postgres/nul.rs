//! Texts with NUL, which PostgreSQL cannot store. NUL and the marker itself are encoded as the marker and a digit, so
//! that every text round-trips. The marker is a code point without a character.

use std::borrow::Cow;

const MARK: char = '\u{10fffe}';
const NUL: &str = "\u{10fffe}0";
const MARK_ITSELF: &str = "\u{10fffe}1";

/// JSON escape of NUL.
const ESCAPE: &str = "\\u0000";

pub(super) fn hide(text: &str) -> Cow<'_, str> {
    match text.contains(['\0', MARK]) {
        true => text.replace(MARK, MARK_ITSELF).replace('\0', NUL).into(),
        false => text.into(),
    }
}

pub(super) fn show(text: &str) -> Cow<'_, str> {
    match text.contains(MARK) {
        true => text
            .replace(NUL, "\0")
            .replace(MARK_ITSELF, "\u{10fffe}")
            .into(),
        false => text.into(),
    }
}

/// Like [`hide`], for a NUL that JSON text contains as an escape.
pub(super) fn hide_in_json(text: &str) -> Cow<'_, str> {
    if !text.contains(MARK) && !text.contains(ESCAPE) {
        return text.into();
    }
    let text = text.replace(MARK, MARK_ITSELF);
    let mut out = String::with_capacity(text.len());
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        if letter != '\\' {
            out.push(letter);
        } else if text[at..].starts_with(ESCAPE) {
            out.push_str(NUL);
            letters.nth(ESCAPE.len() - 2);
        } else {
            // The letter after a backslash is part of the escape.
            out.push(letter);
            out.extend(letters.next().map(|(_, letter)| letter));
        }
    }
    out.into()
}

pub(super) fn show_in_json(text: &str) -> Cow<'_, str> {
    match text.contains(MARK) {
        true => text
            .replace(NUL, ESCAPE)
            .replace(MARK_ITSELF, "\u{10fffe}")
            .into(),
        false => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_comes_back_without_nul_in_between() {
        for text in [
            "",
            "plain",
            "a\0b",
            "\0\0",
            "\u{10fffe}",
            "\u{10fffe}0\0\u{10fffe}1",
            "ü\0",
        ] {
            let hidden = hide(text);
            assert!(!hidden.contains('\0'), "{text:?}");
            assert_eq!(show(&hidden), text);
            let json = serde_json::to_string(text).unwrap();
            let hidden = hide_in_json(&json);
            assert!(!hidden.contains(ESCAPE), "{json}");
            assert_eq!(show_in_json(&hidden), json);
            // Both encodings agree, so that text extracted from JSON compares equal to plain text.
            let taken_out: String = serde_json::from_str(&hidden).unwrap();
            assert_eq!(taken_out, hide(text));
        }
        for (json, hidden) in [
            (r#""\\u0000""#, r#""\\u0000""#),
            (r#""\\\u0000\n\"ü""#, "\"\\\\\u{10fffe}0\\n\\\"ü\""),
            ("\\ü", "\\ü"),
        ] {
            assert_eq!(hide_in_json(json), hidden, "{json}");
        }
    }
}
