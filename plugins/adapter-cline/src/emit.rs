//! Turns messages into events: speakers, and results linked to calls.

use acreta_sdk::adapter::author::Wrapping;
use acreta_sdk::adapter::blocks::{Block, blocks, words};
use acreta_sdk::adapter::document::Item;
use acreta_sdk::adapter::json::{Scanner, Text, Value};
use acreta_sdk::adapter::time::instant;
use acreta_sdk::adapter::{
    Attrs, EventWriter, Failure, RecordSpan, Reply, Sink, Speaker, Tokens, Unique,
};

use crate::author::{self, Piece};
use crate::xml::{self, Part};

pub(crate) struct Conversation<'s, S> {
    told: EventWriter<'s, S>,
    speaker: Speaker,
    ids: Unique,
    /// Number of messages so far.
    messages: usize,
    /// The call that was written as text and waits for its result, as (tool, id).
    waiting: Option<(&'static str, String)>,
}

impl<'s, S: Sink> Conversation<'s, S> {
    pub(crate) fn new(told: EventWriter<'s, S>, speaker: Speaker) -> Self {
        Self {
            told,
            speaker,
            ids: Unique::default(),
            messages: 0,
            waiting: None,
        }
    }

    pub(crate) fn finish(mut self, fault: Option<(u64, &'static str)>) -> Result<(), Failure> {
        if let Some((at, why)) = fault {
            self.told.diagnose(&RecordSpan::new("", at, at, None), why);
        }
        self.told.finish()?;
        Ok(())
    }

    pub(crate) fn message(&mut self, item: &Item<'_>) -> Result<(), Failure> {
        let message = item.value;
        let id = message.text_of("id").map(Text::lossy).unwrap_or_default();
        let at_ms = message.field("ts").and_then(instant);
        let mut place = RecordSpan::new(id, item.start, item.end, at_ms);
        self.ids.name(&mut place, &self.messages.to_string());
        self.messages += 1;
        let role = message.text_of("role").map(Text::lossy).unwrap_or_default();
        match &*role {
            _ if message.field("isSummary").is_some_and(Value::is_true) => {
                let text = words(message.field("content"), &mut place);
                self.told
                    .emit(&mut place, "system", "compaction", text, Attrs::new())?;
            }
            "user" => self.user(message, &mut place)?,
            "assistant" => self.assistant(message, &mut place)?,
            other => self.told.unknown(&place, "messages", other),
        }
        self.told.close(&place);
        Ok(())
    }

    fn user(&mut self, message: Value<'_>, place: &mut RecordSpan) -> Result<(), Failure> {
        // The tool whose result is in the next text, whatever that looks like.
        let mut tool: Option<String> = None;
        let is_of_a_hook = is_of_a_hook(message);
        for block in blocks(message.field("content")) {
            match block {
                Block::Text(text) => {
                    let text = place.decode(text).into_owned();
                    if is_of_a_hook {
                        self.told.injected(place, "user", "hook", text)?;
                        continue;
                    }
                    match (tool.take(), xml::result(&text)) {
                        (Some(tool), _) => self.result(&tool, &text, place)?,
                        (None, Some((named, ""))) => tool = Some(named.to_owned()),
                        (None, Some((tool, said))) => self.result(tool, said, place)?,
                        (None, None) => self.words(&text, place)?,
                    }
                }
                Block::Answer(answer) => self.answer(answer, place)?,
                block => block.emit(&mut self.told, place, &mut Reply::default())?,
            }
        }
        match tool {
            Some(tool) => self.result(&tool, "", place),
            None => Ok(()),
        }
    }

    fn words(&mut self, text: &str, place: &mut RecordSpan) -> Result<(), Failure> {
        for piece in author::split(text) {
            match piece {
                Piece::Own(text) => {
                    let wrapping = Wrapping::default();
                    self.speaker
                        .prompt(&mut self.told, place, &text, &wrapping)?;
                }
                Piece::Injected(by, text) => self.told.injected(place, "user", by, text)?,
            }
        }
        Ok(())
    }

    /// Emits the result of a call that was written as text. A person's words in it are emitted as theirs.
    fn result(&mut self, tool: &str, text: &str, place: &mut RecordSpan) -> Result<(), Failure> {
        let text = text.trim();
        let waiting = self.waiting.take_if(|(waiting, _)| *waiting == tool);
        if let Some((_, id)) = waiting {
            let is_error = text.starts_with("The tool execution failed")
                || text.starts_with("The user denied this operation");
            self.told
                .tool_result(place, &id, text.to_owned(), is_error)?;
        }
        self.words_in_result(tool, text, place)
    }

    fn words_in_result(
        &mut self,
        tool: &str,
        text: &str,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        match author::words_in_result(tool, text) {
            Some(words) => {
                let wrapping = Wrapping::default();
                self.speaker
                    .prompt(&mut self.told, place, &words, &wrapping)
            }
            None => Ok(()),
        }
    }

    /// Emits the result of a native tool call, and a person's words in it.
    fn answer(&mut self, answer: Value<'_>, place: &mut RecordSpan) -> Result<(), Failure> {
        let id = place.text(answer, "tool_use_id");
        let content = answer.field("content");
        let text = words(content, place);
        let failed = |value: Value<'_>| value.field("success") == Some(Value::Scalar(b"false"));
        let is_error = answer.field("is_error").is_some_and(Value::is_true)
            || content.is_some_and(|list| list.elements().into_iter().any(failed))
            || Scanner::new(text.as_bytes()).object().is_ok_and(failed);
        let tool = self.told.calls.close(&id);
        self.told
            .result_of(place, tool.as_deref(), &id, text.clone(), is_error)?;
        match tool {
            Some(tool) => self.words_in_result(&tool, &text, place),
            None => Ok(()),
        }
    }

    fn assistant(&mut self, message: Value<'_>, place: &mut RecordSpan) -> Result<(), Failure> {
        let mut reply = reply(message);
        for block in blocks(message.field("content")) {
            let Block::Text(text) = block else {
                block.emit(&mut self.told, place, &mut reply)?;
                continue;
            };
            let text = place.decode(text).into_owned();
            for part in xml::parts(&text) {
                match part {
                    Part::Said(text) => {
                        let attrs = reply.take();
                        self.told.assistant(place, "text", text.to_owned(), attrs)?;
                    }
                    Part::Thought(text) => {
                        let (text, attrs) = (text.to_owned(), reply.take());
                        self.told.assistant(place, "thinking", text, attrs)?;
                    }
                    Part::Call(tool, input) => {
                        let id = place.event_id();
                        let (input, attrs) = (input.to_owned(), reply.take());
                        self.told.tool_call(place, tool, &id, input, attrs)?;
                        self.waiting = Some((tool, id));
                    }
                }
            }
        }
        Ok(())
    }
}

/// Reports whether a hook or a plugin said what is under the name of the user: Cline marks it as the system's.
fn is_of_a_hook(message: Value<'_>) -> bool {
    let metadata = message.field("metadata");
    let role = metadata.and_then(|metadata| metadata.text_of("displayRole"));
    role.is_some_and(|role| role.is("system"))
}

fn reply(message: Value<'_>) -> Reply {
    let info = message.field("modelInfo");
    let model = info.and_then(|info| info.text_of("id").or_else(|| info.text_of("modelId")));
    let metrics = message.field("metrics");
    let number = |name: &str| metrics.and_then(|metrics| metrics.field(name)?.number());
    let tokens = number("inputTokens").zip(number("outputTokens"));
    let tokens = tokens.map(|(input, output)| {
        Tokens::new(input, output).beside(number("cacheReadTokens"), number("cacheWriteTokens"))
    });
    // The extension's names; there, the input includes what was cached.
    let counts = metrics.and_then(|metrics| metrics.field("tokens"));
    let count = |name: &str| counts.and_then(|counts| counts.field(name)?.number());
    let tokens = tokens.or_else(|| {
        let tokens = Tokens::new(count("prompt")?, count("completion")?);
        Some(tokens.within(count("cached"), None))
    });
    let cost = metrics.and_then(|metrics| metrics.field("cost"));
    let tokens = tokens.map(|tokens| tokens.costing(cost));
    Reply::new(model.map(Text::lossy).as_deref(), tokens)
}
