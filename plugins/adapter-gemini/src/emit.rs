//! Turns the messages of a session into events: speakers, and results linked to calls.

use acreta_sdk::adapter::author::{Author, Piece as Spoken, Wrapping};
use acreta_sdk::adapter::json::{self, Scanner, Text, Value};
use acreta_sdk::adapter::time::milliseconds;
use acreta_sdk::adapter::{
    Attrs, EventWriter, Failure, RecordSpan, Reply, Session, Sink, Tokens, attr,
};

use crate::index::Entry;
use crate::part::{Piece, SHELL, answered, answers, files, has_result, pieces, words};

const WRAPPING: Wrapping = Wrapping {
    wrappers: &[
        ("<session_context>", Author::Injected("environment")),
        (
            "This is the Gemini CLI. We are setting up the context",
            Author::Injected("environment"),
        ),
        ("Here is the user's editor context", Author::Injected("ide")),
        (
            "Here is a summary of changes in the user's editor context",
            Author::Injected("ide"),
        ),
        ("System: Please continue.", Author::Injected("continue")),
        SHELL,
        ("<state_snapshot>", Author::Compaction),
        ("<scratchpad>", Author::Compaction),
    ],
    inserts: &[("<hook_context>", "</hook_context>", "hook")],
};

pub(crate) struct Conversation<'s, S> {
    told: EventWriter<'s, S>,
    /// Text under the name of the user was written by an agent.
    is_subagent: bool,
}

impl<'s, S: Sink> Conversation<'s, S> {
    pub(crate) fn new(session: &Session, told: EventWriter<'s, S>) -> Self {
        let relation = attr("relation", "subagent");
        Self {
            told,
            is_subagent: session.attrs.contains(&relation),
        }
    }

    pub(crate) fn finish(self) -> Result<(), Failure> {
        self.told.finish()?;
        Ok(())
    }

    /// Emits the message at `entry` in the file.
    pub(crate) fn message(&mut self, bytes: &[u8], entry: &Entry) -> Result<(), Failure> {
        let mut place = RecordSpan::new("", entry.start, entry.end, None);
        let Ok(message) = Scanner::new(bytes).object() else {
            self.told.diagnose(&place, "changed while it was read");
            return Ok(());
        };
        let id = message.text_of("id").unwrap_or_default().lossy();
        place.record = id.into_owned();
        place.at_ms = time(message);
        let kind = message.text_of("type").map(Text::lossy).unwrap_or_default();
        match &*kind {
            "user" => self.user(message, &mut place)?,
            "gemini" => self.gemini(message, &mut place)?,
            "info" | "error" | "warning" => {
                let text = words(message.field("content"), &mut place);
                let note = match &*kind {
                    "info" => text,
                    kind => format!("{kind}: {text}"),
                };
                self.told
                    .emit(&mut place, "system", "note", note, Attrs::new())?;
            }
            other => self.told.unknown(&place, "messages", other),
        }
        self.told.close(&place);
        Ok(())
    }

    fn user(&mut self, message: Value<'_>, place: &mut RecordSpan) -> Result<(), Failure> {
        let content = message.field("content");
        let shown = words(message.field("displayContent"), place);
        let shown = shown.trim();
        if self.is_subagent || shown.is_empty() {
            return self.pieces(pieces(content), place);
        }
        // The person's words are shown; the expanded text follows.
        self.typed(shown, place)?;
        let by = if shown.starts_with('/') {
            "command"
        } else {
            "context"
        };
        for piece in pieces(content) {
            match piece {
                Piece::Said(text) => {
                    let text = place.decode(text).into_owned();
                    if text.trim() != shown {
                        self.told.injected(place, "user", by, text)?;
                    }
                }
                piece => self.piece(piece, place)?,
            }
        }
        Ok(())
    }

    /// Emits the parts under the name of the user, without the referenced files.
    fn pieces(&mut self, pieces: Vec<Piece<'_>>, place: &mut RecordSpan) -> Result<(), Failure> {
        let mut is_file = false;
        let by = match (self.is_subagent, has_result(&pieces)) {
            (true, _) => Some("agent"),
            (_, true) => Some("tool"),
            _ => None,
        };
        for piece in pieces {
            let Piece::Said(text) = piece else {
                self.piece(piece, place)?;
                continue;
            };
            let text = place.decode(text).into_owned();
            if let Some(by) = by {
                self.told.injected(place, "user", by, text)?;
                continue;
            }
            let start = match files(&text) {
                _ if is_file => 0,
                Some(start) => start,
                None => text.len(),
            };
            let (words, content) = text.split_at(start);
            self.typed(words, place)?;
            if !content.is_empty() {
                is_file = true;
                self.told
                    .injected(place, "user", "file", content.to_owned())?;
            }
        }
        Ok(())
    }

    /// Emits a part other than text, under the name of the user.
    fn piece(&mut self, piece: Piece<'_>, place: &mut RecordSpan) -> Result<(), Failure> {
        match piece {
            Piece::Thing(name) => self.told.emit(place, "user", "note", name, Attrs::new()),
            // The reply that made the call usually has the result too.
            Piece::Answer(answer) => {
                let call = answer.text_of("id").map(Text::lossy).unwrap_or_default();
                if !self.told.calls.is_open(&call) {
                    return Ok(());
                }
                let (text, is_error) = answered(answer, place);
                self.told.tool_result(place, &call, text, is_error)
            }
            Piece::Said(_) | Piece::Thought(_) | Piece::Call(_) => Ok(()),
        }
    }

