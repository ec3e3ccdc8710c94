//! Turns the messages of a thread into events: speakers, and results linked to calls.

use acreta_sdk::adapter::json::{Fault, Scanner, Text, Value};
use acreta_sdk::adapter::outline::Outline;
use acreta_sdk::adapter::{
    Attrs, EventWriter, Failure, RecordSpan, Reply, Session, Sink, Speaker, Unique, shorten,
};

use crate::legacy;
use crate::pieces::{result, words};

/// Emits a whole thread.
pub(crate) fn thread<S: Sink>(
    thread: &Outline<'_>,
    session: &Session,
    mut told: EventWriter<'_, S>,
) -> Result<(), Failure> {
    let model = thread
        .field("model")
        .and_then(|model| model.text_of("model"));
    let model = model.map(|model| model.lossy().into_owned());
    let speaker = Speaker::of(session);
    let mut ids = Unique::default();
    for (number, item) in thread.items.iter().flatten().enumerate() {
        let message = item.value;
        let mut place = RecordSpan::new(number.to_string(), 0, 0, None);
        if let Some(user) = message.field("User") {
            if let Some(id) = user.text_of("id") {
                place.record = id.lossy().into_owned();
            }
            ids.name(&mut place, "");
            person(&mut told, user, &mut place, speaker)?;
        } else if let Some(agent) = message.field("Agent") {
            ids.name(&mut place, "");
            let mut reply = Reply::new(model.as_deref(), None);
            assistant(&mut told, agent, &mut place, &mut reply)?;
        } else if message.text_of("role").is_some() {
            ids.name(&mut place, "");
            let mut reply = Reply::new(model.as_deref(), None);
            legacy::message(&mut told, message, &mut place, speaker, &mut reply)?;
        } else if !message.text().is_some_and(|text| text.is("Resume")) {
            aside(&mut told, message, &mut place)?;
        }
        told.close(&place);
    }
    if let Some((_, why)) = thread.fault {
        told.diagnose(&RecordSpan::new("thread", 0, 0, session.updated_ms), why);
    }
    told.finish()?;
    Ok(())
}

fn person<S: Sink>(
    told: &mut EventWriter<'_, S>,
    user: Value<'_>,
    place: &mut RecordSpan,
    speaker: Speaker,
) -> Result<(), Failure> {
    for content in list(user, "content") {
        if let Some(text) = content.text_of("Text") {
            let text = place.decode(text).into_owned();
            words(told, &text, place, speaker)?;
        } else if let Some(mention) = content.field("Mention") {
            let note = format!("[mention {}]", shorten(&place.shown(mention.field("uri"))));
            told.emit(place, "user", "note", note, Attrs::new())?;
            let text = place.text(mention, "content");
            told.injected(place, "user", "mention", text)?;
        } else {
            told.emit(place, "user", "note", "[image]".to_owned(), Attrs::new())?;
        }
    }
    Ok(())
}

fn assistant<S: Sink>(
    told: &mut EventWriter<'_, S>,
    agent: Value<'_>,
    place: &mut RecordSpan,
    reply: &mut Reply,
) -> Result<(), Failure> {
    for content in list(agent, "content") {
        let thinking = content.field("Thinking").and_then(|it| it.text_of("text"));
        if let Some(call) = content.field("ToolUse") {
            let (tool, id) = (place.text(call, "name"), place.text(call, "id"));
            let input = place.shown(call.field("input"));
            told.tool_call(place, &tool, &id, input, reply.take())?;
        } else if let Some(text) = content.text_of("Text").or(thinking) {
            let kind = if thinking.is_some() {
                "thinking"
            } else {
                "text"
            };
            let text = place.decode(text).into_owned();
            if !text.trim().is_empty() {
                told.assistant(place, kind, text, reply.take())?;
            }
        } else if content.field("RedactedThinking").is_none() {
            told.unknown(place, "contents", &name(content));
        }
    }
    // An object with one field per call, in the order of the calls.
    let Some(results @ Value::Object(raw)) = agent.field("tool_results") else {
        return Ok(());
    };
    let mut found = Vec::new();
    let scanned: Result<(), Fault> = Scanner::new(raw).each_field(|scanner, _| {
        found.push(scanner.value()?);
        Ok(())
    });
    if scanned.is_err() || results.raw().is_empty() {
        told.diagnose(place, "the results of the tools are damaged");
    }
    for answer in found {
        result(told, answer, place)?;
    }
    Ok(())
}

/// Emits records between the messages.
fn aside<S: Sink>(
    told: &mut EventWriter<'_, S>,
    message: Value<'_>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let summary = message
        .field("Compaction")
        .or_else(|| message.field("Summary"));
    match summary {
        Some(summary) => {
            let text = match summary
                .text_of("summary")
                .or_else(|| summary.text_of("Summary"))
            {
                Some(text) => place.decode(text).into_owned(),
                None => place.shown(Some(summary)),
            };
            told.emit(place, "system", "compaction", text, Attrs::new())
        }
        None => {
            told.unknown(place, "messages", &name(message));
            Ok(())
        }
    }
}

/// Returns the name of a variant: the only field of an object, or the text itself.
fn name(value: Value<'_>) -> String {
    let mut found = value
        .text()
        .map(Text::lossy)
        .unwrap_or_default()
        .into_owned();
    let _damaged = Scanner::new(value.raw()).each_field(|scanner, key| {
        if found.is_empty() {
            found = String::from_utf8_lossy(key).into_owned();
        }
        scanner.value().map(|_| ())
    });
    found
}

fn list<'a>(value: Value<'a>, name: &str) -> Vec<Value<'a>> {
    value.field(name).map(Value::elements).unwrap_or_default()
}
