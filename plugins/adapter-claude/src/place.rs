//! Properties of a record apart from its message: its location, speaker and session.

use std::borrow::Cow;

use acreta_sdk::adapter::json::{Text, Value};
use acreta_sdk::adapter::time::milliseconds;
use acreta_sdk::adapter::{RecordSpan, attr, shorten};
use memchr::memmem;

use crate::record::{Content, Record};

/// Maximum length of an id that is searched for in a damaged record.
const UUID: usize = 64;

/// Author of a `user` text, as far as the record states it.
pub(crate) enum Speaker {
    Person,
    Tooling(String),
    Compaction,
}

impl Speaker {
    /// Derives the author from the kind of origin, which newer versions write.
    pub(crate) fn of_origin(kind: Option<Text<'_>>) -> Self {
        match kind {
            Some(kind) if !kind.is("human") => Speaker::Tooling(shorten(&kind.lossy()).to_owned()),
            _ => Speaker::Person,
        }
    }
}

/// Builds the place of a record. `session` is the id in the file's own records.
pub(crate) fn place_of(record: &Record<'_>, start: u64, end: u64, session: &str) -> RecordSpan {
    let uuid = record.uuid.map(Text::lossy).unwrap_or_default();
    let at_ms = record.timestamp.and_then(|time| milliseconds(time.raw));
    let mut place = RecordSpan::new(uuid, start, end, at_ms);
    if record.is_sidechain {
        place.attrs.push(attr("sidechain", "true"));
    }
    if let Some(agent) = record.agent {
        place.attrs.push(attr("agent_id", agent.lossy()));
    }
    if let Some(other) = record.session
        && !other.is(session)
    {
        place.attrs.push(attr("copied_from", other.lossy()));
    }
    place
}

/// Renders a tool result: its texts, and placeholders for other content.
pub(crate) fn result_text(content: Option<Value<'_>>, place: &mut RecordSpan) -> String {
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

/// Finds the id in an unreadable record; empty if there is none.
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
