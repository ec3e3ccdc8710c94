//! A bubble: one message, thought or action of one side of the editor's conversation.
//!
//! One structure fits the versions of three years: `type` is 1 or `user`, 2 or `ai`; the text is `text` or `rawText`. A
//! bubble with a tool holds the call and its result together.

use acreta_sdk::adapter::json::{Scanner, Text, Value, compact};
use acreta_sdk::adapter::time::instant;
use acreta_sdk::adapter::{
    Attrs, EventWriter, Failure, RecordSpan, Reply, Sink, Speaker, Tokens, Unique, attr,
};

use crate::{author, composer};

/// State carried from one bubble to the next.
#[derive(Debug)]
pub(crate) struct Telling {
    pub(crate) speaker: Speaker,
    /// The model that a bubble without text named.
    model: Option<String>,
}

impl Telling {
    pub(crate) fn new(speaker: Speaker) -> Self {
        Self {
            speaker,
            model: None,
        }
    }
}

/// The relevant fields of a bubble.
#[derive(Debug, Default)]
pub(crate) struct Bubble<'a> {
    kind: Option<Value<'a>>,
    pub(crate) id: Option<Text<'a>>,
    text: Option<Text<'a>>,
    raw_text: Option<Text<'a>>,
    thinking: Option<Text<'a>>,
    tool: Option<Value<'a>>,
    at_ms: Option<u64>,
    model: Option<Text<'a>>,
    tokens: Option<Value<'a>>,
    images: usize,
}

impl<'a> Bubble<'a> {
    /// Returns `None` if this is not an object, or a damaged one.
    pub(crate) fn of(bytes: &'a [u8]) -> Option<Self> {
        let mut bubble = Self::default();
        let read = Scanner::new(bytes).each_field(|scanner, key| {
            bubble.see(key, scanner.value()?);
            Ok(())
        });
        read.ok().map(|()| bubble)
    }

    fn see(&mut self, key: &[u8], value: Value<'a>) {
        match key {
            b"type" => self.kind = Some(value),
            b"bubbleId" | b"id" => self.id = value.text().or(self.id),
            b"text" => self.text = value.text(),
            b"rawText" => self.raw_text = value.text(),
            b"thinking" => self.thinking = value.text_of("text").or(value.text()),
            b"toolFormerData" => self.tool = Some(value),
            b"createdAt" => self.at_ms = instant(value),
            b"timingInfo" => {
                let sent = value.field("clientRpcSendTime").and_then(instant);
                self.at_ms = self.at_ms.or(sent);
            }
            b"modelInfo" => self.model = value.text_of("modelName"),
            b"modelType" => self.model = value.text(),
            b"tokenCount" => self.tokens = Some(value),
            b"images" => self.images = value.elements().len(),
            _ => {}
        }
    }

    /// Emits the bubble at `place`, which has its id.
    pub(crate) fn emit<S: Sink>(
        &self,
        told: &mut EventWriter<'_, S>,
        telling: &mut Telling,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        place.at_ms = self.at_ms;
        if let Some(model) = self
            .model
            .map(Text::lossy)
            .filter(|model| !model.is_empty())
        {
            telling.model = Some(model.into_owned());
        }
        let filled = |text: &Text<'_>| !text.raw.is_empty();
        let text = self.text.filter(filled).or(self.raw_text);
        match self.kind {
            Some(Value::Scalar(b"1")) => self.user(told, telling.speaker, text, place)?,
            Some(Value::Scalar(b"2")) => self.assistant(told, telling, text, place)?,
            Some(Value::Text(kind)) if kind.is("user") => {
                self.user(told, telling.speaker, text, place)?;
            }
            Some(Value::Text(kind)) if kind.is("ai") => {
                self.assistant(told, telling, text, place)?;
            }
            Some(other) => told.unknown(place, "bubbles", &String::from_utf8_lossy(other.raw())),
            None => told.diagnose(place, "a bubble without a type"),
        }
        told.close(place);
        Ok(())
    }

    fn user<S: Sink>(
        &self,
        told: &mut EventWriter<'_, S>,
        speaker: Speaker,
        text: Option<Text<'_>>,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        let text = text.map(|text| place.decode(text)).unwrap_or_default();
        author::prompt(told, speaker, &text, place)?;
        for _image in 0..self.images {
            told.emit(place, "user", "note", "[image]".to_owned(), Attrs::new())?;
        }
        Ok(())
    }

