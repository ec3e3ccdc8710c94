//! Turns the messages of a thread into events: speakers, and results linked to calls.

use acreta_sdk::adapter::author::{Author, Wrapping};
use acreta_sdk::adapter::document::Item;
use acreta_sdk::adapter::json::{self, Text, Value};
use acreta_sdk::adapter::outline::Outline;
use acreta_sdk::adapter::{
    Attrs, EventWriter, Failure, RecordSpan, Reply, Sink, Tokens, Unique, shorten,
};

use crate::result::outcome;
use crate::sessions::time;

const WRAPPING: Wrapping = Wrapping {
    wrappers: &[(
        "Continuing work from thread T-",
        Author::Injected("handoff"),
    )],
    inserts: &[("<system-reminder>", "</system-reminder>", "system-reminder")],
};

/// Emits a whole thread.
pub(crate) fn thread<S: Sink>(
    outline: &Outline<'_>,
    mut told: EventWriter<'_, S>,
) -> Result<(), Failure> {
    let mut ids = Unique::default();
    let items = outline.items.as_deref().unwrap_or_default();
    for (index, item) in items.iter().enumerate() {
        let id = item.value.field("messageId").map(Value::raw);
        let record = String::from_utf8_lossy(id.unwrap_or_default());
        let mut place = RecordSpan::new(record, item.start, item.end, time(item.value));
        ids.name(&mut place, &index.to_string());
        message(item, &mut place, &mut told)?;
        told.close(&place);
    }
    if let Some((at, why)) = outline.fault {
        told.diagnose(&RecordSpan::new("", at, at, None), why);
    }
    told.finish()?;
    Ok(())
}

fn message<S: Sink>(
    item: &Item<'_>,
    place: &mut RecordSpan,
    told: &mut EventWriter<'_, S>,
) -> Result<(), Failure> {
    let message = item.value;
    let blocks = match message.field("content") {
        Some(Value::List(list)) => Value::List(list).elements(),
        Some(text @ Value::Text(_)) => vec![text],
        _ => {
            told.diagnose(place, "a message without content");
            return Ok(());
        }
    };
    let role = message.text_of("role").map(Text::lossy).unwrap_or_default();
    match &*role {
        "user" => user(message, &blocks, place, told),
        "assistant" => assistant(message, &blocks, place, told),
        "info" => info(&blocks, place, told),
        other => {
            told.unknown(place, "messages", other);
            Ok(())
        }
    }
}

