//! The front matter of other tools. Each key is parsed separately by the store's YAML module, and only on request: a
//! fault in one key costs only that key, and unused keys are never parsed.

use acreta_store::{Document, FRONT_MATTER_BYTES};
use serde_json::Value;

use crate::sink::NoteSink;

/// Front matter split into its keys.
pub(crate) struct ForeignFrontMatter<'a> {
    entries: Vec<FrontMatterKey<'a>>,
    /// Start of the text after it.
    pub(crate) end: usize,
}

struct FrontMatterKey<'a> {
    key: &'a str,
    /// The text after the colon, with the lines under it.
    value: &'a str,
    line: u64,
}

impl<'a> ForeignFrontMatter<'a> {
    /// Splits the front matter off a text; a text without a closed front matter is all body.
    pub(crate) fn of(text: &'a str) -> Self {
        let start = text.len() - text.trim_start_matches('\u{feff}').len();
        Self::between_rules(text, start).unwrap_or(Self {
            entries: Vec::new(),
            end: start,
        })
    }

    fn between_rules(text: &'a str, start: usize) -> Option<Self> {
        let window = &text[start..text.floor_char_boundary(start + FRONT_MATTER_BYTES)];
        let mut at = start;
        let mut entries: Vec<(FrontMatterKey<'a>, usize)> = Vec::new();
        for (index, line) in window.split_inclusive('\n').enumerate() {
            let line_start = at;
            at += line.len();
            let is_rule = line.trim_end() == "---";
            if index == 0 {
                if !is_rule {
                    return None;
                }
            } else if is_rule {
                return Some(Self::cut(text, entries, line_start, at));
            } else if let Some(key) = key_of(line) {
                let entry = FrontMatterKey {
                    key,
                    value: "",
                    line: index as u64 + 1,
                };
                entries.push((entry, line_start + key.len() + 1));
            }
        }
        None
    }

    /// Assigns each entry the text between its colon and the next entry.
    fn cut(
        text: &'a str,
        found: Vec<(FrontMatterKey<'a>, usize)>,
        close: usize,
        end: usize,
    ) -> Self {
        let mut entries: Vec<FrontMatterKey<'a>> = Vec::with_capacity(found.len());
        let mut until = close;
        for (entry, value_start) in found.into_iter().rev() {
            let value = &text[value_start..until];
            until = value_start - entry.key.len() - 1;
            entries.push(FrontMatterKey { value, ..entry });
        }
        entries.reverse();
        Self { entries, end }
    }

    /// Reports whether the key exists, ignoring case.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.entries
            .iter()
            .any(|entry| entry.key.eq_ignore_ascii_case(key))
    }

    /// Returns a key's value as text; a list as its items.
    pub(crate) fn text(&self, key: &str, sink: &mut NoteSink<'_>) -> Option<String> {
        let text = match self.value(key, sink)? {
            Value::String(text) => text,
            Value::Number(number) => number.to_string(),
            Value::Bool(truth) => truth.to_string(),
            Value::Array(_) => self.list(key, sink).join(", "),
            Value::Null | Value::Object(_) => return None,
        };
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// Returns a key's value as a list: a YAML list, or one with commas.
    pub(crate) fn list(&self, key: &str, sink: &mut NoteSink<'_>) -> Vec<String> {
        let items: Vec<String> = match self.value(key, sink) {
            Some(Value::Array(items)) => items
                .into_iter()
                .filter_map(|item| match item {
                    Value::String(text) => Some(text),
                    Value::Number(number) => Some(number.to_string()),
                    _ => None,
                })
                .collect(),
            Some(Value::String(text)) => text.split(',').map(str::to_owned).collect(),
            _ => Vec::new(),
        };
        items
            .iter()
            .map(|item| item.trim().to_owned())
            .filter(|item| !item.is_empty())
            .collect()
    }

    /// Returns the text of a key inside another.
    pub(crate) fn nested(&self, key: &str, inner: &str, sink: &mut NoteSink<'_>) -> Option<String> {
        match self.value(key, sink)? {
            Value::Object(mut fields) => match fields.remove(inner)? {
                Value::String(text) => Some(text),
                _ => None,
            },
            _ => None,
        }
    }

    /// Reports the keys that occur twice; the first counts.
    pub(crate) fn report_repeated(&self, sink: &mut NoteSink<'_>) {
        let mut seen = std::collections::BTreeSet::new();
        for entry in &self.entries {
            if !seen.insert(entry.key) {
                sink.skip(
                    entry.line,
                    entry.key,
                    "front matter has this key already; the first counts",
                );
            }
        }
    }

    fn value(&self, key: &str, sink: &mut NoteSink<'_>) -> Option<Value> {
        let entry = self
            .entries
            .iter()
            .find(|entry| entry.key.eq_ignore_ascii_case(key))?;
        // The store's module requires the form of a memory.
        let document = format!("---\nid: _\ntitle: _\nvalue:{}\n---\n", entry.value);
        match Document::parse(&document) {
            Ok(mut document) => document.front_matter.extra.remove("value"),
            Err(error) => {
                // Cursor writes `globs: **/*.ts`, and people write unquoted colons: taken verbatim.
                let plain = entry.value.trim();
                let is_plain =
                    !plain.contains('\n') && !plain.starts_with(['&', '[', '{', '|', '>', '!']);
                if !is_plain {
                    sink.skip(
                        entry.line,
                        entry.key,
                        format!("front matter: {}", error.message),
                    );
                }
                is_plain.then(|| Value::String(plain.trim_matches(['"', '\'']).to_owned()))
            }
        }
    }
}

/// Returns the key that a line at the margin starts with.
fn key_of(line: &str) -> Option<&str> {
    let (key, value) = line.split_once(':')?;
    let is_key = !key.is_empty()
        && key
            .chars()
            .all(|character| character.is_alphanumeric() || matches!(character, '-' | '_' | '.'));
    (is_key && (value.is_empty() || value.starts_with(char::is_whitespace))).then_some(key)
}
