//! Turns records into events: the common parts of both generations.
//!
//! Tokens are recorded after their reply, so they are emitted as a separate note: a read of a growing file could not
//! add them to events that were already emitted.

use std::collections::VecDeque;

use acreta_sdk::adapter::author::{self, Author};
use acreta_sdk::adapter::calls::{hash, push_bounded};
use acreta_sdk::adapter::json::{Text, Value, compact};
use acreta_sdk::adapter::{Attrs, EventWriter, Failure, RecordSpan, Sink, Speaker, Tokens, attr};
use serde::{Deserialize, Serialize};

use crate::content::{Part, WRAPPING, part, parts};

/// State from earlier records.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct State {
    /// The requested model, which is not on an event yet.
    pub(crate) model: Option<String>,
    /// Hashes of prompts that were emitted when typed and are not a message yet.
    typed: VecDeque<u64>,
}

/// Maximum number of prompts that wait to become messages.
const TYPED: usize = 64;

impl State {
    /// Reports whether this text was already emitted as a prompt; once for each occurrence.
    fn was_typed(&mut self, text: &str) -> bool {
        let hash = hash(text.as_bytes());
        let found = self.typed.iter().position(|typed| *typed == hash);
        found.and_then(|place| self.typed.remove(place)).is_some()
    }
}

/// Emits a person's input when it was typed. It becomes a message later, unless the turn is stopped before; the
/// tooling's additions are in the message.
pub(crate) fn typed<S: Sink>(
    told: &mut EventWriter<'_, S>,
    state: &mut State,
    content: Option<Value<'_>>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    for part in parts(content) {
        let Part::Text(text) = part else { continue };
        let text = place.decode(text);
        for piece in author::split(&text, &WRAPPING) {
            if piece.author == Author::Own {
                push_bounded(&mut state.typed, hash(piece.text.as_bytes()), TYPED);
                told.piece(place, piece)?;
            }
        }
    }
    Ok(())
}

/// Emits a message in the position of the person.
pub(crate) fn prompt<S: Sink>(
    told: &mut EventWriter<'_, S>,
    state: &mut State,
    speaker: Speaker,
    content: Option<Value<'_>>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    for part in parts(content) {
        match (part, speaker) {
            (Part::Text(text) | Part::Thinking(text), Speaker::Person) => {
                let text = place.decode(text);
                for piece in author::split(&text, &WRAPPING) {
                    if piece.author != Author::Own || !state.was_typed(&piece.text) {
                        told.piece(place, piece)?;
                    }
                }
            }
            (Part::Text(text) | Part::Thinking(text), Speaker::Agent | Speaker::Channel) => {
                let text = place.decode(text);
                speaker.prompt(told, place, &text, &WRAPPING)?;
            }
            (Part::Thing(thing), _) => {
                told.emit(place, "user", "note", format!("[{thing}]"), Attrs::new())?;
            }
            (Part::Unknown(kind), _) => told.unknown(place, "parts", &kind.lossy()),
        }
    }
    Ok(())
}

/// Emits one part of the model's answer.
pub(crate) fn answer<S: Sink>(
    told: &mut EventWriter<'_, S>,
    state: &mut State,
    value: Value<'_>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let (kind, text) = match part(value) {
        Part::Text(text) => ("text", place.decode(text).into_owned()),
        Part::Thinking(text) => ("thinking", place.decode(text).into_owned()),
        Part::Thing(thing) => ("note", format!("[{thing}]")),
        Part::Unknown(kind) => {
            told.unknown(place, "parts", &kind.lossy());
            return Ok(());
        }
    };
    if text.trim().is_empty() {
        return Ok(());
    }
    let attrs = state.model.take().map(|model| attr("model", model));
    told.assistant(place, kind, text, attrs.into_iter().collect())
}

/// Emits a tool call. Arguments come as JSON or as a string with JSON.
pub(crate) fn call<S: Sink>(
    told: &mut EventWriter<'_, S>,
    state: &mut State,
    call: Call<'_>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let input = match call.arguments {
        Some(Value::Text(text)) => place.decode(text).into_owned(),
        Some(arguments) => place.lossy(compact(arguments.raw())),
        None => String::new(),
    };
    let name = call.name.map(Text::lossy).unwrap_or_default();
    let id = call.id.map(Text::lossy).unwrap_or_default();
    let attrs = state.model.take().map(|model| attr("model", model));
    told.tool_call(place, &name, &id, input, attrs.into_iter().collect())
}

pub(crate) struct Call<'a> {
    pub(crate) id: Option<Text<'a>>,
    pub(crate) name: Option<Text<'a>>,
    pub(crate) arguments: Option<Value<'a>>,
}

/// Emits the tokens of one reply.
pub(crate) fn usage<S: Sink>(
    told: &mut EventWriter<'_, S>,
    usage: Value<'_>,
    names: [&str; 4],
    model: Option<Text<'_>>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let [output, input, read, written] =
        names.map(|name| usage.field(name).and_then(Value::number));
    let tokens = Tokens::new(input.unwrap_or(0), output.unwrap_or(0)).beside(read, written);
    // `provider/model` here, and only `model` where it was asked.
    let model = model.map(|model| {
        let model = model.lossy();
        attr("model", model.rsplit('/').next().unwrap_or_default())
    });
    let mut attrs: Attrs = model.into_iter().collect();
    attrs.extend(tokens.attrs());
    let (input, output) = (tokens.input.unwrap_or(0), tokens.output.unwrap_or(0));
    let text = format!("{input} tokens in, {output} out");
    told.emit(place, "system", "note", text, attrs)
}

/// Emits a person's answer to a request for permission.
pub(crate) fn refusal<S: Sink>(
    told: &mut EventWriter<'_, S>,
    what: &str,
    feedback: Option<Text<'_>>,
    call: &str,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let attrs = || match call {
        "" => Attrs::new(),
        call => vec![attr("call_id", call)],
    };
    told.emit(place, "user", "note", what.trim_end().to_owned(), attrs())?;
    let feedback = feedback.map(|text| place.decode(text)).unwrap_or_default();
    if feedback.trim().is_empty() {
        return Ok(());
    }
    told.emit(place, "user", "text", feedback.into_owned(), attrs())
}
