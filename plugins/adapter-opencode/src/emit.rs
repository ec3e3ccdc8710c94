//! Turns messages and their parts into events. The three stores differ only in where these are, so a session gives the
//! same events from each.

use acreta_sdk::adapter::author::Wrapping;
use acreta_sdk::adapter::calls::Calls;
use acreta_sdk::adapter::json::{self, Text, Value};
use acreta_sdk::adapter::{
    Attrs, EventWriter, Failure, RecordSpan, Reply, Session, Sink, Tokens, Unique, attr, shorten,
};

/// Removes the quotation marks that `opencode run` puts around arguments with blanks.
fn typed(text: &str) -> std::borrow::Cow<'_, str> {
    let trimmed = text.trim();
    let inside = trimmed
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    match inside {
        Some(inside) if inside.contains(' ') && !inside.replace("\\\"", "").contains('"') => {
            inside.replace("\\\"", "\"").into()
        }
        _ => text.into(),
    }
}

const WRAPPING: Wrapping = Wrapping {
    wrappers: &[],
    inserts: &[("<system-reminder>", "</system-reminder>", "system-reminder")],
};

/// Parts without conversation.
const BOOKKEEPING: [&str; 4] = ["step-start", "step-finish", "patch", "snapshot"];

pub(crate) struct Conversation<'s, S> {
    pub(crate) told: EventWriter<'s, S>,
    /// Text under the name of the user was written by an agent.
    pub(crate) is_subagent: bool,
    pub(crate) ids: Unique,
}

/// A message whose parts follow.
pub(crate) struct Message {
    role: Role,
    /// Number of its parts so far.
    parts: usize,
    place: RecordSpan,
    reply: Reply,
    /// Its error, if it ended with one.
    error: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    User,
    Assistant,
    /// The summary that replaces an earlier part of the conversation.
    Summary,
}

/// A part of a message. `id` is the agent's own and may be empty.
pub(crate) struct Part<'a> {
    pub(crate) id: &'a str,
    pub(crate) value: Value<'a>,
    pub(crate) span: (u64, u64),
}

impl<'s, S: Sink> Conversation<'s, S> {
    pub(crate) fn new(session: &Session, sink: &'s mut S) -> Self {
        Self {
            told: EventWriter::new(sink, Calls::default()),
            is_subagent: session.parent.is_some(),
            ids: Unique::default(),
        }
    }

    /// Starts a message; `None` if it has no speaker.
    pub(crate) fn begin(
        &mut self,
        info: Value<'_>,
        mut place: RecordSpan,
    ) -> Result<Option<Message>, Failure> {
        let is_summary = info.field("summary").is_some_and(Value::is_true);
        let name = info.text_of("role").map(Text::lossy).unwrap_or_default();
        let role = match &*name {
            "user" => Role::User,
            "assistant" if is_summary => Role::Summary,
            "assistant" => Role::Assistant,
            other => {
                self.told.unknown(&place, "messages", other);
                return Ok(None);
            }
        };
        let created = info.field("time").and_then(|time| time.field("created"));
        place.at_ms = created.and_then(Value::number).or(place.at_ms);
        let otherwise = format!("@{}", place.start);
        self.ids.name(&mut place, &otherwise);
        let mut message = Message {
            role,
            parts: 0,
            reply: reply(info),
            error: info.field("error").map(|error| cause(error, &mut place)),
            place,
        };
        if let Some(system) = info.text_of("system") {
            let text = message.place.decode(system).into_owned();
            self.told
                .injected(&mut message.place, "system", "system-prompt", text)?;
        }
        Ok(Some(message))
    }

    pub(crate) fn part(&mut self, message: &mut Message, part: Part<'_>) -> Result<(), Failure> {
        let Part { id, value, span } = part;
        let began = value.field("time").and_then(|time| time.field("start"));
        let at_ms = began.and_then(Value::number).or(message.place.at_ms);
        let mut place = RecordSpan::new(id, span.0, span.1, at_ms);
        let parent = message.place.id.as_deref().unwrap_or_default();
        let otherwise = format!("{parent}/{}", message.parts);
        self.ids.name(&mut place, &otherwise);
        message.parts += 1;
        if !message.place.record.is_empty() {
            place.attrs.push(attr("message_id", &*message.place.record));
        }
        let Some(kind) = value.text_of("type").map(Text::lossy) else {
            self.told.diagnose(&place, "a part without a type");
            return Ok(());
        };
        match (&*kind, message.role) {
            (kind, _) if BOOKKEEPING.contains(&kind) => {}
            ("text", Role::User) => self.person(value, &mut place)?,
            ("text", role) => self.said(role, value, &mut place, &mut message.reply)?,
            ("reasoning", _) => {
                let text = text_of(value, "text", &mut place);
                if !text.trim().is_empty() {
                    let attrs = message.reply.take();
                    self.told.assistant(&mut place, "thinking", text, attrs)?;
                }
            }
            ("tool", _) => {
                let call = Call {
                    tool: value.text_of("tool"),
                    id: value.text_of("callID"),
                    value,
                };
                self.tool(call, &mut place, &mut message.reply)?;
            }
            ("subtask", _) => {
                let by = match value.field("command") {
                    Some(Value::Text(_)) => "command",
                    _ => "subtask",
                };
                let prompt = text_of(value, "prompt", &mut place);
                self.told.injected(&mut place, "user", by, prompt)?;
            }
            (kind, role) => self.aside(kind, role, value, &mut place)?,
        }
        self.told.close(&place);
        Ok(())
    }

    /// Ends a message: emits its error, if any.
    pub(crate) fn end(&mut self, mut message: Message) -> Result<(), Failure> {
        let place = &mut message.place;
        if let Some(error) = message.error {
            self.told
                .emit(place, "system", "note", error, Attrs::new())?;
        }
        self.told.close(place);
        Ok(())
    }

