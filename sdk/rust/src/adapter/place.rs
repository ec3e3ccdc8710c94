//! Where a record stands in its file, and what all events of it have in common.
//!
//! Ids come from here: the record's own where it has one, else its offset, so that every read of
//! the same bytes gives the same ids.

use std::borrow::Cow;

use crate::adapter::Attrs;

use crate::adapter::json::{Text, Value, compact};

/// Longest text that is repeated inside a message or a note.
const SHORT: usize = 300;

/// One record of a session, while it is told.
#[derive(Debug, Clone, Default)]
pub struct Place {
    /// The record's own id; empty when it has none.
    pub record: String,
    /// What ids of events start with, where the record's own id may not be unique.
    pub id: Option<String>,
    /// Byte span in the file; `0, 0` in a database.
    pub start: u64,
    pub end: u64,
    pub at_ms: Option<u64>,
    /// What every event of the record carries.
    pub attrs: Attrs,
    /// How many events were told of it.
    pub events: usize,
    /// Whether characters had to be replaced.
    pub damaged: bool,
}

impl Place {
    pub fn new(record: impl Into<String>, start: u64, end: u64, at_ms: Option<u64>) -> Self {
        Self {
            record: record.into(),
            start,
            end,
            at_ms,
            ..Self::default()
        }
    }

    /// The id of the next event.
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

    /// The text, with damage noted.
    pub fn decode<'a>(&mut self, text: Text<'a>) -> Cow<'a, str> {
        let (text, damaged) = text.decode();
        self.damaged |= damaged;
        text
    }

    /// The text of one field of a record, with damage noted; empty when there is none.
    pub fn text(&mut self, record: Value<'_>, name: &str) -> String {
        let text = record.text_of(name).unwrap_or_default();
        self.decode(text).into_owned()
    }

    /// A value of any kind as a text: a string as it is, anything else as JSON on one line; empty
    /// when there is none.
    pub fn shown(&mut self, value: Option<Value<'_>>) -> String {
        match value {
            Some(Value::Text(text)) => self.decode(text).into_owned(),
            Some(value) => self.lossy(compact(value.raw())),
            None => String::new(),
        }
    }

    /// The same for bytes that are no string.
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

/// At most the first few hundred bytes.
pub fn shorten(text: &str) -> &str {
    &text[..text.floor_char_boundary(SHORT)]
}