    fn assistant<S: Sink>(
        &self,
        told: &mut EventWriter<'_, S>,
        telling: &mut Telling,
        text: Option<Text<'_>>,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        let said = [("thinking", self.thinking), ("text", text)];
        let said = said.map(|(kind, text)| {
            let text = text.map(|text| place.decode(text).into_owned());
            (kind, text.filter(|text| !text.trim().is_empty()))
        });
        let tool = self.tool.and_then(Tool::of);
        if tool.is_none() && said.iter().all(|(_, text)| text.is_none()) {
            return Ok(());
        }
        let model = telling.model.take();
        let mut reply = Reply::new(model.as_deref(), self.tokens());
        for (kind, text) in said {
            if let Some(text) = text {
                told.assistant(place, kind, text, reply.take())?;
            }
        }
        match tool {
            Some(tool) => tool.emit(told, reply, place),
            None => Ok(()),
        }
    }

    /// Returns tokens in and out. They are counted on one bubble of a reply, and are zero on the others.
    fn tokens(&self) -> Option<Tokens> {
        let count = |name: &str| self.tokens?.field(name).and_then(Value::number);
        let tokens = Tokens::new(count("inputTokens")?, count("outputTokens")?);
        (!tokens.is_zero()).then_some(tokens)
    }
}

/// A tool call and its result.
struct Tool<'a> {
    name: Text<'a>,
    data: Value<'a>,
}

impl<'a> Tool<'a> {
    /// Returns `None` if no tool is named.
    fn of(data: Value<'a>) -> Option<Self> {
        let name = data.text_of("name").filter(|name| !name.raw.is_empty())?;
        Some(Self { name, data })
    }

    fn emit<S: Sink>(
        &self,
        told: &mut EventWriter<'_, S>,
        mut reply: Reply,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        let text = |name: &str| self.data.text_of(name);
        let name = self.name.lossy();
        // Some models have two ids in one, on two lines.
        let call = text("toolCallId").map(Text::lossy).unwrap_or_default();
        let call = call
            .lines()
            .next()
            .filter(|id| !id.is_empty())
            .unwrap_or(&place.record);
        let call = call.to_owned();
        let given = |name: &str| {
            let value = self.data.field(name);
            value.filter(|value| !matches!(value.raw(), b"" | b"{}" | b"null"))
        };
        let input = match given("rawArgs").or_else(|| given("params")) {
            Some(Value::Text(arguments)) => place.decode(arguments).into_owned(),
            Some(other) => place.lossy(compact(other.raw())),
            None => String::new(),
        };
        told.tool_call(place, &name, &call, input, reply.take())?;

        let status = text("status").map(Text::lossy).unwrap_or_default();
        let failure = given("error").map(|error| readable(error, place));
        let result = given("result").map(|result| readable(result, place));
        let is_error = failure.is_some() || matches!(&*status, "error" | "cancelled");
        let answer = result
            .or(failure)
            .or_else(|| is_error.then(|| status.into_owned()));
        if let Some(answer) = answer {
            told.tool_result(place, &call, answer, is_error)?;
        }
        if text("userDecision").is_some_and(|decision| decision.is("rejected")) {
            let note = format!("rejected: {name}");
            told.emit(place, "user", "note", note, vec![attr("call_id", call)])?;
        }
        Ok(())
    }
}

/// Renders a result as text: contents of a file, output of a command, else the result itself. It is JSON, most often
/// encoded as a string.
fn readable(result: Value<'_>, place: &mut RecordSpan) -> String {
    let raw = match result {
        Value::Text(text) => place.decode(text).into_owned().into_bytes(),
        other => other.raw().to_vec(),
    };
    let bytes = composer::plain(&raw);
    if let Ok(object) = Scanner::new(&bytes).object() {
        let printed = ["contents", "output", "clientVisibleErrorMessage"]
            .iter()
            .find_map(|name| object.text_of(name));
        if let Some(text) = printed {
            return place.decode(text).into_owned();
        }
    }
    place.lossy(bytes.into_owned())
}

/// Emits one bubble. `otherwise` replaces a missing id.
pub(crate) fn bubble<S: Sink>(
    told: &mut EventWriter<'_, S>,
    telling: &mut Telling,
    unique: &mut Unique,
    otherwise: &str,
    value: &[u8],
) -> Result<(), Failure> {
    let bubble = Bubble::of(value);
    let own = bubble.as_ref().and_then(|bubble| bubble.id);
    let record = own.map_or(otherwise.into(), |id| id.lossy());
    let mut place = RecordSpan::new(record, 0, 0, None);
    unique.name(&mut place, otherwise);
    match bubble {
        Some(bubble) => bubble.emit(told, telling, &mut place),
        None => {
            told.diagnose(&place, "a bubble that is not valid JSON");
            Ok(())
        }
    }
}
