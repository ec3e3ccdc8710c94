//! Messages of threads from before version 0.3.0: a role, and texts next to calls.

use acreta_sdk::adapter::json::{Text, Value};
use acreta_sdk::adapter::{EventWriter, Failure, RecordSpan, Reply, Sink, Speaker};

use crate::pieces::{result, words};

pub(crate) fn message<S: Sink>(
    told: &mut EventWriter<'_, S>,
    message: Value<'_>,
    place: &mut RecordSpan,
    speaker: Speaker,
    reply: &mut Reply,
) -> Result<(), Failure> {
    let role = message.text_of("role").map(Text::lossy).unwrap_or_default();
    let list = |name: &str| message.field(name).map(Value::elements).unwrap_or_default();
    // The oldest have one text in place of segments.
    let mut texts: Vec<(bool, String)> = Vec::new();
    for segment in list("segments") {
        let is_thought = segment
            .text_of("type")
            .is_some_and(|kind| kind.is("thinking"));
        texts.push((is_thought, place.text(segment, "text")));
    }
    if texts.is_empty() {
        texts.push((false, place.text(message, "text")));
    }
    for (is_thought, text) in texts {
        match &*role {
            _ if text.trim().is_empty() => {}
            "user" => words(told, &text, place, speaker)?,
            "assistant" => {
                let kind = if is_thought { "thinking" } else { "text" };
                told.assistant(place, kind, text, reply.take())?;
            }
            _ => told.injected(place, "system", "system-prompt", text)?,
        }
    }
    if &*role == "user" {
        let context = place.text(message, "context");
        told.injected(place, "user", "context", context)?;
    }
    for call in list("tool_uses") {
        let (tool, id) = (place.text(call, "name"), place.text(call, "id"));
        let input = place.shown(call.field("input"));
        told.tool_call(place, &tool, &id, input, reply.take())?;
    }
    for answer in list("tool_results") {
        result(told, answer, place)?;
    }
    Ok(())
}
