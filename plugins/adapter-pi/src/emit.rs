//! Turns entries into events.
//!
//! Only text that a person typed is `text` of the `user`. Text inserted by extensions and files, and commands that a
//! person ran, are marked as such.

use acreta_sdk::adapter::author::Wrapping;
use acreta_sdk::adapter::json::{Text, Value, compact};
use acreta_sdk::adapter::time::milliseconds;
use acreta_sdk::adapter::{
    Attrs, EventWriter, Failure, RecordSpan, Reply, Session, Sink, Speaker, Tokens, attr,
};

use crate::OPENCLAW;

/// Marks around skills and files that Pi inserts between a person's words.
const WRAPPING: Wrapping = Wrapping {
    wrappers: &[],
    inserts: &[
        ("<skill name=", "</skill>", "skill"),
        ("<file name=", "</file>", "file"),
    ],
};

/// What OpenClaw writes around a message of a channel: who said it, what others said before. Its own sender says it in a
/// field, older versions in the text alone.
const CHANNEL: [&str; 6] = [
    "(untrusted metadata)",
    "[Chat messages since your last reply",
    "[Current message - respond to this]",
    "[Queued messages while agent was busy]",
    "[from: ",
    "EXTERNAL_UNTRUSTED_CONTENT",
];

/// Beginnings of a text that OpenClaw put before a message of a channel, or wrote itself.
const ENVELOPES: [&str; 2] = ["[", "System: "];

/// Entries without conversation.
const BOOKKEEPING: [&str; 15] = [
    "session",
    "session_init",
    "title",
    "title_change",
    "model_usage",
    "reset_boundary",
    "service_tier_change",
    "credential_pin",
    "model_change",
    "thinking_level_change",
    "custom",
    "label",
    "session_info",
    "ttsr_injection",
    "mode_change",
];

/// The author of prompts, and the part that a forked session took over from its original.
pub(crate) struct Fork<'a> {
    speaker: Speaker,
    is_openclaw: bool,
    parent: Option<&'a str>,
    /// Entries before this time were taken over.
    at_ms: Option<u64>,
}

impl<'a> Fork<'a> {
    pub(crate) fn of(session: &'a Session) -> Self {
        Self {
            speaker: Speaker::of(session),
            is_openclaw: session.agent == OPENCLAW[1],
            parent: session.parent.as_deref(),
            at_ms: session.started_ms,
        }
    }

    fn origin_of(&self, at_ms: Option<u64>) -> Option<&'a str> {
        let is_older = at_ms.zip(self.at_ms).is_some_and(|(at, fork)| at < fork);
        self.parent.filter(|_| is_older)
    }
}

/// Emits one entry.
pub(crate) fn entry<S: Sink>(
    event_writer: &mut EventWriter<'_, S>,
    record: Value<'_>,
    (start, end): (u64, u64),
    fork: &Fork<'_>,
) -> Result<(), Failure> {
    let id = record.text_of("id").map(Text::lossy).unwrap_or_default();
    let time = record.text_of("timestamp");
    let at_ms = time.and_then(|time| milliseconds(time.raw));
    let mut place = RecordSpan::new(id, start, end, at_ms);
    let origin = fork.origin_of(at_ms);
    place.attrs.extend(origin.map(|id| attr("copied_from", id)));
    let Some(kind) = record.text_of("type").map(Text::lossy) else {
        event_writer.diagnose_once(&place, "a record without a type");
        return Ok(());
    };
    match &*kind {
        "message" => match record.field("message") {
            Some(content @ Value::Object(_)) => message(event_writer, content, &mut place, fork)?,
            _ => event_writer.diagnose(&place, "a record of the conversation without a message"),
        },
        "custom_message" => extension(event_writer, record, &mut place)?,
        "compaction" | "branch_summary" => summary(event_writer, record, &mut place)?,
        known if BOOKKEEPING.contains(&known) => {}
        other => event_writer.unknown(&place, "records", other),
    }
    event_writer.close(&place);
    Ok(())
}

