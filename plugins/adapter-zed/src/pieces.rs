//! Pieces that messages of all versions have: a person's words, results of calls.

use acreta_sdk::adapter::author::Wrapping;
use acreta_sdk::adapter::json::Value;
use acreta_sdk::adapter::{EventWriter, Failure, RecordSpan, Sink, Speaker};

const WRAPPING: Wrapping = Wrapping {
    wrappers: &[],
    inserts: &[("<context>", "</context>", "context")],
};

/// Emits a person's words; marks the prompts of a subagent.
pub(crate) fn words<S: Sink>(
    told: &mut EventWriter<'_, S>,
    text: &str,
    place: &mut RecordSpan,
    speaker: Speaker,
) -> Result<(), Failure> {
    speaker.prompt(told, place, text, &WRAPPING)
}

/// Emits the result of one call.
pub(crate) fn result<S: Sink>(
    told: &mut EventWriter<'_, S>,
    answer: Value<'_>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let id = place.text(answer, "tool_use_id");
    let text = match answer.field("content") {
        Some(list @ Value::List(_)) => {
            let parts = list.elements().into_iter();
            let parts: Vec<_> = parts.map(|part| output(part, place)).collect();
            parts.join("\n")
        }
        Some(content) => output(content, place),
        None => String::new(),
    };
    let is_error = answer.field("is_error").is_some_and(Value::is_true);
    told.tool_result(place, &id, text, is_error)
}

/// Returns a text, under any of its names.
fn output(content: Value<'_>, place: &mut RecordSpan) -> String {
    let text = content
        .text()
        .or_else(|| content.text_of("Text"))
        .or_else(|| content.text_of("text"));
    match text {
        Some(text) => place.decode(text).into_owned(),
        None if content.field("Image").is_some() => "[image]".to_owned(),
        None => place.shown(Some(content)),
    }
}
