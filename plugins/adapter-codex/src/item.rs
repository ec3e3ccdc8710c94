//! The conversation itself: messages, reasoning, tool calls and their results.

use acreta_sdk::adapter::author::{Author, Piece};
use acreta_sdk::adapter::json::{Text, Value, compact};
use acreta_sdk::adapter::{Attrs, Failure, RecordSpan, Sink, attr, shorten};

use crate::author;
use crate::emit::EventWriter;
use crate::outcome::Outcome;
use crate::state::Stream;

/// Items without conversation or without readable content.
const SILENT: &[&str] = &[
    "ghost_snapshot",
    "compaction",
    "compaction_summary",
    "context_compaction",
    "additional_tools",
];

impl<S: Sink> EventWriter<'_, S> {
    pub(crate) fn item(&mut self, item: Value<'_>, place: &mut RecordSpan) -> Result<(), Failure> {
        let kind = item.text_of("type").map(Text::lossy);
        match &*kind.unwrap_or("message".into()) {
            "message" => self.message(item, place),
            "reasoning" => self.reasoning(item, place),
            "function_call" => self.call(item, &tool_name(item), item.field("arguments"), place),
            "custom_tool_call" => self.call(item, &tool_name(item), item.field("input"), place),
            "local_shell_call" => self.call(item, "local_shell", item.field("action"), place),
            "web_search_call" => self.call(item, "web_search", item.field("action"), place),
            "tool_search_call" => self.call(item, "tool_search", item.field("arguments"), place),
            "image_generation_call" => {
                let prompt = item.field("revised_prompt");
                self.call(item, "image_generation", prompt, place)
            }
            "function_call_output" | "custom_tool_call_output" => self.result(item, place),
            "tool_search_output" => {
                let text = tools_found(item.field("tools"), place).join("\n");
                let call = call_id(item);
                self.told.tool_result(place, &call, text, false)
            }
            "agent_message" => self.agent_message(item, place),
            silent if SILENT.contains(&silent) => Ok(()),
            other => {
                self.told.unknown(place, "items", other);
                Ok(())
            }
        }
    }

    fn message(&mut self, item: Value<'_>, place: &mut RecordSpan) -> Result<(), Failure> {
        let role = item.text_of("role").map(Text::lossy).unwrap_or_default();
        let blocks = match item.field("content") {
            Some(list @ Value::List(_)) => list.elements(),
            Some(text @ Value::Text(_)) => vec![text],
            _ => {
                self.told
                    .diagnose(place, "a record of the conversation without a message");
                return Ok(());
            }
        };
        match &*role {
            "user" => self.heard(&blocks, Stream::Item, place),
            "assistant" => {
                self.state.answer();
                self.each_block(&blocks, place, |event_writer, text, place| {
                    let attrs = event_writer.state.reply().take();
                    event_writer.state.reply().say(true);
                    event_writer.told.assistant(place, "text", text, attrs)
                })
            }
            "developer" => self.each_block(&blocks, place, |event_writer, text, place| {
                let by = author::developer(&text);
                event_writer.told.injected(place, "system", by, text)
            }),
            "system" => self.each_block(&blocks, place, |event_writer, text, place| {
                event_writer
                    .told
                    .injected(place, "system", "system-prompt", text)
            }),
            other => {
                self.told.unknown(place, "messages", other);
                Ok(())
            }
        }
    }

    /// Emits text under the name of the person. It is recorded in two streams, and emitted at its first occurrence.
    pub(crate) fn heard(
        &mut self,
        blocks: &[Value<'_>],
        stream: Stream,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        self.state.reply().say(false);
        let mut pieces = Vec::new();
        let mut further = Vec::new();
        let (mut own, mut others) = (String::new(), String::new());
        for block in blocks {
            let Some(text) = text_of(*block) else {
                further.push(*block);
                continue;
            };
            let text = place.decode(text);
            if stream == Stream::Item && author::is_unknown_insert(&text) {
                // A guess: if the person did type this, the other stream has it.
                let (author, text) = (Author::Injected("context"), text.trim().to_owned());
                pieces.push(Piece { author, text });
                continue;
            }
            let split = author::split(&text);
            if split.iter().any(|piece| piece.author == Author::Own) {
                own.push_str(&text);
            } else {
                others.push_str(&text);
            }
            pieces.extend(split);
        }
        let said = if own.is_empty() { others } else { own };
        if !said.is_empty() && self.state.is_repeated(&said, stream) {
            return Ok(());
        }
        for piece in pieces {
            if piece.author == Author::Own && self.state.thread.is_subagent {
                self.told.injected(place, "user", "agent", piece.text)?;
            } else {
                self.told.piece(place, piece)?;
            }
        }
        match stream {
            Stream::Item => self.others(&further, "user", place),
            Stream::Event => Ok(()),
        }
    }

    /// Calls `tell` with every text of a message, and emits its other content.
    fn each_block(
        &mut self,
        blocks: &[Value<'_>],
        place: &mut RecordSpan,
        mut emit: impl FnMut(&mut Self, String, &mut RecordSpan) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        for block in blocks {
            match text_of(*block) {
                Some(text) => {
                    let text = place.decode(text).into_owned();
                    if !text.trim().is_empty() {
                        emit(self, text, place)?;
                    }
                }
                None => self.others(&[*block], "assistant", place)?,
            }
        }
        Ok(())
    }

    /// Emits the content of a message apart from its texts.
    fn others(
        &mut self,
        blocks: &[Value<'_>],
        role: &str,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        for block in blocks {
            let kind = block.text_of("type").map(Text::lossy).unwrap_or_default();
            match &*kind {
                "input_image" | "input_audio" | "image" | "local_image" | "audio" => {
                    let thing = kind.rsplit('_').next().unwrap_or_default();
                    let note = format!("[{thing}]");
                    self.told.emit(place, role, "note", note, Attrs::new())?;
                }
                "refusal" => {
                    let text = block.text_of("refusal").map(|text| place.decode(text));
                    let attrs = self.state.reply().take();
                    let text = text.unwrap_or_default().into_owned();
                    self.told.assistant(place, "text", text, attrs)?;
                }
                // Files that were converted from another agent's have it.
                "tool_use" => self.call(*block, &tool_name(*block), block.field("input"), place)?,
                "encrypted_content" | "skill" | "mention" => {}
                other => self.told.unknown(place, "blocks", other),
            }
        }
        Ok(())
    }

    /// Emits reasoning, if it is readable: in full, else its summary.
    fn reasoning(&mut self, item: Value<'_>, place: &mut RecordSpan) -> Result<(), Failure> {
        for name in ["content", "summary"] {
            let parts = item.field(name).map(Value::elements).unwrap_or_default();
            let texts: Vec<_> = parts
                .iter()
                .filter_map(|part| part.text_of("text"))
                .map(|text| place.decode(text))
                .collect();
            let text = texts.join("\n\n");
            if !text.trim().is_empty() {
                let attrs = self.state.reply().take();
                return self.told.assistant(place, "thinking", text, attrs);
            }
        }
        Ok(())
    }

    fn call(
        &mut self,
        item: Value<'_>,
        tool: &str,
        input: Option<Value<'_>>,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        let input = match input {
            Some(Value::Text(text)) => place.decode(text).into_owned(),
            Some(Value::Scalar(b"null")) | None => String::new(),
            Some(value) => place.lossy(compact(value.raw())),
        };
        let attrs = self.state.reply().take();
        let call = call_id(item);
        self.told.tool_call(place, tool, &call, input, attrs)
    }

    fn result(&mut self, item: Value<'_>, place: &mut RecordSpan) -> Result<(), Failure> {
        let call = call_id(item);
        let Outcome { text, is_error } = Outcome::of(item.field("output"), place);
        let is_error = is_error | self.state.has_failed(&call);
        self.told.tool_result(place, &call, text, is_error)
    }

    /// Emits a message of another agent.
    pub(crate) fn agent_message(
        &mut self,
        item: Value<'_>,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        if let Some(author) = item.text_of("author") {
            place.attrs.push(attr("agent_id", author.lossy()));
        }
        let blocks = match item.field("content") {
            Some(list @ Value::List(_)) => list.elements(),
            text => text.into_iter().collect(),
        };
        self.each_block(&blocks, place, |event_writer, text, place| {
            event_writer.told.injected(place, "user", "agent", text)
        })
    }
}

