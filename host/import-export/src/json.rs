//! JSON records: one per line, or a list in one document. An invalid line costs only that line; every record has its
//! range, so that its note can quote it.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::fields::JsonRecord;
use crate::sink::NoteSink;
use crate::{Source, graph, record};

/// Keys of a document with lists of records.
const LISTS: &[&str] = &[
    "memories",
    "results",
    "entities",
    "relations",
    "notes",
    "items",
    "data",
];

pub(crate) fn read(source: &Source<'_>, sink: &mut NoteSink<'_>) {
    for record in records(source.text, sink) {
        if !graph::read(&record, sink) {
            record::read(&record, sink);
        }
    }
}

/// Returns the objects of a text, in order; reports other values as skipped.
pub(crate) fn records(text: &str, sink: &mut NoteSink<'_>) -> Vec<JsonRecord> {
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let passages = whole(&text[start..]).unwrap_or_else(|| lines(&text[start..]));
    let mut counted = (0, 1);
    let mut records = Vec::new();
    for range in passages {
        let range = start + range.start..start + range.end;
        let (before, line) = counted;
        let line = line + crate::blocks::newlines(&text[before..range.start]);
        counted = (range.start, line);
        let passage = &text[range.clone()];
        match serde_json::from_str::<Value>(passage) {
            Ok(Value::Object(fields)) => records.push(JsonRecord {
                fields: lower_case(fields),
                range,
                line,
            }),
            // A list of plain sentences is a list of notes.
            Ok(Value::String(sentence)) => records.push(JsonRecord {
                fields: Map::from_iter([("text".to_owned(), Value::String(sentence))]),
                range,
                line,
            }),
            Ok(_) => sink.skip(line, passage, "is not a JSON object"),
            Err(error) => sink.skip(line, passage, format!("is not JSON: {}", short(&error))),
        }
    }
    records
}

/// Reports whether a text is JSON, as a whole or in its first line.
pub(crate) fn is_json(text: &str) -> bool {
    whole(text).is_some()
        || text
            .lines()
            .find(|line| !line.trim().is_empty())
            .is_some_and(|line| serde_json::from_str::<&RawValue>(line.trim()).is_ok())
}

/// Reports whether the first record is one that acreta exported.
pub(crate) fn is_own(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}');
    let passages = whole(text).unwrap_or_else(|| lines(text).into_iter().take(1).collect());
    let first = passages.into_iter().next();
    let fields =
        first.and_then(|range| serde_json::from_str::<Map<String, Value>>(&text[range]).ok());
    fields.is_some_and(|fields| {
        ["id", "type", "title", "body", "trust", "path"]
            .iter()
            .all(|key| fields.get(*key).is_some_and(Value::is_string))
    })
}

/// Returns the records of a text that is one JSON value.
fn whole(text: &str) -> Option<Vec<Range<usize>>> {
    let document: &RawValue = serde_json::from_str(text).ok()?;
    let place = |value: &RawValue| {
        // The value borrows from the text, so this is its offset.
        let start = value.get().as_ptr() as usize - text.as_ptr() as usize;
        start..start + value.get().len()
    };
    if let Ok(list) = serde_json::from_str::<Vec<&RawValue>>(document.get()) {
        return Some(list.into_iter().map(place).collect());
    }
    let fields: BTreeMap<String, &RawValue> = serde_json::from_str(document.get()).ok()?;
    let mut found = Vec::new();
    let mut has_list = false;
    for (key, value) in &fields {
        if LISTS.contains(&key.to_lowercase().as_str())
            && let Ok(list) = serde_json::from_str::<Vec<&RawValue>>(value.get())
        {
            has_list = true;
            found.extend(list.into_iter().map(place));
        }
    }
    if !has_list {
        return Some(vec![place(document)]);
    }
    found.sort_by_key(|range| range.start);
    Some(found)
}

/// Returns every line that is not blank.
fn lines(text: &str) -> Vec<Range<usize>> {
    let mut at = 0;
    let mut ranges = Vec::new();
    for line in text.split_inclusive('\n') {
        let start = at + line.len() - line.trim_start().len();
        let trimmed = line.trim();
        if !trimmed.is_empty() {
            ranges.push(start..start + trimmed.len());
        }
        at += line.len();
    }
    ranges
}

fn lower_case(fields: Map<String, Value>) -> Map<String, Value> {
    let mut lower = Map::new();
    for (key, value) in fields {
        lower.entry(key.to_lowercase()).or_insert(value);
    }
    lower
}

/// Removes the position from a parser's message, since the line is reported separately.
fn short(error: &serde_json::Error) -> String {
    let message = error.to_string();
    match message.rfind(" at line ") {
        Some(end) => message[..end].to_owned(),
        None => message,
    }
}
