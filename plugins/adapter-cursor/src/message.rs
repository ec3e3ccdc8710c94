//! A message of the command line: from its database or its transcripts, which spell the parts of a message differently.

use acreta_sdk::adapter::json::{Text, Value, compact};
use acreta_sdk::adapter::{Attrs, EventWriter, Failure, RecordSpan, Sink, Speaker, shorten};

use crate::author;

/// Placeholder of unreadable thinking.
const REDACTED: &str = "[REDACTED]";

/// Emits a message: `{role}` and its content.
pub(crate) fn emit<S: Sink>(
    told: &mut EventWriter<'_, S>,
    speaker: Speaker,
    message: Value<'_>,
    content: Option<Value<'_>>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let role = message.text_of("role").map(Text::lossy).unwrap_or_default();
    let role = match &*role {
        "user" => Role::User(speaker),
        "assistant" => Role::Assistant,
        "tool" => Role::Tool,
        "system" => Role::System,
        other => {
            told.unknown(place, "messages", other);
            return Ok(());
        }
    };
    match content {
        Some(Value::Text(text)) => {
            let text = place.decode(text).into_owned();
            said(told, role, text, place)?;
        }
        Some(list @ Value::List(_)) => {
            for part in list.elements() {
                self::part(told, role, part, place)?;
            }
        }
        _ => told.diagnose(place, "a message without content"),
    }
    told.close(place);
    Ok(())
}

#[derive(Clone, Copy)]
enum Role {
    User(Speaker),
    Assistant,
    Tool,
    System,
}

fn said<S: Sink>(
    told: &mut EventWriter<'_, S>,
    role: Role,
    text: String,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    match role {
        Role::User(speaker) => author::prompt(told, speaker, &text, place),
        Role::Assistant => told.assistant(place, "text", readable(text), Attrs::new()),
        Role::Tool => told.tool_result(place, "", text, false),
        Role::System => told.injected(place, "system", "system-prompt", text),
    }
}

fn part<S: Sink>(
    told: &mut EventWriter<'_, S>,
    role: Role,
    part: Value<'_>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let first = |names: &[&str]| names.iter().find_map(|name| part.text_of(name));
    let kind = part.text_of("type").map(Text::lossy).unwrap_or_default();
    let text = first(&["text", "thinking"]);
    match (&*kind, text) {
        ("text", Some(text)) => {
            let text = place.decode(text).into_owned();
            said(told, role, text, place)
        }
        ("thinking" | "reasoning", Some(text)) => {
            let text = readable(place.decode(text).into_owned());
            told.assistant(place, "thinking", text, Attrs::new())
        }
        // Unreadable thinking.
        ("thinking" | "reasoning" | "redacted-reasoning" | "redacted_thinking", None) => Ok(()),
        ("tool_use" | "tool_call" | "tool-call", _) => {
            let name = first(&["name", "toolName"])
                .map(Text::lossy)
                .unwrap_or_default();
            let id = first(&["id", "toolCallId"]).map(Text::lossy);
            // Transcripts do not record which call a result belongs to.
            let id = id.map_or_else(|| place.event_id(), |id| id.into_owned());
            let input = part.field("input").or_else(|| part.field("args"));
            let input = place.lossy(compact(input.map(Value::raw).unwrap_or_default()));
            told.tool_call(place, &name, &id, input, Attrs::new())
        }
        ("tool_result" | "tool-result", _) => {
            let call = first(&["tool_use_id", "toolCallId"])
                .map(Text::lossy)
                .unwrap_or_default();
            let name = first(&["name", "toolName"]).map(|name| name.lossy().into_owned());
            let tool = told.calls.close(&call).or(name);
            let content = ["content", "result", "output"];
            let content = content.iter().find_map(|name| part.field(name));
            let is_error = ["is_error", "isError"]
                .iter()
                .any(|name| part.field(name).is_some_and(Value::is_true));
            let text = content
                .map(|content| result(content, place))
                .unwrap_or_default();
            told.result_of(place, tool.as_deref(), &call, text, is_error)
        }
        (thing @ ("image" | "file"), _) => {
            told.emit(place, "user", "note", format!("[{thing}]"), Attrs::new())
        }
        (other, text) => {
            told.unknown(place, "parts", other);
            let text = text.map(|text| place.decode(text).into_owned());
            let role = match role {
                Role::User(_) => "user",
                Role::Assistant => "assistant",
                Role::Tool | Role::System => "system",
            };
            match text {
                Some(text) => told.emit(place, role, "note", text, Attrs::new()),
                None => Ok(()),
            }
        }
    }
}

/// Renders a result: its texts, and placeholders for other content.
fn result(content: Value<'_>, place: &mut RecordSpan) -> String {
    match content {
        Value::Text(text) => place.decode(text).into_owned(),
        Value::List(_) => {
            let parts = content.elements();
            let texts = parts.iter().map(|part| match part.text_of("text") {
                Some(text) => place.decode(text).into_owned(),
                None => {
                    let kind = part.text_of("type").map(Text::lossy).unwrap_or_default();
                    format!("[{}]", shorten(&kind))
                }
            });
            texts.collect::<Vec<_>>().join("\n")
        }
        other => place.lossy(compact(other.raw())),
    }
}

/// Removes the placeholder lines of unreadable text.
fn readable(text: String) -> String {
    if !text.contains(REDACTED) {
        return text;
    }
    let lines: Vec<_> = text
        .lines()
        .filter(|line| line.trim() != REDACTED)
        .collect();
    lines.join("\n").trim_end().to_owned()
}