fn message<S: Sink>(
    event_writer: &mut EventWriter<'_, S>,
    message: Value<'_>,
    place: &mut RecordSpan,
    fork: &Fork<'_>,
) -> Result<(), Failure> {
    let role = message.text_of("role").map(Text::lossy).unwrap_or_default();
    match &*role {
        "user" => person(event_writer, message, place, fork),
        "assistant" => assistant(event_writer, message, place),
        "toolResult" => {
            let call = text_of(message, "toolCallId", place);
            let waiting = event_writer.calls.close(&call);
            let named = message.text_of("toolName").map(Text::lossy);
            let tool = named.map(String::from).or(waiting);
            let is_error = message.field("isError").is_some_and(Value::is_true);
            let text = content_text(message.field("content"), place);
            event_writer.result_of(place, tool.as_deref(), &call, text, is_error)
        }
        "bashExecution" => execution(event_writer, message, place, "command", "bash"),
        "pythonExecution" => execution(event_writer, message, place, "code", "python"),
        "developer" => extension(event_writer, message, place),
        "custom" | "hookMessage" => extension(event_writer, message, place),
        "fileMention" => {
            for file in elements(message.field("files")) {
                let text = text_of(file, "content", place);
                event_writer.injected(place, "user", "file", text)?;
            }
            Ok(())
        }
        "branchSummary" | "compactionSummary" => summary(event_writer, message, place),
        // The agent's own instructions and tools, since 0.87.
        "system" => Ok(()),
        other => {
            event_writer.unknown(place, "messages", other);
            Ok(())
        }
    }
}

/// Emits a command that a person ran, and its output.
fn execution<S: Sink>(
    event_writer: &mut EventWriter<'_, S>,
    message: Value<'_>,
    place: &mut RecordSpan,
    field: &str,
    by: &str,
) -> Result<(), Failure> {
    let command = text_of(message, field, place);
    event_writer.emit(place, "user", "note", command, Attrs::new())?;
    let output = text_of(message, "output", place);
    event_writer.injected(place, "user", by, output)
}

fn person<S: Sink>(
    event_writer: &mut EventWriter<'_, S>,
    message: Value<'_>,
    place: &mut RecordSpan,
    fork: &Fork<'_>,
) -> Result<(), Failure> {
    let stranger = stranger(message);
    let speaker = match is_owners(message) {
        true if fork.speaker == Speaker::Channel => Speaker::Person,
        _ => fork.speaker,
    };
    let parts = match message.field("content") {
        Some(text @ Value::Text(_)) => vec![text],
        blocks => elements(blocks),
    };
    for part in parts {
        let Some(text) = part.text().or_else(|| part.text_of("text")) else {
            event_writer.emit(place, "user", "note", placeholder(part), Attrs::new())?;
            continue;
        };
        let text = place.decode(text).into_owned();
        match stranger {
            Some(by) => event_writer.injected(place, "user", by, text)?,
            None if fork.is_openclaw && is_from_channel(&text) => {
                event_writer.injected(place, "user", "channel", text)?
            }
            None => speaker.prompt(event_writer, place, &text, &WRAPPING)?,
        }
    }
    Ok(())
}

