//! Converts a record of any tool to notes: the known keys and the possible forms of their values. mem0's exports are
//! such records (`memory`, `created_at`, `categories`).

use acreta_types::MemoryType;
use serde_json::{Map, Value};

use crate::fields::{JsonRecord, epoch_ms, time_ms};
use crate::sink::NoteSink;
use crate::split::{ClassOf, CutSource, Frame, Key, TextPiece, make_notes};
use crate::text::{TITLE_CHARACTERS, cleaned};
use crate::trivial::trivial;
use crate::wording::{NoteClass, named};

const IDS: &[&str] = &["id", "key", "uuid", "permalink"];
const TYPES: &[&str] = &["kind", "type", "category"];
const TITLES: &[&str] = &["title", "name"];
const TEXTS: &[&str] = &[
    "body",
    "content",
    "text",
    "memory",
    "observation",
    "observations",
    "value",
];
const TAG_LISTS: &[&str] = &["tags", "categories", "labels"];
const CONFIDENCES: &[&str] = &["confidence", "importance"];
const TIMES: &[&str] = &["created", "created_at", "createdat", "timestamp"];

pub(crate) fn read(record: &JsonRecord, sink: &mut NoteSink<'_>) {
    let fields = &record.fields;
    let title = text(fields, TITLES);
    let body = text(fields, TEXTS);
    let Some(text) = body.clone().or_else(|| title.clone()) else {
        let quote = sink.quote(record.range.clone());
        return sink.skip(record.line, &quote, "has no text under a key that is known");
    };
    sink.count_hidden(&text, record.line);
    let mut text = cleaned(&text).trim().to_owned();
    let mut given = None;
    if let (Some(title), Some(_)) = (title, body) {
        sink.count_hidden(&title, record.line);
        let title = cleaned(&title).trim().to_owned();
        // A title that is too long is the start of the text.
        if title.chars().nth(TITLE_CHARACTERS).is_some() {
            text = format!("{title}\n\n{text}");
        } else if !title.is_empty() {
            given = Some(title);
        }
    }
    if let Some(reason) = trivial(&text).filter(|_| given.is_none() || text.is_empty()) {
        return sink.skip(record.line, &text, reason);
    }
    let types: Vec<String> = TYPES
        .iter()
        .filter_map(|key| fields.get(*key))
        .flat_map(strings)
        .collect();
    let mut tags = tags(fields);
    tags.extend(types.iter().filter(|name| named(name).is_none()).cloned());
    let categories = fields.get("categories").map(strings).unwrap_or_default();
    let frame = Frame {
        path: Vec::new(),
        lead: None,
        title: given,
        class: class(types.iter().chain(&categories)),
        tags,
        confidence: confidence(fields),
        created_ms: created_ms(fields),
        key: match self::text(fields, IDS) {
            Some(id) => Key::Record(id),
            None => Key::None,
        },
        separator: "\n",
    };
    let piece = TextPiece {
        text,
        code: None,
        range: record.range.clone(),
        line: record.line,
        passage: CutSource::Text,
    };
    make_notes(vec![piece], &frame, sink);
}

/// Returns the text of the first of some keys that has one; of a list its items, one per line.
pub(crate) fn text(fields: &Map<String, Value>, keys: &[&str]) -> Option<String> {
    keys.iter()
        .filter_map(|key| fields.get(*key))
        .map(|value| strings(value).join("\n"))
        .find(|text| !text.trim().is_empty())
}

/// Returns the texts of a value: itself, its items, or the content of an item.
pub(crate) fn strings(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Number(number) => vec![number.to_string()],
        Value::Array(items) => items
            .iter()
            .filter_map(|item| match item {
                Value::String(text) => Some(text.clone()),
                Value::Number(number) => Some(number.to_string()),
                Value::Object(fields) => ["content", "text", "value", "name"]
                    .iter()
                    .find_map(|key| fields.get(*key)?.as_str())
                    .map(str::to_owned),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// Returns the most specific of a record's own names for its class.
fn class<'a>(types: impl Iterator<Item = &'a String>) -> ClassOf {
    types
        // Less specific than any of its kinds.
        .filter(|name| !name.eq_ignore_ascii_case(MemoryType::Learning.name()))
        .filter_map(|name| named(name))
        .find(|class| *class != NoteClass::CONTEXT)
        .map_or(ClassOf::Wording(NoteClass::CONTEXT), ClassOf::Given)
}

fn tags(fields: &Map<String, Value>) -> Vec<String> {
    let mut tags = Vec::new();
    for value in TAG_LISTS.iter().filter_map(|key| fields.get(*key)) {
        match value {
            Value::String(list) => tags.extend(list.split(',').map(str::to_owned)),
            other => tags.extend(strings(other)),
        }
    }
    tags
}

/// Returns a confidence between 0 and 1; scales to ten and to a hundred are converted.
pub(crate) fn confidence(fields: &Map<String, Value>) -> Option<f32> {
    let value = CONFIDENCES.iter().find_map(|key| match fields.get(*key)? {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    })?;
    let scaled = match value {
        0.0..=1.0 => value,
        1.0..=10.0 => value / 10.0,
        10.0..=100.0 => value / 100.0,
        _ => return None,
    };
    Some(scaled as f32)
}

pub(crate) fn created_ms(fields: &Map<String, Value>) -> Option<u64> {
    TIMES.iter().find_map(|key| match fields.get(*key)? {
        Value::Number(number) => epoch_ms(number.as_f64()?),
        Value::String(text) => time_ms(text),
        _ => None,
    })
}
