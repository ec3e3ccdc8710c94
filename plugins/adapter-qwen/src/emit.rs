//! Turns records into events: speakers, and results linked to calls.

use acreta_sdk::adapter::author::Wrapping;
use acreta_sdk::adapter::json::{Text, Value};
use acreta_sdk::adapter::time::instant;
use acreta_sdk::adapter::{Attrs, EventWriter, Failure, RecordSpan, Reply, Sink, Tokens};
use adapter_gemini::part::{Piece, SHELL, answered, files, has_result, pieces, words};

const WRAPPING: Wrapping = Wrapping {
    wrappers: &[SHELL],
    inserts: &[
        ("<system-reminder>", "</system-reminder>", "system-reminder"),
        // Hooks of this name extend a prompt; the text is not a person's.
        (
            "<qwen:user-prompt-submit-context>",
            "</qwen:user-prompt-submit-context>",
            "hook",
        ),
    ],
};

/// Emits one record.
pub(crate) fn record<S: Sink>(
    told: &mut EventWriter<'_, S>,
    record: Value<'_>,
    (start, end): (u64, u64),
) -> Result<(), Failure> {
    let id = record.text_of("uuid").map(Text::lossy).unwrap_or_default();
    let at_ms = record.field("timestamp").and_then(instant);
    let mut place = RecordSpan::new(id, start, end, at_ms);
    let content = record
        .field("message")
        .and_then(|message| message.field("parts"));
    let kind = record.text_of("type").map(Text::lossy);
    match kind.as_deref() {
        Some("user") => user(told, record, pieces(content), &mut place)?,
        Some("assistant") => assistant(told, record, pieces(content), &mut place)?,
        Some("tool_result") => results(told, record, pieces(content), &mut place)?,
        Some("system") => system(told, record, &mut place)?,
        Some(other) => told.unknown(&place, "records", other),
        None => told.diagnose_once(&place, "a record without a type"),
    }
    told.close(&place);
    Ok(())
}

fn user<S: Sink>(
    told: &mut EventWriter<'_, S>,
    record: Value<'_>,
    pieces: Vec<Piece<'_>>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    // Earlier versions do not record the author; text that is not a person's has a subtype.
    let provenance = record
        .text_of("provenance")
        .or_else(|| record.text_of("subtype"))
        .map(Text::lossy);
    let by = match provenance.as_deref() {
        Some("real_user" | "mid_turn_user_message") => None,
        None if record.field("isSidechain").is_some_and(Value::is_true) => Some("agent"),
        None if has_result(&pieces) => Some("tool"),
        by => by,
    };
    let mut is_file = false;
    for piece in pieces {
        match piece {
            Piece::Said(text) => {
                let text = place.decode(text).into_owned();
                if let Some(by) = by {
                    told.injected(place, "user", by, text)?;
                    continue;
                }
                let start = match files(&text) {
                    _ if is_file => 0,
                    Some(start) => start,
                    None => text.len(),
                };
                let (own, content) = text.split_at(start);
                told.person(place, own, &WRAPPING)?;
                if !content.is_empty() {
                    is_file = true;
                    told.injected(place, "user", "file", content.to_owned())?;
                }
            }
            Piece::Thing(name) => told.emit(place, "user", "note", name, Attrs::new())?,
            Piece::Answer(answer) => result(told, answer, false, place)?,
            Piece::Thought(_) | Piece::Call(_) => {}
        }
    }
    Ok(())
}

fn assistant<S: Sink>(
    told: &mut EventWriter<'_, S>,
    record: Value<'_>,
    pieces: Vec<Piece<'_>>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let mut reply = reply(record);
    for piece in pieces {
        match piece {
            Piece::Said(text) | Piece::Thought(text) => {
                let kind = match piece {
                    Piece::Said(_) => "text",
                    _ => "thinking",
                };
                let text = place.decode(text).into_owned();
                if !text.trim().is_empty() {
                    told.assistant(place, kind, text, reply.take())?;
                }
            }
            Piece::Call(call) => {
                let (tool, id) = (place.text(call, "name"), place.text(call, "id"));
                let input = place.shown(call.field("args"));
                told.tool_call(place, &tool, &id, input, reply.take())?;
            }
            Piece::Thing(name) => told.emit(place, "assistant", "note", name, Attrs::new())?,
            Piece::Answer(_) => {}
        }
    }
    Ok(())
}

fn results<S: Sink>(
    told: &mut EventWriter<'_, S>,
    record: Value<'_>,
    pieces: Vec<Piece<'_>>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let status = record
        .field("toolCallResult")
        .and_then(|call| call.text_of("status"));
    let failed = status.is_some_and(|status| status.is("error") || status.is("cancelled"));
    for piece in pieces {
        if let Piece::Answer(answer) = piece {
            result(told, answer, failed, place)?;
        }
    }
    Ok(())
}

fn result<S: Sink>(
    told: &mut EventWriter<'_, S>,
    answer: Value<'_>,
    failed: bool,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let id = place.text(answer, "id");
    let (text, is_error) = answered(answer, place);
    told.tool_result(place, &id, text, failed || is_error)
}

/// Emits the program's notes outside the conversation. Most of them are bookkeeping.
fn system<S: Sink>(
    told: &mut EventWriter<'_, S>,
    record: Value<'_>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let payload = record.field("systemPayload");
    let field = |name| payload.and_then(|payload| payload.field(name));
    match record.text_of("subtype").map(Text::lossy).as_deref() {
        Some("chat_compression") => {
            let history = field("compressedHistory").map(Value::elements);
            let first = history.and_then(|history| history.first().copied());
            let text = words(first.and_then(|first| first.field("parts")), place);
            told.emit(place, "system", "compaction", text, Attrs::new())
        }
        Some("slash_command") if field("phase").is_none_or(|phase| shown(phase, "invocation")) => {
            let command = place.shown(field("rawCommand"));
            match command.is_empty() {
                true => Ok(()),
                false => told.emit(place, "user", "note", command, Attrs::new()),
            }
        }
        _ => Ok(()),
    }
}

fn shown(value: Value<'_>, expected: &str) -> bool {
    value.text().is_some_and(|text| text.is(expected))
}

fn reply(record: Value<'_>) -> Reply {
    let model = record.text_of("model").map(Text::lossy);
    let tokens = record.field("usageMetadata").and_then(|usage| {
        let number = |name: &str| usage.field(name).and_then(Value::number);
        let output = number("candidatesTokenCount")?;
        let thoughts = number("thoughtsTokenCount").unwrap_or(0);
        let tokens = Tokens::new(number("promptTokenCount")?, output.saturating_add(thoughts));
        Some(tokens.within(number("cachedContentTokenCount"), None))
    });
    Reply::new(model.as_deref(), tokens)
}