/// Returns the text of a block; a string in place of a block is one.
fn text_of(block: Value<'_>) -> Option<Text<'_>> {
    block.text().or_else(|| block.text_of("text"))
}

fn call_id(item: Value<'_>) -> String {
    let id = item.text_of("call_id").or_else(|| item.text_of("id"));
    id.unwrap_or_default().lossy().into_owned()
}

/// Returns the name of a tool, with its server as `mcp__server__tool`.
fn tool_name(item: Value<'_>) -> String {
    let name = item.text_of("name").unwrap_or_default().lossy();
    match item.text_of("namespace").map(Text::lossy) {
        Some(namespace) if !namespace.is_empty() => {
            let joint = if name.starts_with('_') { "" } else { "__" };
            format!("{namespace}{joint}{name}")
        }
        _ => name.into_owned(),
    }
}

/// Returns the names of the tools that a search found.
fn tools_found(tools: Option<Value<'_>>, place: &mut RecordSpan) -> Vec<String> {
    let mut names = Vec::new();
    for tool in tools.map(Value::elements).unwrap_or_default() {
        let name = place.decode(tool.text_of("name").unwrap_or_default());
        let inner = tool.field("tools").map(Value::elements).unwrap_or_default();
        let inner: Vec<_> = inner
            .iter()
            .filter_map(|tool| tool.text_of("name"))
            .map(|name| place.decode(name))
            .collect();
        names.push(if inner.is_empty() {
            shorten(&name).to_owned()
        } else {
            format!("{}: {}", shorten(&name), inner.join(", "))
        });
    }
    names
}
