//! Turns the messages of a context into events.
//!
//! Forge keeps what a person typed apart from what the model got: `raw_content`. A message of the user without it was
//! written by Forge: attached files, piped input, lists of tasks, summaries.

use acreta_sdk::adapter::author::{Wrapping, element};
use acreta_sdk::adapter::chat;
use acreta_sdk::adapter::json::{Text, Value};
use acreta_sdk::adapter::outline::Outline;
use acreta_sdk::adapter::{Attrs, EventWriter, Failure, RecordSpan, Reply, Sink, Speaker, Tokens};

/// Beginning of the summary that replaces an earlier part.
const SUMMARY: &str = "Use the following summary frames as the authoritative reference";

/// Emits a whole conversation.
pub(crate) fn conversation<S: Sink>(
    outline: &Outline<'_>,
    mut told: EventWriter<'_, S>,
    speaker: Speaker,
) -> Result<(), Failure> {
    for (index, item) in outline.items.iter().flatten().enumerate() {
        let mut place = RecordSpan::new(index.to_string(), 0, 0, None);
        message(&mut told, item.value, &mut place, speaker)?;
        told.close(&place);
    }
    if let Some((_, why)) = outline.fault {
        told.diagnose(&RecordSpan::default(), why);
    }
    told.finish()?;
    Ok(())
}

/// Reports that a row has no context.
pub(crate) fn nothing<S: Sink>(mut told: EventWriter<'_, S>) -> Result<(), Failure> {
    told.diagnose(&RecordSpan::default(), "a conversation without a context");
    told.finish()?;
    Ok(())
}

/// Returns the text of a message; `None` for results and images. Earlier versions had no wrapper with the usage.
pub(crate) fn text_message(entry: Value<'_>) -> Option<Value<'_>> {
    entry.field("message").unwrap_or(entry).field("text")
}

pub(crate) fn role(message: Value<'_>) -> String {
    let role = message.text_of("role").map(Text::lossy);
    role.unwrap_or_default().into_owned()
}

/// Returns the directory in the instructions.
pub(crate) fn directory(message: Value<'_>) -> Option<String> {
    let text = message.text_of("content")?.lossy().into_owned();
    let directory = element(&text, "current_working_directory")?;
    (!directory.is_empty()).then(|| directory.to_owned())
}

fn message<S: Sink>(
    told: &mut EventWriter<'_, S>,
    entry: Value<'_>,
    place: &mut RecordSpan,
    speaker: Speaker,
) -> Result<(), Failure> {
    let inner = entry.field("message").unwrap_or(entry);
    if let Some(text) = inner.field("text") {
        return match &*role(text) {
            "User" => user(told, text, place, speaker),
            "Assistant" => assistant(told, entry, text, place),
            // The instructions of each turn.
            "System" => Ok(()),
            other => {
                told.unknown(place, "messages", other);
                Ok(())
            }
        };
    }
    if let Some(result) = inner.field("tool") {
        return answer(told, result, place);
    }
    match inner.field("image") {
        Some(_) => told.emit(place, "user", "note", "[image]".to_owned(), Attrs::new()),
        None => {
            told.diagnose_once(place, "a message of an unknown type");
            Ok(())
        }
    }
}

fn user<S: Sink>(
    told: &mut EventWriter<'_, S>,
    message: Value<'_>,
    place: &mut RecordSpan,
    speaker: Speaker,
) -> Result<(), Failure> {
    let raw = message.field("raw_content");
    // A text, or a command with what was typed after it.
    let typed = raw.and_then(|raw| match raw {
        Value::Text(text) => Some(place.decode(text).into_owned()),
        raw => match (raw.text_of("Text"), raw.field("Command")) {
            (Some(text), _) => Some(place.decode(text).into_owned()),
            (None, command) => command.map(|command| command_line(command, place)),
        },
    });
    if let Some(typed) = typed {
        return speaker.prompt(told, place, &typed, &Wrapping::default());
    }
    let text = place.text(message, "content");
    let by = match () {
        () if text.trim_start().starts_with(SUMMARY) => {
            return told.emit(place, "system", "compaction", text, Attrs::new());
        }
        () if text.trim_start().starts_with("<file_content") => "file",
        () if text.trim_start().starts_with("<directory_listing") => "file",
        () => "forge",
    };
    told.injected(place, "user", by, text)
}

fn command_line(command: Value<'_>, place: &mut RecordSpan) -> String {
    let mut words = vec![format!("/{}", place.text(command, "name"))];
    let parameters = command.field("parameters").map(Value::elements);
    words.extend(
        parameters
            .unwrap_or_default()
            .into_iter()
            .map(|word| place.shown(Some(word))),
    );
    words.join(" ")
}

fn assistant<S: Sink>(
    told: &mut EventWriter<'_, S>,
    entry: Value<'_>,
    message: Value<'_>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let model = message.text_of("model").map(Text::lossy);
    let mut reply = Reply::new(model.as_deref(), entry.field("usage").and_then(tokens));
    let details = message.field("reasoning_details").map(Value::elements);
    let thoughts: Vec<_> = details
        .unwrap_or_default()
        .into_iter()
        .map(|part| place.text(part, "text"))
        .collect();
    let text = place.text(message, "content");
    chat::words(told, thoughts.join("\n"), text, place, &mut reply)?;
    chat::calls(told, message.field("tool_calls"), place, &mut reply)
}

fn answer<S: Sink>(
    told: &mut EventWriter<'_, S>,
    result: Value<'_>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let id = place.text(result, "call_id");
    let output = result.field("output");
    let values = output.and_then(|output| output.field("values"));
    let texts: Vec<_> = values
        .map(Value::elements)
        .unwrap_or_default()
        .into_iter()
        .map(|value| rendered(value, place))
        .collect();
    let is_error = output
        .and_then(|output| output.field("is_error"))
        .is_some_and(Value::is_true);
    let waiting = told.calls.close(&id);
    let tool = waiting.unwrap_or_else(|| place.text(result, "name"));
    told.result_of(place, Some(&tool), &id, texts.join("\n"), is_error)
}

fn rendered(value: Value<'_>, place: &mut RecordSpan) -> String {
    let text = value.field("text").or(value.field("markdown"));
    let agent = value.field("aI");
    match (text, agent) {
        (Some(text), _) => place.shown(Some(text)),
        (None, Some(agent)) => place.text(agent, "value"),
        _ if value.field("image").is_some() => "[image]".to_owned(),
        _ => String::new(),
    }
}

fn tokens(usage: Value<'_>) -> Option<Tokens> {
    let count = |name: &str| {
        let count = usage.field(name)?;
        let counted = count.field("actual").or(count.field("approx"));
        counted.unwrap_or(count).number()
    };
    let tokens = Tokens::new(count("prompt_tokens")?, count("completion_tokens")?);
    Some(
        tokens
            .within(count("cached_tokens"), None)
            .costing(usage.field("cost")),
    )
}
