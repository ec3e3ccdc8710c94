//! Front matter, in the only module that knows YAML. The block is cut out of the file before it is parsed, with a
//! limit of some kilobytes; errors give line and column of the file.

use std::fmt;

use acreta_types::MemoryType;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};
use serde_saphyr::options::{DuplicateKeyPolicy, MergeKeyPolicy};
use serde_saphyr::{DefaultMessageFormatter, MessageFormatter, Options};

/// Maximum length of front matter.
pub const FRONT_MATTER_BYTES: usize = 64 * 1024;

/// The front matter of a memory file. The required fields depend on the type: see [`FrontMatter::problems`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FrontMatter {
    pub id: String,
    pub title: String,
    /// ISO 8601, UTC.
    pub created: Option<String>,
    /// ISO 8601, UTC.
    pub updated: Option<String>,
    pub source: Option<String>,
    pub confidence: Option<f32>,
    pub kind: Option<String>,
    pub tags: Vec<String>,
    /// Ids of other memories.
    pub related: Vec<String>,
    pub description: Option<String>,
    pub date: Option<String>,
    pub time: Option<String>,
    pub coding_agent: Option<String>,
    pub raw_trace_path: Option<String>,
    pub run_id: Option<String>,
    pub repo_name: Option<String>,
    /// Keys that acreta does not know, in their order.
    pub extra: Map<String, Value>,
}

/// A memory file, split into front matter and body.
#[derive(Debug, Clone, PartialEq)]
pub struct Document<'a> {
    pub front_matter: FrontMatter,
    pub body: &'a str,
}

/// An error in a file's front matter. Line and column count from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} (line {line}, column {column})")]
pub struct FrontMatterError {
    pub line: u64,
    pub column: u64,
    pub message: String,
}

impl<'a> Document<'a> {
    /// Splits a memory file into front matter and body. Front matter is between two lines `---`, of which the first is
    /// the first line of the file; any later `---` belongs to the body.
    pub fn parse(text: &'a str) -> Result<Self, FrontMatterError> {
        let (block, body) = split(text)?;
        let front_matter: FrontMatter = serde_saphyr::from_str_with_options(block, options())
            .map_err(|error| located(&error))?;
        for (key, value) in [("id", &front_matter.id), ("title", &front_matter.title)] {
            if value.is_empty() {
                return Err(FrontMatterError::at(
                    1,
                    1,
                    format!("front matter has no `{key}`"),
                ));
            }
        }
        Ok(Self { front_matter, body })
    }
}

impl FrontMatterError {
    fn at(line: u64, column: u64, message: impl Into<String>) -> Self {
        Self {
            line,
            column,
            message: message.into(),
        }
    }
}

impl FrontMatter {
    /// Returns the missing and invalid fields of a memory of this type; empty if it is complete.
    pub fn problems(&self, memory_type: MemoryType) -> Vec<String> {
        let mut problems: Vec<String> = self
            .required(memory_type)
            .into_iter()
            .filter(|(_, present)| !present)
            .map(|(key, _)| format!("front matter has no `{key}`"))
            .collect();
        for (key, time) in [("created", &self.created), ("updated", &self.updated)] {
            if time.as_ref().is_some_and(|time| !is_utc(time)) {
                problems.push(format!(
                    "`{key}` is not a time in UTC like 2026-01-31T12:00:00Z"
                ));
            }
        }
        if self
            .confidence
            .is_some_and(|value| !(0.0..=1.0).contains(&value))
        {
            problems.push("`confidence` is not between 0 and 1".to_owned());
        }
        if let Some(kind) = self
            .kind
            .as_deref()
            .filter(|kind| !memory_type.allows_kind(kind))
        {
            problems.push(format!("`{kind}` is not a kind of {}", memory_type.name()));
        }
        problems
    }

    /// Returns the required keys of a type, each with whether it is present; an absent list counts as an empty one.
    fn required(&self, memory_type: MemoryType) -> Vec<(&'static str, bool)> {
        let mut keys = vec![
            ("created", self.created.is_some()),
            ("updated", self.updated.is_some()),
        ];
        match memory_type {
            MemoryType::Decision | MemoryType::Learning => keys.extend([
                ("source", self.source.is_some()),
                ("confidence", self.confidence.is_some()),
            ]),
            MemoryType::Summary => keys.extend([
                ("description", self.description.is_some()),
                ("date", self.date.is_some()),
                ("time", self.time.is_some()),
                ("coding_agent", self.coding_agent.is_some()),
                ("raw_trace_path", self.raw_trace_path.is_some()),
                ("run_id", self.run_id.is_some()),
                ("repo_name", self.repo_name.is_some()),
            ]),
        }
        if !memory_type.entry().kinds.is_empty() {
            keys.push(("kind", self.kind.is_some()));
        }
        keys
    }

    /// Returns the text of every field that acreta knows.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        [
            &self.created,
            &self.updated,
            &self.source,
            &self.kind,
            &self.description,
            &self.date,
            &self.time,
            &self.coding_agent,
            &self.raw_trace_path,
            &self.run_id,
            &self.repo_name,
        ]
        .into_iter()
        .flatten()
        .chain([&self.id, &self.title])
        .chain(&self.tags)
        .chain(&self.related)
        .map(String::as_str)
    }
}

