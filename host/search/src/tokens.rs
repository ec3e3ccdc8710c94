//! Tokenizes text into index words. Prose becomes words and stems; identifiers, paths, versions and error codes are
//! indexed both whole and in parts, so that either form of query matches.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use acreta_text::stem;

/// A word of a text and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IndexWord {
    /// Lower case; for [`WordKind::Part`] as written, not its stem.
    pub(crate) text: String,
    pub(crate) range: Range<usize>,
    pub(crate) kind: WordKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WordKind {
    /// A run of letters and digits, or a part of one written in camel case.
    Part,
    /// An identifier, path, version or name of several parts.
    Whole,
}

impl IndexWord {
    /// Returns the indexed form: the stem of a part, a whole unchanged.
    pub(crate) fn term(&self) -> String {
        match self.kind {
            WordKind::Part => stem(&self.text).into_owned(),
            WordKind::Whole => self.text.clone(),
        }
    }
}

/// Maximum length of a run without spaces that is indexed whole; longer ones are data.
const WHOLE_BYTES: usize = 120;

/// Maximum length of a part.
pub(crate) const PART_BYTES: usize = 64;

/// Returns the words of a text in order, a whole before its parts.
pub(crate) fn words(text: &str) -> Vec<IndexWord> {
    words_where(text, |_| true)
}

/// Like [`words`], without plain words whose lower-case first letter is not wanted.
pub(crate) fn words_where(text: &str, wanted: impl Fn(char) -> bool) -> Vec<IndexWord> {
    let mut found = Vec::new();
    visit(text, 0, &wanted, &mut |range, unit| {
        let kind = match unit {
            Unit::Whole => WordKind::Whole,
            Unit::Word | Unit::Hump if range.len() <= PART_BYTES => WordKind::Part,
            _ => return true,
        };
        found.push(IndexWord {
            text: lower(&text[range.clone()]),
            range,
            kind,
        });
        true
    });
    found
}

/// What [`visit`] finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// As [`WordKind::Whole`].
    Whole,
    /// A run of letters and digits.
    Word,
    /// A run in camel case, and a part of it.
    Camel,
    Hump,
}

/// Calls `found` for each part of a text from a byte on, until it returns false at the end of a run without spaces; wholes come
/// before their parts, and [`Unit::Camel`] before its humps. Returns the end of what was visited.
pub(crate) fn visit(
    text: &str,
    from: usize,
    wanted: &impl Fn(char) -> bool,
    found: &mut impl FnMut(Range<usize>, Unit) -> bool,
) -> usize {
    let mut rest = from;
    while let Some(start) = text[rest..].find(char::is_alphanumeric) {
        let start = rest + start;
        let end = text[start..]
            .find(|character: char| !is_joined(character))
            .map_or(text.len(), |length| start + length);
        rest = end;
        if !chunk(text, start..end, wanted, found) {
            return rest;
        }
    }
    text.len()
}

/// Returns a text in lower case.
fn lower(text: &str) -> String {
    match text.is_ascii() {
        true => text.to_ascii_lowercase(),
        false => text.to_lowercase(),
    }
}

/// Returns the terms of a text in order, with repetitions.
pub(crate) fn terms(text: &str) -> Vec<String> {
    words(text).iter().map(IndexWord::term).collect()
}

/// Reports whether a text names a point in time or a duration.
pub(crate) fn names_a_time(words: &[IndexWord]) -> bool {
    static WORDS: LazyLock<HashSet<&str>> =
        LazyLock::new(|| TIME_WORDS.split_whitespace().collect());
    words.iter().any(|word| {
        WORDS.contains(word.text.as_str())
            || (word.text.len() == 4 && (1900..2100).contains(&word.text.parse().unwrap_or(0)))
    })
}

/// Reports whether a question asks for a point in time.
pub(crate) fn asks_for_a_time(words: &[IndexWord]) -> bool {
    let asking = |word: &IndexWord| matches!(word.text.as_str(), "what" | "which");
    let unit = |word: &IndexWord| matches!(word.text.as_str(), "year" | "month" | "date" | "day");
    words.first().is_some_and(|word| word.text == "when")
        || words
            .windows(2)
            .any(|pair| asking(&pair[0]) && unit(&pair[1]))
}

/// Reports whether a question asks for events: what happened, or when.
pub(crate) fn asks_what_happened(words: &[IndexWord]) -> bool {
    let is_said = |word: &IndexWord| {
        HISTORY_WORDS
            .split_whitespace()
            .any(|said| said == word.text)
    };
    asks_for_a_time(words) || words.iter().any(is_said)
}

/// Reports whether a character joins parts of an identifier, a path, a version or a name.
fn is_joined(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-' | '.' | '/' | ':' | '\\' | '@')
}

