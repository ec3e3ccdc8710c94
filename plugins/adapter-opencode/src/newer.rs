//! The messages of newer versions of OpenCode: one row each, with all of its content.

use acreta_sdk::adapter::json::{Text, Value};
use acreta_sdk::adapter::{Attrs, Failure, RecordSpan, Sink, attr, shorten};

use crate::emit::{Call, Conversation, cause, file_name, reply, text_of};

impl<S: Sink> Conversation<'_, S> {
    /// Emits a message of the given kind.
    pub(crate) fn row(
        &mut self,
        kind: &str,
        data: Value<'_>,
        mut place: RecordSpan,
    ) -> Result<(), Failure> {
        let created = data.field("time").and_then(|time| time.field("created"));
        place.at_ms = created.and_then(Value::number).or(place.at_ms);
        place.attrs.push(attr("message_id", &*place.record));
        self.ids.name(&mut place, "message");
        let place = &mut place;
        match kind {
            "user" => self.prompt(data, place)?,
            "assistant" => self.contents(data, place)?,
            "shell" => {
                // The person ran it, not the agent.
                let command = text_of(data, "command", place);
                let output = text_of(data, "output", place);
                self.told
                    .emit(place, "user", "note", command, Attrs::new())?;
                self.told.injected(place, "user", "bash", output)?;
            }
            "synthetic" => {
                let text = text_of(data, "text", place);
                self.told.injected(place, "user", "synthetic", text)?;
            }
            "system" => {
                let text = text_of(data, "text", place);
                self.told.injected(place, "system", "system-prompt", text)?;
            }
            "compaction" => {
                let text = text_of(data, "summary", place);
                self.told
                    .assistant(place, "compaction", text, Attrs::new())?;
            }
            "agent-switched" | "model-switched" => {}
            other => self.told.unknown(place, "messages", other),
        }
        self.told.close(place);
        Ok(())
    }

    /// Emits a person's request and its attachments.
    fn prompt(&mut self, data: Value<'_>, place: &mut RecordSpan) -> Result<(), Failure> {
        let text = text_of(data, "text", place);
        self.words(&text, place)?;
        for file in list(data, "files") {
            let note = format!("[file {}]", shorten(&file_name(file)));
            self.told.emit(place, "user", "note", note, Attrs::new())?;
        }
        for agent in list(data, "agents") {
            let note = format!("[agent {}]", shorten(&text_of(agent, "name", place)));
            self.told.emit(place, "user", "note", note, Attrs::new())?;
        }
        Ok(())
    }

    fn contents(&mut self, data: Value<'_>, place: &mut RecordSpan) -> Result<(), Failure> {
        let mut reply = reply(data);
        let at_ms = place.at_ms;
        for content in list(data, "content") {
            place.at_ms = at_ms;
            match &*content.text_of("type").map(Text::lossy).unwrap_or_default() {
                kind @ ("text" | "reasoning") => {
                    let text = text_of(content, "text", place);
                    let kind = if kind == "text" { kind } else { "thinking" };
                    if !text.trim().is_empty() {
                        self.told.assistant(place, kind, text, reply.take())?;
                    }
                }
                "tool" => {
                    let call = Call {
                        tool: content.text_of("name"),
                        id: content.text_of("id"),
                        value: content,
                    };
                    self.tool(call, place, &mut reply)?;
                }
                other => self.told.unknown(place, "contents", other),
            }
        }
        place.at_ms = at_ms;
        match data.field("error").map(|error| cause(error, place)) {
            Some(error) => self.told.emit(place, "system", "note", error, Attrs::new()),
            None => Ok(()),
        }
    }
}

fn list<'a>(value: Value<'a>, name: &str) -> Vec<Value<'a>> {
    value.field(name).map(Value::elements).unwrap_or_default()
}
