//! Turns messages and steps into events.

use acreta_sdk::adapter::calls::Calls;
use acreta_sdk::adapter::document::Item;
use acreta_sdk::adapter::json::{Scanner, Text, Value};
use acreta_sdk::adapter::{EventWriter, Failure, RecordSpan, Reply, Sink, Tokens, attr};

use crate::attempt::{Attempt, Form, is_demonstration};

/// Names of the main agent; it calls the others.
const MAIN: [&str; 2] = ["main", "primary"];

/// Emits a whole document.
pub(crate) fn attempt<S: Sink>(bytes: &[u8], sink: &mut S) -> Result<(), Failure> {
    let mut telling = Telling {
        event_writer: EventWriter::new(sink, Calls::default()),
        has_replied: false,
        waiting: None,
        used: used(bytes),
    };
    let Some(attempt) = Attempt::of(bytes) else {
        let place = RecordSpan::new("", 0, bytes.len() as u64, None);
        telling
            .event_writer
            .diagnose(&place, "not a trajectory any more");
        return telling.event_writer.finish().map(|_| ());
    };
    for item in attempt.items() {
        match attempt.form {
            Form::History => telling.message(*item)?,
            Form::Trajectory => telling.step(*item)?,
        }
    }
    if let Some(cause) = attempt.fault() {
        let whole = attempt.items().last().map_or(0, |item| item.end);
        let place = RecordSpan::new("", whole, bytes.len() as u64, None);
        telling.event_writer.diagnose(&place, cause);
    }
    telling.event_writer.finish().map(|_| ())
}

struct Telling<'s, S> {
    event_writer: EventWriter<'s, S>,
    /// The model has replied: before that, every message is a part of the task.
    has_replied: bool,
    /// The call that the environment answers next, in versions that do not name it.
    waiting: Option<String>,
    /// Tokens of the whole attempt, which wait for its first reply.
    used: Reply,
}

/// Returns what the attempt used: SWE-agent counts no single replies, and writes zeros if it counted nothing.
fn used(bytes: &[u8]) -> Reply {
    let document = Scanner::new(bytes).object().ok();
    let stats = document.and_then(|it| it.field("info")?.field("model_stats"));
    let count = |name: &str| stats.and_then(|stats| stats.field(name)?.number());
    let counts = count("tokens_sent").zip(count("tokens_received"));
    let tokens = counts.map(|(sent, received)| {
        let cost = stats.and_then(|stats| stats.field("instance_cost"));
        Tokens::new(sent, received).costing(cost)
    });
    Reply::new(None, tokens.filter(|tokens| !tokens.is_zero()))
}

