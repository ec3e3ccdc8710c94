//! Turns the items of a history into events: speakers, and results linked to calls.

use acreta_sdk::adapter::author::Wrapping;
use acreta_sdk::adapter::json::{self, Text, Value};
use acreta_sdk::adapter::outline::Outline;
use acreta_sdk::adapter::time::instant;
use acreta_sdk::adapter::{Attrs, EventWriter, Failure, RecordSpan, Reply, Sink, Tokens};

/// Emits a whole session.
pub(crate) fn session<S: Sink>(
    outline: &Outline<'_>,
    told: EventWriter<'_, S>,
) -> Result<(), Failure> {
    let mut history = History { told };
    for (index, item) in outline.items.iter().flatten().enumerate() {
        let mut place = RecordSpan::new("", item.start, item.end, None);
        place.id = Some(index.to_string());
        history.item(item.value, &mut place)?;
        history.told.close(&place);
    }
    if let Some((at, why)) = outline.fault {
        history
            .told
            .diagnose(&RecordSpan::new("", at, at, None), why);
    }
    history.told.finish()?;
    Ok(())
}

struct History<'s, S> {
    told: EventWriter<'s, S>,
}

impl<S: Sink> History<'_, S> {
    fn item(&mut self, item: Value<'_>, place: &mut RecordSpan) -> Result<(), Failure> {
        let Some(message) = item.field("message") else {
            self.told.diagnose(place, "an item without a message");
            return Ok(());
        };
        let role = message.text_of("role").map(Text::lossy).unwrap_or_default();
        let summary = item.text_of("conversationSummary").map(Text::lossy);
        match &*role {
            "user" => self.user(item, message, place)?,
            "assistant" => self.assistant(item, message, summary.as_deref(), place)?,
            "thinking" => {
                let text = text_of(message.field("content"), place);
                self.told.assistant(place, "thinking", text, Attrs::new())?;
            }
            "system" => {
                let text = text_of(message.field("content"), place);
                self.told.injected(place, "system", "system", text)?;
            }
            "tool" => self.answer(message, place)?,
            other => self.told.unknown(place, "messages", other),
        }
        match summary {
            Some(summary) if !summary.trim().is_empty() => {
                let text = summary.into_owned();
                self.told
                    .emit(place, "system", "compaction", text, Attrs::new())
            }
            _ => Ok(()),
        }
    }

    fn user(
        &mut self,
        item: Value<'_>,
        message: Value<'_>,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        match message.field("content") {
            Some(Value::List(list)) => {
                for part in Value::List(list).elements() {
                    match part.text_of("text") {
                        Some(text) => {
                            let text = place.decode(text);
                            self.told.person(place, &text, &Wrapping::default())?;
                        }
                        None => {
                            let note = "[image]".to_owned();
                            self.told.emit(place, "user", "note", note, Attrs::new())?;
                        }
                    }
                }
            }
            content => {
                let text = text_of(content, place);
                self.told.person(place, &text, &Wrapping::default())?;
            }
        }
        for context in list(item, "contextItems") {
            let text = text_of(context.field("content"), place);
            self.told.injected(place, "user", "context", text)?;
        }
        Ok(())
    }

    fn assistant(
        &mut self,
        item: Value<'_>,
        message: Value<'_>,
        summary: Option<&str>,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        let mut reply = reply(item, message);
        if let Some(reasoning) = item.field("reasoning") {
            let text = text_of(reasoning.field("text"), place);
            if !text.trim().is_empty() {
                place.at_ms = reasoning.field("startAt").and_then(instant);
                self.told.assistant(place, "thinking", text, reply.take())?;
                place.at_ms = None;
            }
        }
        let text = text_of(message.field("content"), place);
        // If the history was compacted, the reply is the summary itself.
        if !text.trim().is_empty() && summary != Some(&*text) {
            self.told.assistant(place, "text", text, reply.take())?;
        }
        let states = list(item, "toolCallStates");
        let calls = match list(message, "toolCalls") {
            none if none.is_empty() => states.iter().filter_map(|s| s.field("toolCall")).collect(),
            calls => calls,
        };
        for call in calls {
            self.call(call, place, reply.take())?;
        }
        for state in states {
            self.result(state, place)?;
        }
        Ok(())
    }

    fn call(
        &mut self,
        call: Value<'_>,
        place: &mut RecordSpan,
        attrs: Attrs,
    ) -> Result<(), Failure> {
        let function = call.field("function");
        let name = function.and_then(|function| function.text_of("name"));
        let input = match function.and_then(|function| function.field("arguments")) {
            Some(Value::Text(text)) => place.decode(text).into_owned(),
            Some(value) => place.lossy(json::compact(value.raw())),
            None => String::new(),
        };
        let tool = name.map(Text::lossy).unwrap_or_default();
        let id = call.text_of("id").map(Text::lossy).unwrap_or_default();
        self.told.tool_call(place, &tool, &id, input, attrs)
    }

    /// Emits the result of a call that is stored in its reply.
    fn result(&mut self, state: Value<'_>, place: &mut RecordSpan) -> Result<(), Failure> {
        let status = state.text_of("status").map(Text::lossy).unwrap_or_default();
        let is_error = match &*status {
            "done" => false,
            "errored" | "canceled" => true,
            // Not answered yet.
            _ => return Ok(()),
        };
        let texts: Vec<_> = list(state, "output")
            .into_iter()
            .map(|output| text_of(output.field("content"), place))
            .collect();
        let text = match texts.join("\n") {
            none if none.is_empty() && is_error => format!("[{status}]"),
            text => text,
        };
        let id = state.text_of("toolCallId").map(Text::lossy);
        self.told
            .tool_result(place, &id.unwrap_or_default(), text, is_error)
    }

    /// Emits a result that is a separate message. The reply often has it as well.
    fn answer(&mut self, message: Value<'_>, place: &mut RecordSpan) -> Result<(), Failure> {
        let id = message.text_of("toolCallId").map(Text::lossy);
        let id = id.unwrap_or_default();
        if !self.told.calls.is_open(&id) {
            return Ok(());
        }
        let text = text_of(message.field("content"), place);
        self.told.tool_result(place, &id, text, false)
    }
}

fn reply(item: Value<'_>, message: Value<'_>) -> Reply {
    let logs = list(item, "promptLogs");
    let model = logs.first().and_then(|log| log.text_of("modelTitle"));
    let usage = message.field("usage");
    let number = |name: &str| usage.and_then(|usage| usage.field(name)?.number());
    let tokens = number("promptTokens").zip(number("completionTokens"));
    let tokens = tokens.map(|(input, output)| Tokens::new(input, output));
    Reply::new(model.map(Text::lossy).as_deref(), tokens)
}

/// Returns a text, or the texts of its parts.
fn text_of(content: Option<Value<'_>>, place: &mut RecordSpan) -> String {
    match content {
        Some(Value::Text(text)) => place.decode(text).into_owned(),
        Some(list @ Value::List(_)) => {
            let parts = list.elements();
            let texts = parts.into_iter().filter_map(|part| part.text_of("text"));
            let texts: Vec<_> = texts.map(|text| place.decode(text)).collect();
            texts.join("\n")
        }
        _ => String::new(),
    }
}

fn list<'a>(value: Value<'a>, name: &str) -> Vec<Value<'a>> {
    value.field(name).map(Value::elements).unwrap_or_default()
}