    /// Emits a person's input: words, or a command and words.
    fn typed(&mut self, text: &str, place: &mut RecordSpan) -> Result<(), Failure> {
        let Some((name, words)) = command(text.trim()) else {
            return self.told.person(place, text, &WRAPPING);
        };
        let (author, text) = match words {
            "" => (Author::Note, name),
            words => (Author::Command(name), words),
        };
        let text = text.to_owned();
        self.told.piece(place, Spoken { author, text })
    }

    fn gemini(&mut self, message: Value<'_>, place: &mut RecordSpan) -> Result<(), Failure> {
        let mut reply = reply(message);
        let at_ms = place.at_ms;
        let pieces = pieces(message.field("content"));
        let thinks = |piece: &Piece<'_>| matches!(piece, Piece::Thought(_));
        if !pieces.iter().any(thinks) {
            for thought in list(message, "thoughts") {
                place.at_ms = time(thought).or(at_ms);
                let text = |name| thought.text_of(name).map(Text::lossy);
                let texts = [text("subject"), text("description")];
                let texts: Vec<_> = texts.into_iter().flatten().collect();
                self.said("thinking", texts.join("\n"), &mut reply, place)?;
            }
        }
        place.at_ms = at_ms;
        let calls = list(message, "toolCalls");
        let keeps = |call: Value<'_>| {
            let id = call.text_of("id");
            id.is_some() && calls.iter().any(|kept| kept.text_of("id") == id)
        };
        for piece in pieces {
            match piece {
                Piece::Said(text) => {
                    let text = place.decode(text).into_owned();
                    self.said("text", text, &mut reply, place)?;
                }
                Piece::Thought(text) => {
                    let text = place.decode(text).into_owned();
                    self.said("thinking", text, &mut reply, place)?;
                }
                Piece::Call(call) if !keeps(call) => self.call(call, &mut reply, place)?,
                Piece::Thing(name) => {
                    self.told
                        .emit(place, "assistant", "note", name, Attrs::new())?;
                }
                Piece::Call(_) | Piece::Answer(_) => {}
            }
        }
        for call in calls {
            self.call(call, &mut reply, place)?;
            self.result(call, place)?;
            place.at_ms = at_ms;
        }
        Ok(())
    }

    fn said(
        &mut self,
        kind: &str,
        text: String,
        reply: &mut Reply,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        if text.trim().is_empty() {
            return Ok(());
        }
        self.told.assistant(place, kind, text, reply.take())
    }

    fn call(
        &mut self,
        call: Value<'_>,
        reply: &mut Reply,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        let text = |name| call.text_of(name).map(Text::lossy);
        let mut attrs = reply.take();
        attrs.extend(text("agentId").map(|agent| attr("agent_id", agent)));
        let input = call.field("args").map(Value::raw).unwrap_or_default();
        let input = place.lossy(json::compact(input));
        let (tool, id) = (text("name"), text("id"));
        self.told.tool_call(
            place,
            &tool.unwrap_or_default(),
            &id.unwrap_or_default(),
            input,
            attrs,
        )
    }

    /// Emits the result stored with a call, if there is one.
    fn result(&mut self, call: Value<'_>, place: &mut RecordSpan) -> Result<(), Failure> {
        let status = call.text_of("status").map(Text::lossy).unwrap_or_default();
        let is_error = matches!(&*status, "error" | "cancelled");
        let result = call.field("result");
        let text = match result.filter(|result| *result != Value::Scalar(b"null")) {
            Some(result) => answers(result, place),
            None if is_error => {
                let shown = call.text_of("resultDisplay");
                let shown = shown.map(|text| place.decode(text).into_owned());
                shown.unwrap_or_else(|| format!("[{status}]"))
            }
            None => return Ok(()),
        };
        place.at_ms = time(call).or(place.at_ms);
        let id = call.text_of("id").map(Text::lossy).unwrap_or_default();
        self.told.tool_result(place, &id, text, is_error)
    }
}

/// Splits a command into its name and arguments. A path is not a command.
fn command(text: &str) -> Option<(&str, &str)> {
    let (name, words) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':');
    let letters = name.strip_prefix('/')?;
    (!letters.is_empty() && letters.bytes().all(is_part)).then_some((name, words.trim()))
}

fn reply(message: Value<'_>) -> Reply {
    let model = message.text_of("model").map(Text::lossy);
    let tokens = message.field("tokens").and_then(|tokens| {
        let number = |name: &str| tokens.field(name).and_then(Value::number);
        let sum = |first: u64, second: Option<u64>| first.saturating_add(second.unwrap_or(0));
        let tokens = Tokens::new(
            sum(number("input")?, number("tool")),
            sum(number("output")?, number("thoughts")),
        );
        Some(tokens.within(number("cached"), None))
    });
    Reply::new(model.as_deref(), tokens)
}

fn time(value: Value<'_>) -> Option<u64> {
    milliseconds(value.text_of("timestamp")?.raw)
}

fn list<'a>(value: Value<'a>, name: &str) -> Vec<Value<'a>> {
    value.field(name).map(Value::elements).unwrap_or_default()
}