/// Splits one run without spaces. Returns false if the last answer of `found` was false.
fn chunk(
    text: &str,
    range: Range<usize>,
    wanted: &impl Fn(char) -> bool,
    found: &mut impl FnMut(Range<usize>, Unit) -> bool,
) -> bool {
    let trimmed =
        text[range.clone()].trim_end_matches(|character: char| !character.is_alphanumeric());
    let range = range.start..range.start + trimmed.len();
    if is_plain(trimmed) {
        let first = trimmed.as_bytes()[0].to_ascii_lowercase();
        return !wanted(char::from(first)) || found(range, Unit::Word);
    }
    let mut parts = Vec::new();
    let mut start = None;
    for (offset, character) in trimmed.char_indices() {
        match (character.is_alphanumeric(), start) {
            (true, None) => start = Some(offset),
            (false, Some(from)) => {
                camel_parts(trimmed, from..offset, &mut parts);
                start = None;
            }
            _ => {}
        }
    }
    if let Some(from) = start {
        camel_parts(trimmed, from..trimmed.len(), &mut parts);
    }
    if parts.len() > 1 && trimmed.len() <= WHOLE_BYTES {
        wholes(trimmed, range.start, found);
    }
    let mut goes_on = true;
    for (part, unit) in parts {
        goes_on = found(range.start + part.start..range.start + part.end, unit);
    }
    goes_on
}

/// Reports whether a run is a plain word: lower-case letters and digits, possibly after a capital.
fn is_plain(run: &str) -> bool {
    let mut bytes = run.bytes();
    bytes
        .next()
        .is_some_and(|first| first.is_ascii_alphanumeric())
        && bytes.all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

/// Adds the names in a run of several parts: the whole run, and each name between slashes or colons.
fn wholes(run: &str, offset: usize, found: &mut impl FnMut(Range<usize>, Unit) -> bool) {
    found(offset..offset + run.len(), Unit::Whole);
    let mut start = 0;
    for piece in run.split(['/', '\\', ':']) {
        let range = start..start + piece.len();
        start = range.end + 1;
        let compound = piece.contains(['_', '-', '.', '@']) || humps(piece).nth(1).is_some();
        if compound && piece.len() < run.len() {
            found(offset + range.start..offset + range.end, Unit::Whole);
        }
    }
}

/// Splits a run of letters and digits at changes of case: `parseHTTPHeader` has three parts.
fn camel_parts(text: &str, range: Range<usize>, parts: &mut Vec<(Range<usize>, Unit)>) {
    let first = parts.len();
    parts.push((range.clone(), Unit::Camel));
    let run = &text[range.clone()];
    parts.extend(
        humps(run).map(|hump| (range.start + hump.start..range.start + hump.end, Unit::Hump)),
    );
    if parts.len() == first + 2 {
        parts.truncate(first);
        parts.push((range, Unit::Word));
    }
}

/// Returns the parts of a run between changes of case.
fn humps(run: &str) -> impl Iterator<Item = Range<usize>> {
    let mut characters = run.char_indices().peekable();
    let mut before: Option<char> = None;
    let mut start = Some(0);
    std::iter::from_fn(move || {
        let from = start?;
        while let Some((offset, here)) = characters.next() {
            let mut next_is_lower = || {
                let next = characters.peek();
                next.is_some_and(|(_, next)| next.is_lowercase())
            };
            let begins = before.is_some_and(|before| {
                here.is_uppercase()
                    && (before.is_lowercase() || (before.is_uppercase() && next_is_lower()))
            });
            before = Some(here);
            if begins {
                start = Some(offset);
                return Some(from..offset);
            }
        }
        start = None;
        Some(from..run.len())
    })
}

const HISTORY_WORDS: &str = "
    happened happen history progress recently session sessions summaries summary tried worked yesterday";

const TIME_WORDS: &str = "
    ago april august december february friday january july june last march monday month months morning
    next november october recently saturday september since sunday thursday today tomorrow tonight
    tuesday wednesday week weekend weeks year years yesterday";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_whole_and_in_parts() {
        let cases: &[(&str, &[&str])] = &[
            ("retry_budget", &["retry_budget", "retry", "budget"]),
            (
                "parseHTTPHeader",
                &["parsehttpheader", "parse", "http", "header"],
            ),
            (
                "see E0425, ENOSPC; 404.",
                &["see", "e0425", "enospc", "404"],
            ),
            ("tantivy 0.27.0", &["tantivy", "0.27.0", "0", "27", "0"]),
            (
                "src/front_matter.rs:12",
                &[
                    "src/front_matter.rs:12",
                    "front_matter.rs",
                    "src",
                    "front",
                    "matter",
                    "rs",
                    "12",
                ],
            ),
            (
                "Caroline's well-known",
                &["caroline", "s", "well-known", "well", "known"],
            ),
            ("std::fs::write", &["std::fs::write", "std", "fs", "write"]),
            ("日本語 Größe", &["日本語", "größe"]),
            ("... --- !?", &[]),
            ("", &[]),
        ];
        for (text, expected) in cases {
            let found: Vec<String> = words(text).into_iter().map(|word| word.text).collect();
            assert_eq!(&found, expected, "{text}");
        }
    }

    #[test]
    fn ranges_point_at_the_word() {
        let text = "Größe: use parseHeader in src/lib.rs!";
        for word in words(text) {
            assert_eq!(text[word.range.clone()].to_lowercase(), word.text);
        }
    }

    #[test]
    fn times_are_asked_for_and_named() {
        let cases = [
            ("When did we move to SQLite?", true, false, true),
            ("in which year", true, true, true),
            ("what broke yesterday", false, true, true),
            ("what happened to the port", false, false, true),
            ("port 2024 and 8080", false, true, false),
            ("which port did we choose", false, false, false),
        ];
        for (text, asks, names, history) in cases {
            assert_eq!(asks_what_happened(&words(text)), history, "{text}");
            assert_eq!(asks_for_a_time(&words(text)), asks, "{text}");
            assert_eq!(names_a_time(&words(text)), names, "{text}");
        }
    }
}
