//! The log of one session of the command line: records `{type, data, id, timestamp, parentId}`, and
//! how reading goes on where it stopped.

use std::borrow::Cow;

use acreta_sdk::adapter::calls::hash;
use acreta_sdk::adapter::json::{Fault, Scanner, Text, Value};
use acreta_sdk::adapter::objects::Records;
use acreta_sdk::adapter::parts::{self, Places};
use acreta_sdk::adapter::time::instant;
use acreta_sdk::adapter::{Cursor, Failure, Place, Session, Sink, attr, journal};
use serde::{Deserialize, Serialize};

use crate::events;
use crate::places;

/// The records of a log.
pub(crate) struct Lines;

/// A record, found but not decoded.
#[derive(Debug)]
pub(crate) struct Record<'a> {
    pub(crate) kind: Cow<'a, str>,
    /// Always an object; empty where there is none.
    pub(crate) data: Value<'a>,
    pub(crate) has_data: bool,
    pub(crate) timestamp: Option<Value<'a>>,
    id: Option<Text<'a>>,
    agent: Option<Text<'a>>,
    /// Whether it says what came before it, as every record does.
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
    /// Whether this is a record of such a log and not of someone else's.
    pub(crate) fn is_own(&self) -> bool {
        let is_named = self.kind == "abort" || self.kind.contains('.');
        is_named && self.has_parent && self.id.is_some() && self.timestamp.is_some()
    }

    pub(crate) fn text(&self, name: &str) -> Option<Text<'a>> {
        self.data.text_of(name)
    }

    /// The subagent that the record belongs to. Older versions name the call that started it.
    pub(crate) fn agent(&self) -> Option<Text<'a>> {
        self.agent.or_else(|| self.text("parentToolCallId"))
    }

    fn place(&self, (start, end): (u64, u64)) -> Place {
        let id = self.id.map(Text::lossy).unwrap_or_default();
        let mut place = Place {
            // Copies of a log repeat ids; offsets are always unique.
            id: Some(format!("@{start}")),
            ..Place::new(id, start, end, self.timestamp.and_then(instant))
        };
        if let Some(agent) = self.agent() {
            place.attrs.push(attr("agent_id", agent.lossy()));
        }
        place
    }
}

/// What a later read has to know of an earlier one.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct State {
    /// Hashes of what was told last of what is often repeated.
    system: Option<u64>,
    thought: Option<u64>,
    call: Option<u64>,
    #[serde(default)]
    places: Places,
}

impl State {
    /// Whether the system prompt is another one than before: it is repeated with every prompt.
    pub(crate) fn is_new_system(&mut self, text: &str) -> bool {
        replace(&mut self.system, text)
    }

    /// Whether a thought is another one than the last.
    pub(crate) fn is_new_thought(&mut self, text: &str) -> bool {
        replace(&mut self.thought, text)
    }

    /// Whether a call of the model is another one than the last: one may give several messages.
    pub(crate) fn is_new_call(&mut self, id: &str) -> bool {
        replace(&mut self.call, id)
    }
}

fn replace(kept: &mut Option<u64>, text: &str) -> bool {
    let new = Some(hash(text.as_bytes()));
    let is_new = *kept != new;
    *kept = new;
    is_new
}

pub(crate) fn read(
    session: &Session,
    from: &Cursor,
    sink: &mut impl Sink,
) -> Result<Cursor, Failure> {
    let part = parts::number(session);
    journal::read::<Lines, State, _>(&session.path, from, sink, |told, state, record, span| {
        places::see(&mut state.places, record);
        if state.places.current() != part {
            return Ok(());
        }
        let mut place = record.place(span);
        if !record.has_data && record.is_own() {
            told.diagnose(&place, "a record of the conversation without its data");
            return Ok(());
        }
        events::tell(told, state, record, &mut place)?;
        told.close(&place);
        Ok(())
    })
}
