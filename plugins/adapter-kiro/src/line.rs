//! The journal: `{version, kind, data}` per line, where a message's content is a list of
//! `{kind, data}`. A prompt has its time; answers and results have none.

use acreta_sdk::adapter::author::{Author, Piece};
use acreta_sdk::adapter::json::{Fault, Scanner, Text, Value, compact};
use acreta_sdk::adapter::objects::Records;
use acreta_sdk::adapter::time::instant;
use acreta_sdk::adapter::{Attrs, EventWriter, Failure, RecordSpan, Sink, Speaker, attr};

use crate::content::{Answer, WRAPPING};

/// The records of a journal.
pub(crate) struct Lines;

impl Records for Lines {
    type Record<'a> = Value<'a>;

    const BEGINNINGS: &'static [&'static [u8]] = &[b"{\"version\":"];

    fn scan<'a>(scanner: &mut Scanner<'a>) -> Result<Value<'a>, Fault> {
        scanner.object()
    }

    fn is_whole(record: &Value<'_>) -> bool {
        is_own(*record)
    }
}

/// Reports whether this is a record of Kiro's.
pub(crate) fn is_own(record: Value<'_>) -> bool {
    let version = record.text_of("version");
    let data = record.field("data");
    version.is_some_and(|version| version.raw.starts_with(b"v"))
        && record.text_of("kind").is_some()
        && matches!(data, Some(Value::Object(_) | Value::Scalar(b"null")))
        && record.field("type").is_none()
}

/// Returns the time of a record, if it has one.
pub(crate) fn time(record: Value<'_>) -> Option<u64> {
    let meta = record.field("data")?.field("meta")?;
    meta.field("timestamp").and_then(instant)
}

/// Returns the model that a record names.
pub(crate) fn model(record: Value<'_>) -> Option<String> {
    let content = record.field("data")?.field("content")?;
    let named = content.elements().into_iter().find_map(thinker)?;
    Some(named.lossy().into_owned())
}

fn thinker(part: Value<'_>) -> Option<Text<'_>> {
    part.field("data")?.text_of("modelId")
}

/// Emits one record.
pub(crate) fn record<S: Sink>(
    told: &mut EventWriter<'_, S>,
    speaker: Speaker,
    record: Value<'_>,
    (start, end): (u64, u64),
) -> Result<(), Failure> {
    let kind = record.text_of("kind").map(Text::lossy).unwrap_or_default();
    let data = record.field("data");
    let id = data.and_then(|data| data.text_of("message_id"));
    let id = id.map(Text::lossy).unwrap_or_default();
    let mut place = RecordSpan::new(id, start, end, time(record));
    // A message may be rewritten under its own id.
    place.id = Some(format!("@{start}"));
    let content = data.and_then(|data| data.field("content"));
    let parts = content.map(Value::elements).unwrap_or_default();
    match &*kind {
        "Prompt" | "AssistantMessage" | "ToolResults" if parts.is_empty() => {
            told.diagnose(&place, "a message without content");
        }
        "Prompt" => prompt(told, speaker, &parts, &mut place)?,
        "AssistantMessage" => answer(told, &parts, &mut place)?,
        "ToolResults" => results(told, &parts, &mut place)?,
        "Compaction" => {
            let summary = data.and_then(|data| data.text_of("summary"));
            let text = summary.map_or("Conversation compacted".into(), |text| place.decode(text));
            let (author, text) = (Author::Compaction, text.into_owned());
            told.piece(&mut place, Piece { author, text })?;
        }
        "Clear" | "ClearContext" => {
            let text = "conversation cleared".to_owned();
            told.emit(&mut place, "user", "note", text, Attrs::new())?;
        }
        "" => told.diagnose_once(&place, "a record without a kind"),
        other => told.unknown(&place, "records", other),
    }
    told.close(&place);
    Ok(())
}

fn prompt<S: Sink>(
    told: &mut EventWriter<'_, S>,
    speaker: Speaker,
    parts: &[Value<'_>],
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    for part in parts {
        let kind = part.text_of("kind").map(Text::lossy).unwrap_or_default();
        match (&*kind, part.text_of("data")) {
            ("text", Some(text)) => {
                let text = place.decode(text);
                speaker.prompt(told, place, &text, &WRAPPING)?;
            }
            ("image", _) => told.emit(place, "user", "note", "[image]".into(), Attrs::new())?,
            (other, _) => told.unknown(place, "parts", other),
        }
    }
    Ok(())
}

fn answer<S: Sink>(
    told: &mut EventWriter<'_, S>,
    parts: &[Value<'_>],
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    // Only thinking names the model, even if its text is not readable.
    let mut model = parts.iter().copied().find_map(thinker);
    for part in parts {
        let kind = part.text_of("kind").map(Text::lossy).unwrap_or_default();
        let data = part.field("data");
        let (kind, text) = match (&*kind, data) {
            ("text", Some(Value::Text(text))) => ("text", Some(text)),
            ("thinking", Some(data)) => ("thinking", data.text_of("text")),
            ("toolUse", Some(data)) => {
                let name = data.text_of("name").map(Text::lossy).unwrap_or_default();
                let call = data
                    .text_of("toolUseId")
                    .map(Text::lossy)
                    .unwrap_or_default();
                let input = data.field("input").map(Value::raw).unwrap_or_default();
                let input = place.lossy(compact(input));
                told.tool_call(place, &name, &call, input, named(&mut model))?;
                continue;
            }
            (other, _) => {
                told.unknown(place, "parts", other);
                continue;
            }
        };
        let text = text.map(|text| place.decode(text)).unwrap_or_default();
        if !text.trim().is_empty() {
            told.assistant(place, kind, text.into_owned(), named(&mut model))?;
        }
    }
    Ok(())
}

/// Returns the model, for the first event of its reply.
fn named(model: &mut Option<Text<'_>>) -> Attrs {
    let model = model.take().map(|model| attr("model", model.lossy()));
    model.into_iter().collect()
}

fn results<S: Sink>(
    told: &mut EventWriter<'_, S>,
    parts: &[Value<'_>],
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    for part in parts {
        let (Some(kind), Some(data)) = (part.text_of("kind"), part.field("data")) else {
            told.diagnose(place, "a result without content");
            continue;
        };
        if !kind.is("toolResult") {
            told.unknown(place, "parts", &kind.lossy());
            continue;
        }
        let mut answer = Answer::default();
        for block in data
            .field("content")
            .map(Value::elements)
            .unwrap_or_default()
        {
            let kind = block.text_of("kind").map(Text::lossy).unwrap_or_default();
            match (&*kind, block.field("data")) {
                ("text", Some(Value::Text(text))) => answer.text(text, place),
                ("json", Some(value)) => answer.json(value, place),
                (other, _) => answer.thing(other),
            }
        }
        let call = data
            .text_of("toolUseId")
            .map(Text::lossy)
            .unwrap_or_default();
        let status = data.text_of("status");
        let is_error = answer.failed || status.is_some_and(|status| status.is("error"));
        told.tool_result(place, &call, answer.text, is_error)?;
    }
    Ok(())
}