    /// Emits a text under the name of the user.
    fn person(&mut self, value: Value<'_>, place: &mut RecordSpan) -> Result<(), Failure> {
        let text = text_of(value, "text", place);
        let is = |name| value.field(name).is_some_and(Value::is_true);
        if is("synthetic") {
            self.told.injected(place, "user", "synthetic", text)
        } else if is("ignored") {
            // Shown to the person but not to the model.
            self.told.injected(place, "user", "notice", text)
        } else {
            self.words(&text, place)
        }
    }

    /// Emits a text that a person typed, unless this is an agent's own conversation.
    pub(crate) fn words(&mut self, text: &str, place: &mut RecordSpan) -> Result<(), Failure> {
        if self.is_subagent {
            return self.told.injected(place, "user", "agent", text.to_owned());
        }
        self.told.person(place, &typed(text), &WRAPPING)
    }

    /// Emits a text of the agent.
    fn said(
        &mut self,
        role: Role,
        value: Value<'_>,
        place: &mut RecordSpan,
        reply: &mut Reply,
    ) -> Result<(), Failure> {
        let text = text_of(value, "text", place);
        if text.trim().is_empty() {
            return Ok(());
        }
        if value.field("synthetic").is_some_and(Value::is_true) {
            return self.told.injected(place, "assistant", "synthetic", text);
        }
        let kind = match role {
            Role::Summary => "compaction",
            _ => "text",
        };
        self.told.assistant(place, kind, text, reply.take())
    }

    /// Emits a part outside the conversation.
    fn aside(
        &mut self,
        kind: &str,
        role: Role,
        value: Value<'_>,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        let speaker = match role {
            Role::User => "user",
            _ => "assistant",
        };
        let (speaker, note) = match kind {
            "file" => (speaker, format!("[file {}]", shorten(&file_name(value)))),
            "agent" => {
                let name = text_of(value, "name", place);
                (speaker, format!("[agent {}]", shorten(&name)))
            }
            "compaction" => {
                let is_auto = value.field("auto").is_some_and(Value::is_true);
                let how = if is_auto { "automatic" } else { "asked for" };
                ("system", format!("[compaction, {how}]"))
            }
            "retry" => {
                let error = value.field("error");
                let error = error.map(|error| cause(error, place)).unwrap_or_default();
                ("system", format!("retry: {error}"))
            }
            other => {
                self.told.unknown(place, "parts", other);
                return Ok(());
            }
        };
        self.told.emit(place, speaker, "note", note, Attrs::new())
    }
}

/// Returns model and tokens of a reply.
pub(crate) fn reply(info: Value<'_>) -> Reply {
    let model = info
        .text_of("modelID")
        .or_else(|| info.field("model")?.text_of("id"))
        .map(Text::lossy);
    let tokens = info.field("tokens").map(|tokens| {
        let number = |value: Value<'_>, name| value.field(name).and_then(Value::number);
        let cache = tokens.field("cache");
        let cached = |name| cache.and_then(|cache| number(cache, name));
        let count = |name| number(tokens, name).unwrap_or(0);
        Tokens::new(count("input"), count("output"))
            .beside(cached("read"), cached("write"))
            .costing(info.field("cost"))
    });
    Reply::new(model.as_deref(), tokens)
}

/// Describes an error on one line.
pub(crate) fn cause(error: Value<'_>, place: &mut RecordSpan) -> String {
    let message = error.field("data").and_then(|data| data.text_of("message"));
    let message = message.or_else(|| error.text_of("message"));
    let message = message.map(|text| place.decode(text)).unwrap_or_default();
    let name = error.text_of("name").map(Text::lossy);
    match (name.as_deref(), &*message) {
        (Some(name), "") => shorten(name).to_owned(),
        (Some(name), message) => format!("{}: {}", shorten(name), shorten(message)),
        (None, message) => shorten(message).to_owned(),
    }
}

/// Returns the name of an attached file; its content is not part of the conversation.
pub(crate) fn file_name(file: Value<'_>) -> String {
    let text = |name| file.text_of(name).map(Text::lossy);
    let name = text("filename").or_else(|| text("name"));
    let address = text("url").or_else(|| text("uri"));
    let address = address.filter(|address| !address.starts_with("data:"));
    let name = name.or(address).or_else(|| text("mime"));
    name.map(Into::into).unwrap_or_default()
}

pub(crate) fn text_of(value: Value<'_>, name: &str, place: &mut RecordSpan) -> String {
    let text = value.text_of(name);
    text.map(|text| place.decode(text).into_owned())
        .unwrap_or_default()
}

/// Renders a value as text: a string as it is, other values without white space.
pub(crate) fn plain(value: Value<'_>, place: &mut RecordSpan) -> String {
    match value {
        Value::Text(text) => place.decode(text).into_owned(),
        value => place.lossy(json::compact(value.raw())),
    }
}

/// A tool call and its result.
pub(crate) struct Call<'a> {
    pub(crate) tool: Option<Text<'a>>,
    pub(crate) id: Option<Text<'a>>,
    /// Contains the state of the call.
    pub(crate) value: Value<'a>,
}

#[cfg(test)]
mod tests {
    use super::typed;

    #[test]
    fn the_marks_around_an_argument_are_not_the_persons() {
        for (stored, said) in [
            ("\"use tabs here\"", "use tabs here"),
            ("\"say \\\"hello\\\" first\"", "say \"hello\" first"),
            ("\"tabs\"", "\"tabs\""),
            ("\"a b\" and \"c d\"", "\"a b\" and \"c d\""),
            ("use \"tabs\" here", "use \"tabs\" here"),
        ] {
            assert_eq!(typed(stored), said);
        }
    }
}
