//! What a line of a session file is to the session.

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
    /// About the session as a whole; in old files with all its messages.
    Head,
    /// Says or says again what the message of this id is.
    Message(Text<'a>),
    /// Changes what is known of the session.
    Update(Value<'a>),
    /// Takes back the message of this id and all that followed.
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
