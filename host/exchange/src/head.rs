//! The front matter of other tools. Each key is read by itself through the store's YAML module and
//! only when it is asked for: what one key has wrong costs that key, and what nobody asks for is
//! never parsed.

use acreta_store::{Document, FRONT_MATTER_BYTES};
use serde_json::Value;

use crate::sink::Sink;

/// Front matter cut into its keys.
pub(crate) struct Head<'a> {
    entries: Vec<Entry<'a>>,
    /// Where the text after it starts.
    pub(crate) end: usize,
}

struct Entry<'a> {
    key: &'a str,
    /// What follows the colon, with the lines under it.
    value: &'a str,
    line: u64,
}

impl<'a> Head<'a> {
    /// Cuts the front matter off a text; a text without one, or with one that nothing closes, is
    /// all body.
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
        let mut entries: Vec<(Entry<'a>, usize)> = Vec::new();
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
                let entry = Entry {
                    key,
                    value: "",
                    line: index as u64 + 1,
                };
                entries.push((entry, line_start + key.len() + 1));
            }
        }
        None
    }

    /// Gives each entry what stands between its colon and the next.
    fn cut(text: &'a str, found: Vec<(Entry<'a>, usize)>, close: usize, end: usize) -> Self {
        let mut entries: Vec<Entry<'a>> = Vec::with_capacity(found.len());
        let mut until = close;
        for (entry, value_start) in found.into_iter().rev() {
            let value = &text[value_start..until];
            until = value_start - entry.key.len() - 1;
            entries.push(Entry { value, ..entry });
        }
        entries.reverse();
        Self { entries, end }
    }

    /// Whether the key is there, in any case.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.entries
            .iter()
            .any(|entry| entry.key.eq_ignore_ascii_case(key))
    }

    /// A key's value as text; a list as its items.
    pub(crate) fn text(&self, key: &str, sink: &mut Sink<'_>) -> Option<String> {
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

    /// A key's value as a list: a YAML one, or one with commas.
    pub(crate) fn list(&self, key: &str, sink: &mut Sink<'_>) -> Vec<String> {
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

    /// The text of a key inside another.
    pub(crate) fn nested(&self, key: &str, inner: &str, sink: &mut Sink<'_>) -> Option<String> {
        match self.value(key, sink)? {
            Value::Object(mut fields) => match fields.remove(inner)? {
                Value::String(text) => Some(text),
                _ => None,
            },
            _ => None,
        }
    }

    /// Says which keys stand twice; the first counts.
    pub(crate) fn report_repeated(&self, sink: &mut Sink<'_>) {
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

    fn value(&self, key: &str, sink: &mut Sink<'_>) -> Option<Value> {
        let entry = self
            .entries
            .iter()
            .find(|entry| entry.key.eq_ignore_ascii_case(key))?;
        // The store's module wants a memory around it.
        let document = format!("---\nid: _\ntitle: _\nvalue:{}\n---\n", entry.value);
        match Document::parse(&document) {
            Ok(mut document) => document.front_matter.extra.remove("value"),
            Err(error) => {
                // Cursor writes `globs: **/*.ts`, and people write colons: as they stand.
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

/// The key a line at the margin starts with.
fn key_of(line: &str) -> Option<&str> {
    let (key, value) = line.split_once(':')?;
    let is_key = !key.is_empty()
        && key
            .chars()
            .all(|character| character.is_alphanumeric() || matches!(character, '-' | '_' | '.'));
    (is_key && (value.is_empty() || value.starts_with(char::is_whitespace))).then_some(key)
}
