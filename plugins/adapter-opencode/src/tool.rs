//! Tool calls and their results: one part, emitted as two events.

use acreta_sdk::adapter::json::{Text, Value};
use acreta_sdk::adapter::{Failure, RecordSpan, Reply, Sink, attr, shorten};

use crate::emit::{Call, Conversation, cause, file_name, plain, text_of};

impl<S: Sink> Conversation<'_, S> {
    pub(crate) fn tool(
        &mut self,
        call: Call<'_>,
        place: &mut RecordSpan,
        reply: &mut Reply,
    ) -> Result<(), Failure> {
        let value = call.value;
        let tool = call.tool.map(Text::lossy).unwrap_or_default();
        let call = call.id.map(Text::lossy).unwrap_or_default();
        let Some(state) = value.field("state") else {
            self.told
                .diagnose(place, "a call of a tool without its state");
            return Ok(());
        };
        let time = |of: Value<'_>, name: &str| of.field("time")?.field(name)?.number();
        let began = time(state, "start").or_else(|| time(value, "created"));
        place.at_ms = began.or(place.at_ms);
        let mut attrs = reply.take();
        attrs.extend(agent(state));
        let input = input(state, place);
        self.told.tool_call(place, &tool, &call, input, attrs)?;

        let ended = time(state, "end").or_else(|| time(value, "completed"));
        place.at_ms = ended.or(place.at_ms);
        let status = state.text_of("status").map(Text::lossy).unwrap_or_default();
        match &*status {
            "completed" => {
                let text = output(state, place);
                let is_error = has_failed(state);
                self.told.tool_result(place, &call, text, is_error)
            }
            "error" => {
                let text = match state.field("error") {
                    Some(Value::Text(text)) => place.decode(text).into_owned(),
                    Some(error) => cause(error, place),
                    None => String::new(),
                };
                self.told.tool_result(place, &call, text, true)
            }
            // Not answered yet, or never.
            "pending" | "running" => Ok(()),
            other => {
                self.told.unknown(place, "calls of tools", other);
                Ok(())
            }
        }
    }
}

/// Reports whether a command ended with a non-zero exit code; its tool call counts as completed all the same.
fn has_failed(state: Value<'_>) -> bool {
    let code = state
        .field("metadata")
        .and_then(|metadata| metadata.field("exit"));
    matches!(code, Some(Value::Scalar(code)) if code != b"0" && code != b"null")
}

/// Returns the session of the agent that the call started.
fn agent(state: Value<'_>) -> Option<(String, String)> {
    let metadata = state
        .field("metadata")
        .or_else(|| state.field("structured"))?;
    let session = metadata.text_of("sessionId")?.lossy();
    Some(attr("agent_id", shorten(&session)))
}

/// Returns the input; while it is still arriving, the part that is there.
fn input(state: Value<'_>, place: &mut RecordSpan) -> String {
    let raw = text_of(state, "raw", place);
    match state.field("input") {
        Some(Value::Object(b"{}")) | None => raw,
        Some(input) => plain(input, place),
    }
}

/// Returns the tool's result: a text, or the contents of a newer one, and the names of its files.
fn output(state: Value<'_>, place: &mut RecordSpan) -> String {
    let mut lines = Vec::new();
    lines.extend(state.field("output").map(|output| plain(output, place)));
    let list = |name| state.field(name).map(Value::elements).unwrap_or_default();
    for content in list("content") {
        lines.push(match content.text_of("text") {
            Some(text) => place.decode(text).into_owned(),
            None => format!("[file {}]", shorten(&file_name(content))),
        });
    }
    for file in list("attachments") {
        lines.push(format!("[file {}]", shorten(&file_name(file))));
    }
    lines.join("\n")
}
