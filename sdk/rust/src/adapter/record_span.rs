//! A record's location in its file, and the properties that all of its events share.
//!
//! Ids are derived here: from the record's own id if it has one, else from its offset, so that every read of the same
//! bytes gives the same ids.

use std::borrow::Cow;

use crate::adapter::Attrs;

use crate::adapter::json::{Text, Value, compact};

/// Maximum length of text repeated inside a message or a note, in bytes.
const SHORT: usize = 300;

/// One record of a session while its events are emitted.
#[derive(Debug, Clone, Default)]
pub struct RecordSpan {
    /// The record's own id; empty if it has none.
    pub record: String,
    /// Prefix of event ids, if the record's own id may not be unique.
    pub id: Option<String>,
    /// Byte span in the file; `0, 0` in a database.
    pub start: u64,
    pub end: u64,
    pub at_ms: Option<u64>,
    /// Attributes of every event of the record.
    pub attrs: Attrs,
    /// Number of events emitted for it.
    pub events: usize,
    /// Characters had to be replaced.
    pub damaged: bool,
}

impl RecordSpan {
    pub fn new(record: impl Into<String>, start: u64, end: u64, at_ms: Option<u64>) -> Self {
        Self {
            record: record.into(),
            start,
            end,
            at_ms,
            ..Self::default()
        }
    }

    /// Returns the id of the next event.
    pub fn event_id(&self) -> String {
        let record = match &self.id {
            Some(id) => Cow::Borrowed(&**id),
            None if self.record.is_empty() => Cow::Owned(format!("@{}", self.start)),
            None => Cow::Borrowed(&*self.record),
        };
        match self.events {
            0 => record.into_owned(),
            further => format!("{record}#{further}"),
        }
    }

    /// Decodes the text and notes damage.
    pub fn decode<'a>(&mut self, text: Text<'a>) -> Cow<'a, str> {
        let (text, damaged) = text.decode();
        self.damaged |= damaged;
        text
    }

    /// Decodes the text of one field and notes damage; empty if the field is missing.
    pub fn text(&mut self, record: Value<'_>, name: &str) -> String {
        let text = record.text_of(name).unwrap_or_default();
        self.decode(text).into_owned()
    }

    /// Renders any value as text: a string as it is, other values as JSON on one line; empty for `None`.
    pub fn shown(&mut self, value: Option<Value<'_>>) -> String {
        match value {
            Some(Value::Text(text)) => self.decode(text).into_owned(),
            Some(value) => self.lossy(compact(value.raw())),
            None => String::new(),
        }
    }

    /// Decodes bytes that are not a JSON string and notes damage.
    pub fn lossy(&mut self, bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).unwrap_or_else(|error| {
            self.damaged = true;
            String::from_utf8_lossy(error.as_bytes()).into_owned()
        })
    }
}

pub fn attr(key: &str, value: impl Into<String>) -> (String, String) {
    (key.to_owned(), value.into())
}

/// Returns at most the first 300 bytes.
pub fn shorten(text: &str) -> &str {
    &text[..text.floor_char_boundary(SHORT)]
}