/// Returns who wrote a message under the name of the user, if its own fields say that it was not the person: in Oh My Pi
/// its `attribution`, in OpenClaw its `provenance` and the sender's standing.
fn stranger(message: Value<'_>) -> Option<&'static str> {
    let is = |value: Option<Text<'_>>, name: &str| value.is_some_and(|text| text.is(name));
    let provenance = message.field("provenance");
    let kind = provenance.and_then(|provenance| provenance.text_of("kind"));
    match () {
        () if is(message.text_of("attribution"), "agent") => Some("agent"),
        () if is(kind, "inter_session") => Some("agent"),
        () if is(kind, "internal_system") => Some("system"),
        () if owner(message) == Some(Value::Scalar(b"false")) => Some("channel"),
        () => None,
    }
}

/// Returns what OpenClaw says of a message: whether its sender is its owner.
fn owner(message: Value<'_>) -> Option<Value<'_>> {
    message.field("__openclaw")?.field("senderIsOwner")
}

fn is_owners(message: Value<'_>) -> bool {
    owner(message).is_some_and(Value::is_true)
}

/// Reports whether a text came by a channel of OpenClaw, with words of others in it or about it.
fn is_from_channel(text: &str) -> bool {
    let start = text.trim_start();
    CHANNEL.iter().any(|mark| text.contains(mark))
        || ENVELOPES.iter().any(|mark| start.starts_with(mark))
}

fn assistant<S: Sink>(
    event_writer: &mut EventWriter<'_, S>,
    message: Value<'_>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let model = message.text_of("model").map(Text::lossy);
    let mut reply = Reply::new(model.as_deref(), message.field("usage").map(tokens));
    for block in elements(message.field("content")) {
        let kind = block.text_of("type").map(Text::lossy).unwrap_or_default();
        match &*kind {
            "text" | "thinking" => {
                let text = text_of(block, &kind, place);
                if !text.trim().is_empty() {
                    event_writer.assistant(place, &kind, text, reply.take())?;
                }
            }
            "toolCall" => {
                let (tool, call) = (text_of(block, "name", place), text_of(block, "id", place));
                let input = block.field("arguments").map(Value::raw).unwrap_or_default();
                let input = place.lossy(compact(input));
                event_writer.tool_call(place, &tool, &call, input, reply.take())?;
            }
            other => event_writer.unknown(place, "blocks", other),
        }
    }
    // A reply that failed or was stopped has an error message, and often nothing else.
    let error = text_of(message, "errorMessage", place);
    if error.is_empty() {
        return Ok(());
    }
    event_writer.emit(place, "system", "note", error, reply.take())
}

/// Emits text that an extension inserted.
fn extension<S: Sink>(
    event_writer: &mut EventWriter<'_, S>,
    message: Value<'_>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let text = content_text(message.field("content"), place);
    event_writer.injected(place, "user", "extension", text)
}

/// Emits the summary of an earlier part, or of an abandoned branch.
fn summary<S: Sink>(
    event_writer: &mut EventWriter<'_, S>,
    record: Value<'_>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let text = text_of(record, "summary", place);
    if text.is_empty() {
        return Ok(());
    }
    event_writer.emit(place, "system", "compaction", text, Attrs::new())
}

fn tokens(usage: Value<'_>) -> Tokens {
    let count = |name: &str| usage.field(name).and_then(Value::number);
    let cost = usage.field("cost").and_then(|cost| cost.field("total"));
    Tokens::new(count("input").unwrap_or(0), count("output").unwrap_or(0))
        .beside(count("cacheRead"), count("cacheWrite"))
        .costing(cost)
}

fn text_of(value: Value<'_>, name: &str, place: &mut RecordSpan) -> String {
    let text = value.text_of(name).map(|text| place.decode(text));
    text.unwrap_or_default().into_owned()
}

/// Returns a string, or the texts of its blocks with placeholders for other content.
fn content_text(content: Option<Value<'_>>, place: &mut RecordSpan) -> String {
    match content {
        Some(Value::Text(text)) => place.decode(text).into_owned(),
        blocks => {
            let texts: Vec<_> = elements(blocks)
                .into_iter()
                .map(|block| match block.text_of("text") {
                    Some(text) => place.decode(text).into_owned(),
                    None => placeholder(block),
                })
                .collect();
            texts.join("\n")
        }
    }
}

fn placeholder(block: Value<'_>) -> String {
    let kind = block.text_of("type").map(Text::lossy);
    format!("[{}]", kind.as_deref().unwrap_or("block"))
}

fn elements(list: Option<Value<'_>>) -> Vec<Value<'_>> {
    list.map(Value::elements).unwrap_or_default()
}