fn user<S: Sink>(
    message: Value<'_>,
    blocks: &[Value<'_>],
    place: &mut RecordSpan,
    told: &mut EventWriter<'_, S>,
) -> Result<(), Failure> {
    let meta = |name: &str| message.field("meta").and_then(|meta| meta.field(name));
    let is_agents =
        meta("fromExecutorThreadID").is_some() || meta("fromAggman").is_some_and(Value::is_true);
    for block in blocks {
        match &*kind(*block) {
            "text" => {
                let text = text_of(*block, "text", place);
                let is_hidden = block.field("hidden").is_some_and(Value::is_true);
                match (is_agents, is_hidden) {
                    (true, _) => told.injected(place, "user", "agent", text)?,
                    (_, true) => told.injected(place, "user", "hidden", text)?,
                    _ => told.person(place, &text, &WRAPPING)?,
                }
            }
            "image" => told.emit(place, "user", "note", "[image]".to_owned(), Attrs::new())?,
            "tool_result" => tool_result(*block, place, told)?,
            other => told.unknown(place, "blocks", other),
        }
    }
    for guidance in list(message, "discoveredGuidanceFiles") {
        let text = text_of(guidance, "content", place);
        told.injected(place, "user", "guidance", text)?;
    }
    if message.field("interrupted").is_some_and(Value::is_true) {
        let note = "[interrupted by the user]".to_owned();
        told.emit(place, "user", "note", note, Attrs::new())?;
    }
    Ok(())
}

fn assistant<S: Sink>(
    message: Value<'_>,
    blocks: &[Value<'_>],
    place: &mut RecordSpan,
    told: &mut EventWriter<'_, S>,
) -> Result<(), Failure> {
    let mut reply = reply(message);
    for block in blocks {
        match &*kind(*block) {
            kind @ ("text" | "thinking") => {
                let text = text_of(*block, kind, place);
                if !text.trim().is_empty() {
                    told.assistant(place, kind, text, reply.take())?;
                }
            }
            "redacted_thinking" => {}
            "summary" => summary(*block, place, told)?,
            call if call.ends_with("tool_use") => {
                let tool = block.text_of("name").map(Text::lossy).unwrap_or_default();
                let call = block.text_of("id").map(Text::lossy).unwrap_or_default();
                let input = block.field("input").map(Value::raw).unwrap_or_default();
                let input = place.lossy(json::compact(input));
                told.tool_call(place, &tool, &call, input, reply.take())?;
            }
            "tool_result" => tool_result(*block, place, told)?,
            other => told.unknown(place, "blocks", other),
        }
    }
    let state = message.field("state");
    let how = state.and_then(|state| state.text_of("type"));
    match &*how.map(Text::lossy).unwrap_or_default() {
        "cancelled" => {
            let note = "[the reply was cancelled]".to_owned();
            told.emit(place, "system", "note", note, Attrs::new())
        }
        "error" => {
            let error = state.and_then(|state| state.field("error")?.text_of("message"));
            let error = error.map(|error| place.decode(error)).unwrap_or_default();
            let note = format!("error: {}", shorten(&error));
            told.emit(place, "system", "note", note, Attrs::new())
        }
        _ => Ok(()),
    }
}

/// Emits Amp's own records between the messages: commands that the person ran, summaries.
fn info<S: Sink>(
    blocks: &[Value<'_>],
    place: &mut RecordSpan,
    told: &mut EventWriter<'_, S>,
) -> Result<(), Failure> {
    for block in blocks {
        match &*kind(*block) {
            "manual_bash_invocation" => {
                let command = block.field("args").and_then(|args| args.text_of("cmd"));
                let command = command.map(|text| place.decode(text).into_owned());
                let note = command.unwrap_or_default();
                told.emit(place, "user", "note", note, Attrs::new())?;
                let run = block.field("toolRun").and_then(|run| outcome(run, place));
                if let Some(run) = run {
                    told.injected(place, "user", "bash", run.text)?;
                }
            }
            "summary" => summary(*block, place, told)?,
            "text" => {
                let text = text_of(*block, "text", place);
                told.injected(place, "system", "info", text)?;
            }
            other => told.unknown(place, "blocks", other),
        }
    }
    Ok(())
}

fn summary<S: Sink>(
    block: Value<'_>,
    place: &mut RecordSpan,
    told: &mut EventWriter<'_, S>,
) -> Result<(), Failure> {
    let Some(summary) = block.field("summary") else {
        return Ok(());
    };
    let text = summary.text().or_else(|| summary.text_of("summary"));
    let Some(text) = text.map(|text| place.decode(text).into_owned()) else {
        return Ok(());
    };
    told.emit(place, "system", "compaction", text, Attrs::new())
}

fn tool_result<S: Sink>(
    block: Value<'_>,
    place: &mut RecordSpan,
    told: &mut EventWriter<'_, S>,
) -> Result<(), Failure> {
    let call = block.text_of("toolUseID").map(Text::lossy);
    let outcome = block.field("run").and_then(|run| outcome(run, place));
    match outcome {
        Some(outcome) => {
            let call = call.unwrap_or_default();
            told.tool_result(place, &call, outcome.text, outcome.is_error)
        }
        None => Ok(()),
    }
}

fn reply(message: Value<'_>) -> Reply {
    let Some(usage) = message.field("usage") else {
        return Reply::default();
    };
    let number = |name: &str| usage.field(name).and_then(Value::number);
    let (read, written) = (
        number("cacheReadInputTokens"),
        number("cacheCreationInputTokens"),
    );
    let tokens = number("outputTokens").map(|output| match number("totalInputTokens") {
        Some(input) => Tokens::new(input, output).within(read, written),
        None => Tokens::new(number("inputTokens").unwrap_or(0), output).beside(read, written),
    });
    let model = usage.text_of("model").map(Text::lossy);
    Reply::new(model.as_deref(), tokens)
}

/// Returns the kind of a block; a string in place of a block is text.
fn kind(block: Value<'_>) -> std::borrow::Cow<'_, str> {
    match block {
        Value::Text(_) => "text".into(),
        block => block.text_of("type").map(Text::lossy).unwrap_or_default(),
    }
}

fn text_of(block: Value<'_>, name: &str, place: &mut RecordSpan) -> String {
    let text = block.text().or_else(|| block.text_of(name));
    text.map(|text| place.decode(text).into_owned())
        .unwrap_or_default()
}

fn list<'a>(message: Value<'a>, name: &str) -> Vec<Value<'a>> {
    message.field(name).map(Value::elements).unwrap_or_default()
}
