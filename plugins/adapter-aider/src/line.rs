//! Classifies a line of a chat history, and parses the console's messages about the agent.

use acreta_sdk::adapter::Tokens;
use acreta_sdk::adapter::json::Value;
use acreta_sdk::adapter::time::milliseconds;

/// First line of a session.
const STARTED: &[u8] = b"# aider chat started at ";

/// A line, by its author.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Line<'a> {
    /// Start of a session.
    Started(Stamp<'a>),
    Person(&'a [u8]),
    Console(&'a [u8]),
    Agent(&'a [u8]),
    Blank,
}

/// A time in the header's format: `2026-01-31 09:15:00`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp<'a> {
    text: &'a [u8],
    pub(crate) at_ms: u64,
}

impl<'a> Line<'a> {
    pub(crate) fn of(bytes: &'a [u8]) -> Self {
        let bytes = bytes.trim_ascii_end();
        if bytes.is_empty() {
            return Line::Blank;
        }
        if let Some(stamp) = bytes.strip_prefix(STARTED).and_then(Stamp::of) {
            return Line::Started(stamp);
        }
        match behind(bytes, b"####") {
            Some(words) => Line::Person(words),
            None => behind(bytes, b">").map_or(Line::Agent(bytes), Line::Console),
        }
    }
}

/// Returns the text after a mark and a space. Without the space it is not a mark: the agent's edits have lines like
/// `>>>>>>> REPLACE`.
fn behind<'a>(bytes: &'a [u8], mark: &[u8]) -> Option<&'a [u8]> {
    match bytes.strip_prefix(mark)? {
        [] => Some(b""),
        [b' ', rest @ ..] => Some(rest),
        _ => None,
    }
}

impl<'a> Stamp<'a> {
    fn of(text: &'a [u8]) -> Option<Self> {
        let at_ms = milliseconds(text).filter(|_| text.len() == 19)?;
        Some(Self { text, at_ms })
    }

    /// Returns the id of the session that starts at this time: `aider-20260131-091500`.
    pub(crate) fn id(self) -> String {
        let digits = self.text.iter().filter_map(|byte| match byte {
            b'0'..=b'9' => Some(char::from(*byte)),
            b' ' | b'T' => Some('-'),
            _ => None,
        });
        format!("{}-{}", crate::AGENT, digits.collect::<String>())
    }
}

/// Parses the version from a line of the console.
pub(crate) fn version(console: &[u8]) -> Option<String> {
    console.strip_prefix(b"Aider v").map(lossy)
}

/// Parses the model from a line of the console.
pub(crate) fn model(console: &[u8]) -> Option<String> {
    let marks: [&[u8]; 3] = [b"Main model: ", b"Models: ", b"Model: "];
    let rest = marks.iter().find_map(|mark| console.strip_prefix(*mark))?;
    let text = lossy(rest);
    let (model, _) = text.split_once(" with ")?;
    Some(model.to_owned())
}

/// Parses the tokens of the preceding reply from a line of the console: `Tokens: 9.4k sent, 3k cache hit, 695 received.
/// Cost: $0.04 request, $0.12 session.` What is sent includes what hits the cache.
pub(crate) fn tokens(console: &[u8]) -> Option<Tokens> {
    let text = lossy(console.strip_prefix(b"Tokens: ")?);
    let count = |name: &str| {
        let (before, _) = text.split_once(name)?;
        number(before.trim_end().rsplit(' ').next()?)
    };
    let cost = text.split_once("Cost: $").map(|(_, cost)| cost);
    let cost = cost.and_then(|cost| cost.split(' ').next());
    let cost = cost.map(|dollars| Value::Scalar(dollars.as_bytes()));
    let tokens = Tokens::new(count(" sent")?, count(" received")?);
    Some(
        tokens
            .within(count(" cache hit"), count(" cache write"))
            .costing(cost),
    )
}

/// `9,429` or `9.4k`.
fn number(text: &str) -> Option<u64> {
    match text.strip_suffix('k') {
        None => text.replace(',', "").parse().ok(),
        Some(thousands) => {
            let (whole, tenths) = thousands.split_once('.').unwrap_or((thousands, "0"));
            let (whole, tenths): (u64, u64) = (whole.parse().ok()?, tenths.parse().ok()?);
            whole.checked_mul(1000)?.checked_add(tenths.min(9) * 100)
        }
    }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_who_wrote_it() {
        let table: [(&str, Line<'_>); 10] = [
            ("#### add a test  ", Line::Person(b"add a test")),
            ("####", Line::Person(b"")),
            ("#####", Line::Agent(b"#####")),
            (
                "> Added a.py to the chat.  ",
                Line::Console(b"Added a.py to the chat."),
            ),
            (">", Line::Console(b"")),
            (">>>>>>> REPLACE", Line::Agent(b">>>>>>> REPLACE")),
            ("  ", Line::Blank),
            ("# Notes", Line::Agent(b"# Notes")),
            (
                "# aider chat started at soon",
                Line::Agent(b"# aider chat started at soon"),
            ),
            (
                "# aider chat started at 2026-13-31 09:15:00",
                Line::Agent(b"# aider chat started at 2026-13-31 09:15:00"),
            ),
        ];
        for (text, expected) in table {
            assert_eq!(Line::of(text.as_bytes()), expected, "{text:?}");
        }
        let Line::Started(stamp) = Line::of(b"# aider chat started at 2026-01-31 09:15:00") else {
            panic!("a header")
        };
        assert_eq!(stamp.id(), "aider-20260131-091500");
        assert_eq!(stamp.at_ms, 1_769_850_900_000);
    }

    #[test]
    fn the_console_tells_model_version_and_tokens() {
        let models: [(&str, Option<&str>); 5] = [
            ("Model: gpt-4o with diff edit format", Some("gpt-4o")),
            ("Main model: o3 with diff edit format", Some("o3")),
            (
                "Models: sonnet with diff edit format, weak model haiku",
                Some("sonnet"),
            ),
            ("Weak model: haiku", None),
            ("Model: gpt-4o", None),
        ];
        for (line, expected) in models {
            assert_eq!(model(line.as_bytes()).as_deref(), expected, "{line}");
        }
        assert_eq!(version(b"Aider v0.86.1").as_deref(), Some("0.86.1"));
        let counts: [(&str, Option<Tokens>); 5] = [
            (
                "Tokens: 9,429 sent, 695 received. Cost: $0.04 request",
                Some(Tokens {
                    cost_dollars: Some(0.04),
                    ..Tokens::new(9429, 695)
                }),
            ),
            (
                "Tokens: 9.4k sent, 1.2k received.",
                Some(Tokens::new(9400, 1200)),
            ),
            (
                "Tokens: 12k sent, 3k cache write, 695 received.",
                Some(Tokens::new(12_000, 695).within(None, Some(3000))),
            ),
            ("Tokens: many sent, some received.", None),
            ("Tokens: 5", None),
        ];
        for (line, expected) in counts {
            assert_eq!(tokens(line.as_bytes()), expected, "{line}");
        }
    }
}