fn is_utc(time: &str) -> bool {
    time.ends_with('Z') && time.parse::<jiff::Timestamp>().is_ok()
}

/// Splits a file into the YAML between its first two `---` lines and the rest.
fn split(text: &str) -> Result<(&str, &str), FrontMatterError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = FrontMatterLines { rest: text };
    match lines.next() {
        Some(first) if is_rule(first) => {}
        Some(first) if first.starts_with("<<<<<<<") => return Err(conflict(1)),
        _ => {
            return Err(FrontMatterError::at(
                1,
                1,
                "file does not start with a line `---`",
            ));
        }
    }
    let start = text.len() - lines.rest.len();
    let mut number = 1;
    loop {
        let end = text.len() - lines.rest.len();
        if end - start > FRONT_MATTER_BYTES {
            let message = format!("front matter is longer than {FRONT_MATTER_BYTES} bytes");
            return Err(FrontMatterError::at(number, 1, message));
        }
        let Some(line) = lines.next() else {
            return Err(FrontMatterError::at(
                1,
                1,
                "front matter is not closed by a line `---`",
            ));
        };
        number += 1;
        if is_rule(line) {
            return Ok((&text[start..end], lines.rest));
        }
        if is_conflict_marker(line) {
            return Err(conflict(number));
        }
    }
}

/// Iterator over the lines of a text, each with its line ending; stops after the maximum length of front matter.
struct FrontMatterLines<'a> {
    rest: &'a str,
}

impl<'a> Iterator for FrontMatterLines<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let window = &self.rest[..self.rest.floor_char_boundary(FRONT_MATTER_BYTES + 4)];
        let end = window
            .find('\n')
            .map_or(window.len(), |newline| newline + 1);
        let (line, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(line)
    }
}

fn is_rule(line: &str) -> bool {
    line.trim_end() == "---"
}

fn is_conflict_marker(line: &str) -> bool {
    let line = line.trim_end();
    ["<<<<<<<", "=======", ">>>>>>>", "|||||||"]
        .iter()
        .any(|marker| {
            line.strip_prefix(marker)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        })
}

fn conflict(line: u64) -> FrontMatterError {
    FrontMatterError::at(
        line,
        1,
        "front matter has merge conflict markers; resolve the conflict",
    )
}

/// Returns parser options: a few kilobytes, no anchors, no duplicate keys.
fn options() -> Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_events: 20_000,
            max_nodes: 10_000,
            max_depth: 16,
            flow_nesting_limit: 16,
            max_documents: 1,
            max_total_scalar_bytes: FRONT_MATTER_BYTES,
            max_anchors: 0,
            max_aliases: 0,
        },
        duplicate_keys: DuplicateKeyPolicy::Error,
        merge_keys: MergeKeyPolicy::Error,
        with_snippet: false,
    }
}

/// Converts a parser error; its lines count from the line after the first `---`.
fn located(error: &serde_saphyr::Error) -> FrontMatterError {
    let message = DefaultMessageFormatter.format_message(error).into_owned();
    match error.location() {
        Some(location) => FrontMatterError::at(location.line() + 1, location.column(), message),
        None => FrontMatterError::at(1, 1, message),
    }
}

impl<'de> Deserialize<'de> for FrontMatter {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FrontMatterVisitor)
    }
}

/// Visitor written by hand: `flatten` would turn the title `2026` into a number.
struct FrontMatterVisitor;

impl<'de> Visitor<'de> for FrontMatterVisitor {
    type Value = FrontMatter;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("keys with values")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<FrontMatter, A::Error> {
        let mut fields = FrontMatter::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "id" => fields.id = or_default(&mut map)?,
                "title" => fields.title = or_default(&mut map)?,
                "created" => fields.created = map.next_value()?,
                "updated" => fields.updated = map.next_value()?,
                "source" => fields.source = map.next_value()?,
                "confidence" => fields.confidence = map.next_value()?,
                "kind" => fields.kind = map.next_value()?,
                "tags" => fields.tags = or_default(&mut map)?,
                "related" => fields.related = or_default(&mut map)?,
                "description" => fields.description = map.next_value()?,
                "date" => fields.date = map.next_value()?,
                "time" => fields.time = map.next_value()?,
                "coding_agent" => fields.coding_agent = map.next_value()?,
                "raw_trace_path" => fields.raw_trace_path = map.next_value()?,
                "run_id" => fields.run_id = map.next_value()?,
                "repo_name" => fields.repo_name = map.next_value()?,
                _ => {
                    fields.extra.insert(key, map.next_value()?);
                }
            }
        }
        Ok(fields)
    }
}

/// Reads a value; a key without a value counts as absent.
fn or_default<'de, A: MapAccess<'de>, T: Deserialize<'de> + Default>(
    map: &mut A,
) -> Result<T, A::Error> {
    Ok(map.next_value::<Option<T>>()?.unwrap_or_default())
}
