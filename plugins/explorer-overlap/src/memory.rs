//! Parses one memory file. Tolerant: front matter is read line by line and only as a hint, so a broken file is still
//! compared by its words.

use std::collections::BTreeSet;

use acreta_text::{head, tokens};

/// Maximum length of the evidence, enough to recognise a memory.
const EVIDENCE_BYTES: usize = 200;

/// One memory file.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Memory {
    pub id: String,
    pub title: String,
    pub kind: String,
    /// Everything below the front matter.
    pub body: String,
}

impl Memory {
    pub(crate) fn parse(text: &str) -> Self {
        let (front_matter, body) = split(text);
        let mut memory = Memory {
            body: body.to_owned(),
            ..Memory::default()
        };
        for line in front_matter.lines() {
            let Some((key, value)) = line.split_once(':') else {
                continue;
            };
            match key {
                "id" => memory.id = unquoted(value),
                "title" => memory.title = unquoted(value),
                "kind" => memory.kind = unquoted(value),
                _ => {}
            }
        }
        memory
    }

    pub(crate) fn tokens(&self) -> BTreeSet<String> {
        tokens(&format!("{}\n{}", self.title, self.body))
    }

    /// Returns the body without a heading that repeats the title.
    pub fn text(&self) -> &str {
        let body = self.body.trim();
        let below = body
            .strip_prefix("# ")
            .and_then(|rest| rest.strip_prefix(self.title.as_str()));
        below.map_or(body, str::trim)
    }

    /// Returns the title and the first line below it.
    pub fn evidence(&self) -> String {
        let mut lines = self
            .body
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty());
        let mut title = self.title.trim();
        let mut first = lines.next().unwrap_or_default();
        if let Some(heading) = first.strip_prefix("# ") {
            if title.is_empty() {
                title = heading;
            }
            first = lines.next().unwrap_or_default();
        }
        let first = head(first, EVIDENCE_BYTES);
        match (title, first) {
            ("", line) => line.to_owned(),
            (title, "") => title.to_owned(),
            (title, line) => format!("{title}: {line}"),
        }
    }
}

/// Splits a file into front matter and body. A text without a closed front matter is all body.
fn split(text: &str) -> (&str, &str) {
    let text = text.trim_start_matches('\u{feff}');
    let mut lines = text.split_inclusive('\n');
    let is_fence = |line: &str| line.trim_end() == "---";
    let Some(opening) = lines.next().filter(|line| is_fence(line)) else {
        return ("", text);
    };
    let start = opening.len();
    let mut end = start;
    for line in lines {
        if is_fence(line) {
            return (&text[start..end], &text[end + line.len()..]);
        }
        end += line.len();
    }
    ("", text)
}

/// Decodes a YAML scalar on one line.
fn unquoted(value: &str) -> String {
    let value = value.trim();
    if let Some(rest) = value.strip_prefix('"') {
        double_quoted(rest)
    } else if let Some(rest) = value.strip_prefix('\'') {
        single_quoted(rest)
    } else {
        value
            .split(" #")
            .next()
            .unwrap_or_default()
            .trim()
            .to_owned()
    }
}

fn single_quoted(rest: &str) -> String {
    let mut text = String::new();
    let mut characters = rest.chars().peekable();
    while let Some(character) = characters.next() {
        if character == '\'' && characters.next_if_eq(&'\'').is_none() {
            break;
        }
        text.push(character);
    }
    text
}

fn double_quoted(rest: &str) -> String {
    let mut text = String::new();
    let mut characters = rest.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => break,
            '\\' => text.extend(escaped(&mut characters)),
            other => text.push(other),
        }
    }
    text
}

/// Decodes the character after a backslash; a control character counts as a space here.
fn escaped(characters: &mut std::str::Chars<'_>) -> Option<char> {
    let digits = match characters.next()? {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        other if other.is_ascii_alphanumeric() => return Some(' '),
        other => return Some(other),
    };
    let code = characters
        .by_ref()
        .take(digits)
        .try_fold(0_u32, |code, digit| Some(code << 4 | digit.to_digit(16)?))?;
    char::from_u32(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_is_split_from_the_body() {
        let cases = [
            ("---\nid: 1\n---\nbody\n", ("id: 1\n", "body\n")),
            ("\u{feff}---\r\nid: 1\r\n---\r\nbody", ("id: 1\r\n", "body")),
            (
                "---\nid: 1\n---\n\ntext\n---\nmore\n",
                ("id: 1\n", "\ntext\n---\nmore\n"),
            ),
            ("---\n---\n", ("", "")),
            (
                "---\nid: 1\nnever closed\n",
                ("", "---\nid: 1\nnever closed\n"),
            ),
            ("no front matter\n---\n", ("", "no front matter\n---\n")),
            ("", ("", "")),
        ];
        for (text, expected) in cases {
            assert_eq!(split(text), expected, "{text:?}");
        }
    }

    #[test]
    fn scalars_are_unquoted() {
        let cases = [
            (" plain words", "plain words"),
            (" plain # remark", "plain"),
            (" issue#7", "issue#7"),
            (" 'it''s: quoted' # remark", "it's: quoted"),
            (
                r#" "a \"b\" \\ \u00e9\x21\U0001F600" # remark"#,
                "a \"b\" \\ é!😀",
            ),
            (r#" "line\nbreak""#, "line break"),
            (r#" "bad \uZZZZ escape"#, "bad ZZZ escape"),
            (r#" "lone \"#, "lone "),
            ("", ""),
        ];
        for (value, expected) in cases {
            assert_eq!(unquoted(value), expected, "{value:?}");
        }
    }

    #[test]
    fn evidence_is_the_title_and_the_first_line() {
        let cases = [
            (
                "---\ntitle: \"Use SQLite\"\n---\n\n# Use SQLite\n\nOne file.\nMore.\n",
                "Use SQLite: One file.",
            ),
            (
                "---\ntitle: Use SQLite\n---\nOne file.\n",
                "Use SQLite: One file.",
            ),
            ("# Heading only\n", "Heading only"),
            ("just text\n", "just text"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(Memory::parse(text).evidence(), expected, "{text:?}");
        }
        let long = Memory::parse(&format!("---\ntitle: t\n---\n{}", "é".repeat(1000)));
        assert!(long.evidence().len() <= EVIDENCE_BYTES + 3);
    }

    #[test]
    fn nested_keys_are_not_ours() {
        let memory = Memory::parse("---\nid: 01A\nextra:\n  title: not mine\nkind: pitfall\n---\n");
        assert_eq!(
            (
                memory.id.as_str(),
                memory.title.as_str(),
                memory.kind.as_str()
            ),
            ("01A", "", "pitfall")
        );
    }
}
