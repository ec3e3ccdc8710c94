//! One line of a session file. Newer versions wrap their records, `{timestamp, type, payload}`; the oldest wrote them
//! bare and without a time.

use acreta_sdk::adapter::json::{Fault, Scanner, Text, Value};
use acreta_sdk::adapter::objects::Records;

/// The records of a session file.
pub(crate) struct Lines;

/// A record that was located but not decoded.
#[derive(Debug)]
pub(crate) struct Record<'a> {
    pub(crate) kind: Option<Text<'a>>,
    pub(crate) timestamp: Option<Value<'a>>,
    /// Its number in the thread, in versions that write it.
    pub(crate) ordinal: Option<u64>,
    pub(crate) payload: Option<Value<'a>>,
    /// The record itself.
    whole: Value<'a>,
}

/// Types of wrapped records.
const WRAPPED: [&str; 10] = [
    "session_meta",
    "response_item",
    "event_msg",
    "turn_context",
    "compacted",
    "world_state",
    "inter_agent_communication",
    "inter_agent_communication_metadata",
    "security_risk_score",
    "token_usage_record",
];

impl Records for Lines {
    type Record<'a> = Record<'a>;

    const BEGINNINGS: &'static [&'static [u8]] =
        &[b"{\"timestamp\":", b"{\"type\":", b"{\"record_type\":"];

    fn scan<'a>(scanner: &mut Scanner<'a>) -> Result<Record<'a>, Fault> {
        let whole = scanner.object()?;
        let mut record = Record {
            kind: None,
            timestamp: None,
            ordinal: None,
            payload: None,
            whole,
        };
        Scanner::new(whole.raw()).each_field(|scanner, key| {
            let value = scanner.value()?;
            match key {
                b"type" => record.kind = value.text(),
                b"timestamp" => record.timestamp = Some(value),
                b"ordinal" => record.ordinal = value.number(),
                b"payload" => record.payload = Some(value),
                _ => {}
            }
            Ok(())
        })?;
        Ok(record)
    }

    fn is_whole(record: &Record<'_>) -> bool {
        record.is_wrapped() || record.is_bare_item() || record.is_state()
    }
}

impl<'a> Record<'a> {
    /// Reports whether this is a line of a newer version.
    pub(crate) fn is_wrapped(&self) -> bool {
        let is_object = matches!(self.payload, Some(Value::Object(_)));
        is_object && self.kind.is_some_and(|kind| one_of(kind, &WRAPPED))
    }

    /// Reports whether this is the first line of the oldest version.
    pub(crate) fn is_bare_header(&self) -> bool {
        self.kind.is_none()
            && self.payload.is_none()
            && self.timestamp.is_some_and(|time| time.text().is_some())
            && self.whole.text_of("id").is_some()
            && self.whole.field("instructions").is_some()
    }

    /// Reports whether this is certainly a whole item of the oldest version.
    fn is_bare_item(&self) -> bool {
        let Some(kind) = self.kind.filter(|_| self.payload.is_none()) else {
            return false;
        };
        match &*kind.lossy() {
            "function_call" => {
                self.whole.text_of("call_id").is_some() && self.whole.text_of("arguments").is_some()
            }
            "function_call_output" => self.whole.text_of("call_id").is_some(),
            "reasoning" => matches!(self.whole.field("summary"), Some(Value::List(_))),
            _ => false,
        }
    }

    /// Reports whether this is the oldest version's mark between two turns, which is empty.
    pub(crate) fn is_state(&self) -> bool {
        let mark = self.whole.text_of("record_type");
        self.kind.is_none() && mark.is_some_and(|mark| mark.is("state"))
    }

    /// Returns the content, wrapped or bare.
    pub(crate) fn content(&self) -> Value<'a> {
        self.payload.unwrap_or(self.whole)
    }

    pub(crate) fn is(&self, kind: &str) -> bool {
        self.kind.is_some_and(|text| text.is(kind))
    }
}

fn one_of(text: Text<'_>, names: &[&str]) -> bool {
    names.iter().any(|name| text.is(name))
}
