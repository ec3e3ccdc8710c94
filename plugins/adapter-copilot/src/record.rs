//! A record of a session of the command line: `{type, data, id, timestamp, parentId}`.

use std::borrow::Cow;

use acreta_sdk::adapter::json::{Fault, Scanner, Text, Value};
use acreta_sdk::adapter::objects::Records;
use acreta_sdk::adapter::time::instant;
use acreta_sdk::adapter::{RecordSpan, attr};

/// The records of a log.
pub(crate) struct Lines;

/// A record that was located but not decoded.
#[derive(Debug)]
pub(crate) struct Record<'a> {
    pub(crate) kind: Cow<'a, str>,
    /// Always an object; empty if the record has none.
    pub(crate) data: Value<'a>,
    pub(crate) has_data: bool,
    pub(crate) timestamp: Option<Value<'a>>,
    id: Option<Text<'a>>,
    agent: Option<Text<'a>>,
    /// It names the preceding record, as every record does.
    has_parent: bool,
}

impl Records for Lines {
    type Record<'a> = Record<'a>;

    const BEGINNINGS: &'static [&'static [u8]] = &[b"{\"type\":\""];

    fn scan<'a>(scanner: &mut Scanner<'a>) -> Result<Record<'a>, Fault> {
        let mut record = Record {
            kind: Cow::Borrowed(""),
            data: Value::Object(b"{}"),
            has_data: false,
            timestamp: None,
            id: None,
            agent: None,
            has_parent: false,
        };
        scanner.each_field(|scanner, key| {
            let value = scanner.value()?;
            match (key, value) {
                (b"type", Value::Text(kind)) => record.kind = kind.lossy(),
                (b"data", Value::Object(_)) => {
                    record.data = value;
                    record.has_data = true;
                }
                (b"timestamp", _) => record.timestamp = Some(value),
                (b"id", _) => record.id = value.text(),
                (b"agentId", _) => record.agent = value.text(),
                (b"parentId", _) => record.has_parent = true,
                _ => {}
            }
            Ok(())
        })?;
        Ok(record)
    }

    fn is_whole(record: &Record<'_>) -> bool {
        record.is_own()
    }
}

impl<'a> Record<'a> {
    /// Reports whether this is a record of such a log and not of someone else's.
    pub(crate) fn is_own(&self) -> bool {
        let is_named = self.kind == "abort" || self.kind.contains('.');
        is_named && self.has_parent && self.id.is_some() && self.timestamp.is_some()
    }

    pub(crate) fn text(&self, name: &str) -> Option<Text<'a>> {
        self.data.text_of(name)
    }

    /// Returns the subagent that the record belongs to. Older versions name the call that started it.
    pub(crate) fn agent(&self) -> Option<Text<'a>> {
        self.agent.or_else(|| self.text("parentToolCallId"))
    }

    pub(crate) fn place(&self, (start, end): (u64, u64)) -> RecordSpan {
        let id = self.id.map(Text::lossy).unwrap_or_default();
        let mut place = RecordSpan {
            // Copies of a log repeat ids; offsets are always unique.
            id: Some(format!("@{start}")),
            ..RecordSpan::new(id, start, end, self.timestamp.and_then(instant))
        };
        if let Some(agent) = self.agent() {
            place.attrs.push(attr("agent_id", agent.lossy()));
        }
        place
    }
}
