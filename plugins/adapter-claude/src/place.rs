//! Where a record stands in its file, and what all events of it have in common.
//!
//! Ids come from here: the record's own where it has one, else its offset, so that every read of
//! the same bytes gives the same ids.

use std::borrow::Cow;

use acreta_sdk::adapter::Attrs;
use memchr::memmem;

use crate::json::{Text, Value};
use crate::record::{Content, Record};
use crate::time::milliseconds;

/// Longest text that is repeated inside a message or a note.
const SHORT: usize = 300;

/// Longest id that is looked for in a damaged record.
const UUID: usize = 64;

pub(crate) struct Place {
    /// The record's own id; empty when it has none.
    pub(crate) record: String,
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) at_ms: Option<u64>,
    pub(crate) attrs: Attrs,
    /// How many events were told of it.
    pub(crate) events: usize,
    /// Whether characters had to be replaced.
    pub(crate) damaged: bool,
}

/// Who is behind a `user` text, as far as the record says it.
pub(crate) enum Speaker {
    Person,
    Tooling(String),
    Compaction,
}

impl Speaker {
    /// By the kind of origin that newer versions give.
    pub(crate) fn of_origin(kind: Option<Text<'_>>) -> Self {
        match kind {
            Some(kind) if !kind.is("human") => Speaker::Tooling(shorten(&kind.lossy()).to_owned()),
            _ => Speaker::Person,
        }
    }
}

impl Place {
    /// `session` is the id that the file's own records carry.
    pub(crate) fn new(record: &Record<'_>, start: u64, end: u64, session: &str) -> Self {
        let mut attrs = Attrs::new();
        if record.is_sidechain {
            attrs.push(attr("sidechain", "true"));
        }
        if let Some(agent) = record.agent {
            attrs.push(attr("agent_id", agent.lossy()));
        }
        if let Some(other) = record.session
            && !other.is(session)
        {
            attrs.push(attr("copied_from", other.lossy()));
        }
        Self {
            record: record
                .uuid
                .map(|uuid| uuid.lossy().into_owned())
                .unwrap_or_default(),
            start,
            end,
            at_ms: record.timestamp.and_then(|time| milliseconds(time.raw)),
            attrs,
            events: 0,
            damaged: false,
        }
    }

    /// The id of the next event.
    pub(crate) fn event_id(&self) -> String {
        let record = if self.record.is_empty() {
            Cow::Owned(format!("@{}", self.start))
        } else {
            Cow::Borrowed(&*self.record)
        };
        match self.events {
            0 => record.into_owned(),
            further => format!("{record}#{further}"),
        }
    }

    /// The text, with damage noted.
    pub(crate) fn decode<'a>(&mut self, text: Text<'a>) -> Cow<'a, str> {
        let (text, damaged) = text.decode();
        self.damaged |= damaged;
        text
    }

    /// The same for bytes that are no string.
    pub(crate) fn lossy(&mut self, bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).unwrap_or_else(|error| {
            self.damaged = true;
            String::from_utf8_lossy(error.as_bytes()).into_owned()
        })
    }
}

/// The text of a tool result: its texts, and placeholders for what is none.
pub(crate) fn result_text(content: Option<Value<'_>>, place: &mut Place) -> String {
    match content.map(Content::of) {
        None | Some(Content::Missing) => String::new(),
        Some(Content::Text(text)) => place.decode(text).into_owned(),
        Some(Content::Blocks(blocks)) => {
            let texts: Vec<_> = blocks
                .iter()
                .map(|block| match block.text {
                    Some(text) => place.decode(text),
                    None => Cow::Owned(format!("[{}]", shorten(&block.kind.lossy()))),
                })
                .collect();
            texts.join("\n")
        }
    }
}

pub(crate) fn attr(key: &str, value: impl Into<String>) -> (String, String) {
    (key.to_owned(), value.into())
}

/// At most the first few hundred bytes.
pub(crate) fn shorten(text: &str) -> &str {
    &text[..text.floor_char_boundary(SHORT)]
}

/// The id in a record that cannot be read, where it can be found; else nothing.
pub(crate) fn uuid_in(bytes: &[u8]) -> String {
    for beginning in [&b"\"uuid\":\""[..], b"\"uuid\": \""] {
        let Some(found) = memmem::find(bytes, beginning) else {
            continue;
        };
        let behind = &bytes[found + beginning.len()..];
        let length = behind
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-');
        let length = length.count();
        if length <= UUID && behind.get(length) == Some(&b'"') {
            return String::from_utf8_lossy(&behind[..length]).into_owned();
        }
    }
    String::new()
}
