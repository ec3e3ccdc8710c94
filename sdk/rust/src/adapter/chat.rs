//! Messages in the form of OpenAI's chat interface: a reply's calls are a list beside its text, and a result is a message
//! that names its call.

use crate::adapter::json::{Fault, Scanner, Value};
use crate::adapter::objects::Records;
use crate::adapter::{EventWriter, Failure, RecordSpan, Reply, Sink};

/// Records that are messages: plain objects with a `role`.
pub struct Messages;

impl Records for Messages {
    type Record<'a> = Value<'a>;

    const BEGINNINGS: &'static [&'static [u8]] = &[b"{\"role\":"];

    fn scan<'a>(scanner: &mut Scanner<'a>) -> Result<Value<'a>, Fault> {
        scanner.object()
    }

    fn is_whole(record: &Value<'_>) -> bool {
        record.field("role").is_some()
    }
}

/// Emits the calls of a reply: `[{"id": …, "function": {"name": …, "arguments": …}}]`, or the same without `function`.
pub fn calls<S: Sink>(
    told: &mut EventWriter<'_, S>,
    calls: Option<Value<'_>>,
    place: &mut RecordSpan,
    reply: &mut Reply,
) -> Result<(), Failure> {
    for call in calls.map(Value::elements).unwrap_or_default() {
        let function = call.field("function").unwrap_or(call);
        let id = match call.field("id") {
            Some(id) => place.shown(Some(id)),
            None => place.text(call, "call_id"),
        };
        let tool = place.text(function, "name");
        let input = place.shown(function.field("arguments"));
        told.tool_call(place, &tool, &id, input, reply.take())?;
    }
    Ok(())
}

/// Emits the thoughts and the words of a reply.
pub fn words<S: Sink>(
    told: &mut EventWriter<'_, S>,
    thoughts: String,
    text: String,
    place: &mut RecordSpan,
    reply: &mut Reply,
) -> Result<(), Failure> {
    for (kind, text) in [("thinking", thoughts), ("text", text)] {
        if !text.trim().is_empty() {
            told.assistant(place, kind, text, reply.take())?;
        }
    }
    Ok(())
}

/// Reports whether a result says in its own fields that the call failed: an exit code, an error, or no success.
pub fn has_failed(result: &str) -> bool {
    let Ok(result) = Scanner::new(result.trim().as_bytes()).object() else {
        return false;
    };
    let code = ["exit_code", "returncode"]
        .iter()
        .find_map(|name| result.field(name));
    let error = result
        .text_of("error")
        .is_some_and(|error| !error.raw.is_empty());
    error
        || code.is_some_and(
            |code| matches!(code, Value::Scalar(code) if !matches!(code, b"0" | b"null")),
        )
        || result.field("success") == Some(Value::Scalar(b"false"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_says_whether_its_call_failed() {
        let table = [
            (r#"{"output":"a","exit_code":0,"error":null}"#, false),
            (r#"{"output":"","exit_code":2}"#, true),
            (r#"{"exit_code":null}"#, false),
            (r#"{"error":"no such file"}"#, true),
            (r#"{"error":""}"#, false),
            (r#"{"success":false}"#, true),
            ("error: no", false),
            ("[1]", false),
        ];
        for (result, expected) in table {
            assert_eq!(has_failed(result), expected, "{result}");
        }
    }
}
