//! Classifies the lines of a session file.

use acreta_sdk::adapter::json::{Fault, Scanner, Text, Value};
use acreta_sdk::adapter::objects::Records;

/// The records of a session file.
pub(crate) struct Lines;

impl Records for Lines {
    type Record<'a> = Value<'a>;

    const BEGINNINGS: &'static [&'static [u8]] = &[b"{\"id\":", b"{\"$set\":", b"{\"$rewindTo\":"];

    fn scan<'a>(scanner: &mut Scanner<'a>) -> Result<Value<'a>, Fault> {
        scanner.object()
    }

    fn is_whole(record: &Value<'_>) -> bool {
        match Record::of(*record) {
            // Calls of tools have ids as well, but no type.
            Record::Message(_) => record.text_of("type").is_some(),
            Record::Update(_) | Record::Rewind(_) => true,
            Record::Head | Record::Other => false,
        }
    }
}

pub(crate) enum Record<'a> {
    /// Describes the whole session; in old files with all its messages.
    Head,
    /// Writes or rewrites the message of this id.
    Message(Text<'a>),
    /// Changes properties of the session.
    Update(Value<'a>),
    /// Retracts the message of this id and everything after it.
    Rewind(Text<'a>),
    Other,
}

impl<'a> Record<'a> {
    pub(crate) fn of(record: Value<'a>) -> Self {
        if let Some(id) = record.text_of("$rewindTo") {
            Record::Rewind(id)
        } else if let Some(id) = record.text_of("id") {
            Record::Message(id)
        } else if let Some(update @ Value::Object(_)) = record.field("$set") {
            Record::Update(update)
        } else if record.text_of("sessionId").is_some() {
            Record::Head
        } else {
            Record::Other
        }
    }
}