impl<S: Sink> Telling<'_, S> {
    fn message(&mut self, item: Item<'_>) -> Result<(), Failure> {
        let message = item.value;
        let mut place = RecordSpan::new("", item.start, item.end, None);
        let agent = message.text_of("agent").map(Text::lossy);
        let other = agent.filter(|agent| !MAIN.contains(&&**agent));
        place
            .attrs
            .extend(other.map(|agent| attr("agent_id", agent)));
        let Some(role) = message.text_of("role").map(Text::lossy) else {
            self.event_writer
                .diagnose_once(&place, "a message without a role");
            return Ok(());
        };
        let text = content(message.field("content"), &mut place);
        match &*role {
            _ if is_demonstration(message) => {
                let action = text_of(message, "action", &mut place);
                let text = if text.is_empty() { action } else { text };
                self.event_writer
                    .injected(&mut place, "user", "demonstration", text)?;
            }
            "system" => {
                self.event_writer
                    .injected(&mut place, "system", "system-prompt", text)?;
            }
            "assistant" => self.reply(message, text, &mut place)?,
            "user" if !self.has_replied => {
                self.event_writer
                    .injected(&mut place, "user", "task", text)?;
            }
            "user" | "tool" => self.answer(message, text, &mut place)?,
            other => self.event_writer.unknown(&place, "messages", other),
        }
        self.event_writer.close(&place);
        Ok(())
    }

    fn reply(
        &mut self,
        message: Value<'_>,
        text: String,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        self.has_replied = true;
        for block in elements(message.field("thinking_blocks")) {
            let thought = text_of(block, "thinking", place);
            self.said(place, "thinking", thought)?;
        }
        let action = text_of(message, "action", place);
        // If the call is a part of the text, the thought is the text without it.
        let thought = message
            .text_of("thought")
            .map(|thought| place.decode(thought));
        let words = match thought {
            Some(thought) if !action.is_empty() => thought.into_owned(),
            _ => text,
        };
        let words = words.trim_end().to_owned();
        self.said(place, "text", words)?;
        let calls = elements(message.field("tool_calls"));
        if calls.is_empty() {
            return self.command(action, place);
        }
        for call in calls {
            let id = text_of(call, "id", place);
            let function = call.field("function").unwrap_or(call);
            let tool = text_of(function, "name", place);
            let input = text_of(function, "arguments", place);
            self.event_writer
                .tool_call(place, &tool, &id, input, self.used.take())?;
            self.waiting = Some(id);
        }
        Ok(())
    }

    fn said(&mut self, place: &mut RecordSpan, kind: &str, text: String) -> Result<(), Failure> {
        if text.trim().is_empty() {
            return Ok(());
        }
        let attrs = self.used.take();
        self.event_writer.assistant(place, kind, text, attrs)
    }

    /// Emits a call that is a line of the agent's shell; its first word is the tool.
    fn command(&mut self, action: String, place: &mut RecordSpan) -> Result<(), Failure> {
        let action = action.trim_end();
        let Some(tool) = action.split_whitespace().next() else {
            self.waiting = None;
            return Ok(());
        };
        let call = place.event_id();
        let (tool, input) = (tool.to_owned(), action.to_owned());
        self.event_writer
            .tool_call(place, &tool, &call, input, self.used.take())?;
        self.waiting = Some(call);
        Ok(())
    }

    /// Emits the environment's answer.
    fn answer(
        &mut self,
        message: Value<'_>,
        text: String,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        let named = elements(message.field("tool_call_ids"));
        let mut named = named.into_iter().filter_map(Value::text);
        let call = named.next().map(|id| id.lossy().into_owned());
        // One answer may be for several calls.
        for further in named {
            self.event_writer.calls.close(&further.lossy());
        }
        match call.or(self.waiting.take()) {
            Some(call) => self.event_writer.tool_result(place, &call, text, false),
            None => self
                .event_writer
                .injected(place, "user", "environment", text),
        }
    }

    /// Emits a step: a reply and its answer.
    fn step(&mut self, item: Item<'_>) -> Result<(), Failure> {
        let step = item.value;
        let mut place = RecordSpan::new("", item.start, item.end, None);
        let text = text_of(step, "response", &mut place);
        self.reply(step, text, &mut place)?;
        let answer = text_of(step, "observation", &mut place);
        self.answer(step, answer, &mut place)?;
        self.event_writer.close(&place);
        Ok(())
    }
}

/// Returns a string, or the texts of its blocks with placeholders for other content.
fn content(value: Option<Value<'_>>, place: &mut RecordSpan) -> String {
    if let Some(Value::Text(text)) = value {
        return place.decode(text).into_owned();
    }
    let mut texts = Vec::new();
    for block in elements(value) {
        texts.push(match block.text_of("text").or(block.text()) {
            Some(text) => place.decode(text).into_owned(),
            None => format!("[{}]", text_of(block, "type", place)),
        });
    }
    texts.join("\n")
}

fn text_of(value: Value<'_>, name: &str, place: &mut RecordSpan) -> String {
    let text = value.text_of(name).map(|text| place.decode(text));
    text.unwrap_or_default().into_owned()
}

fn elements(list: Option<Value<'_>>) -> Vec<Value<'_>> {
    list.map(Value::elements).unwrap_or_default()
}
