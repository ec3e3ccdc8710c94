//! Classifies the records of both generations.

use acreta_sdk::adapter::json::{Fault, Scanner, Value};
use acreta_sdk::adapter::objects::Records;

/// The records of a `wire.jsonl`.
pub(crate) struct Lines;

impl Records for Lines {
    type Record<'a> = Value<'a>;

    const BEGINNINGS: &'static [&'static [u8]] = &[b"{\"type\":", b"{\"timestamp\":"];

    fn scan<'a>(scanner: &mut Scanner<'a>) -> Result<Value<'a>, Fault> {
        scanner.object()
    }

    fn is_whole(record: &Value<'_>) -> bool {
        let of_code = record.text_of("type").is_some() && record.field("time").is_some();
        of_code || is_legacy(*record)
    }
}

/// Reports whether this is a record of the older Kimi CLI: `{timestamp, message: {type, payload}}`.
pub(crate) fn is_legacy(record: Value<'_>) -> bool {
    let message = record.field("message");
    let payload = message.and_then(|message| message.field("payload"));
    matches!(record.field("timestamp"), Some(Value::Scalar(_)))
        && matches!(payload, Some(Value::Object(_)))
        && message.is_some_and(|message| message.text_of("type").is_some())
}
