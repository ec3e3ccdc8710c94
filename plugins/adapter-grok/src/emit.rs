//! Turns records into events: speakers, and results linked to calls.

use acreta_sdk::adapter::author::{self, Wrapping};
use acreta_sdk::adapter::blocks::{Block, blocks, words};
use acreta_sdk::adapter::json::{Text, Value};
use acreta_sdk::adapter::{EventWriter, Failure, RecordSpan, Reply, Sink};

use crate::beside::Times;

const WRAPPING: Wrapping = Wrapping {
    wrappers: &[],
    inserts: &[("<system-reminder>", "</system-reminder>", "system-reminder")],
};

/// Emits one record. `last` is the time of the last record that has one.
pub(crate) fn record<S: Sink>(
    told: &mut EventWriter<'_, S>,
    record: Value<'_>,
    (start, end): (u64, u64),
    times: &Times,
    last: &mut Option<u64>,
) -> Result<(), Failure> {
    let mut place = RecordSpan::new("", start, end, *last);
    let kind = record.text_of("type").map(Text::lossy);
    match kind.as_deref() {
        Some("system") => {
            let text = words(record.field("content"), &mut place);
            told.injected(&mut place, "system", "system-prompt", text)?;
        }
        Some("user") => {
            let index = record.field("prompt_index").and_then(Value::number);
            place.at_ms = index.and_then(|index| times.prompt(index)).or(place.at_ms);
            user(told, record, &mut place)?;
        }
        Some("assistant") => assistant(told, record, times, &mut place)?,
        Some("reasoning") => {
            let text = words(
                record.field("summary").or(record.field("content")),
                &mut place,
            );
            let mut reply = Reply::default();
            told.assistant(&mut place, "thinking", text, reply.take())?;
        }
        Some("tool_result") => {
            let id = place.text(record, "tool_call_id");
            place.at_ms = times.call(&id).map(|(_, end)| end).or(place.at_ms);
            let text = words(record.field("content"), &mut place);
            let is_error = record.field("is_error").is_some_and(Value::is_true);
            told.tool_result(&mut place, &id, text, is_error)?;
        }
        Some(other) => told.unknown(&place, "records", other),
        None => told.diagnose_once(&place, "a record without a type"),
    }
    told.close(&place);
    *last = place.at_ms;
    Ok(())
}

/// A person's words are in a separate element; the rest was written by the program.
fn user<S: Sink>(
    told: &mut EventWriter<'_, S>,
    record: Value<'_>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let reason = record.text_of("synthetic_reason").map(Text::lossy);
    for block in blocks(record.field("content")) {
        let Block::Text(text) = block else {
            block.emit(told, place, &mut Reply::default())?;
            continue;
        };
        let text = place.decode(text).into_owned();
        // A second element is quoted, and which one it is cannot be told.
        let is_quoted = text.matches("<user_query>").nth(1).is_some();
        match (author::element(&text, "user_query"), &reason) {
            (_, Some(reason)) => told.injected(place, "user", reason, text)?,
            (Some(_), None) if is_quoted => told.injected(place, "user", "environment", text)?,
            (Some(query), None) => told.person(place, query, &WRAPPING)?,
            (None, None) if record.field("prompt_index").is_some() => {
                told.person(place, &text, &WRAPPING)?;
            }
            (None, None) => told.injected(place, "user", "environment", text)?,
        }
    }
    Ok(())
}

fn assistant<S: Sink>(
    told: &mut EventWriter<'_, S>,
    record: Value<'_>,
    times: &Times,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let model = record.text_of("model_id").map(Text::lossy);
    let mut reply = Reply::new(model.as_deref(), None);
    let calls = record
        .field("tool_calls")
        .map(Value::elements)
        .unwrap_or_default();
    let began = calls.first().and_then(|call| call.text_of("id"));
    let began = began.and_then(|id| times.call(&id.lossy()));
    place.at_ms = began.map(|(start, _)| start).or(place.at_ms);
    for block in blocks(record.field("content")) {
        block.emit(told, place, &mut reply)?;
    }
    for call in calls {
        let (tool, id) = (place.text(call, "name"), place.text(call, "id"));
        let input = place.shown(call.field("arguments"));
        told.tool_call(place, &tool, &id, input, reply.take())?;
    }
    Ok(())
}
