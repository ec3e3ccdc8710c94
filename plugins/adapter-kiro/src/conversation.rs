//! The older shape: one object `{conversation_id, history, …}`, rewritten after every turn. An entry of the history is
//! a message to the model and its answer.
//!
//! A conversation gives the same events in every store: entries are identified by the id of their answer, else by their
//! content.

use acreta_sdk::adapter::author::{Author, Piece};
use acreta_sdk::adapter::calls::hash;
use acreta_sdk::adapter::document::Item;
use acreta_sdk::adapter::json::{Text, Value, compact};
use acreta_sdk::adapter::time::instant;
use acreta_sdk::adapter::{Attrs, EventWriter, Failure, RecordSpan, Sink, Unique, attr};

use crate::content::{Answer, WRAPPING};

/// A conversation and the location of its entries: a span in a file, none in a database.
pub(crate) struct Conversation<'a> {
    pub(crate) entries: Vec<Item<'a>>,
    /// The summary that replaced everything before the first entry.
    pub(crate) summary: Option<Value<'a>>,
    /// A message that is not answered yet.
    pub(crate) next: Option<Value<'a>>,
    pub(crate) model: Option<Text<'a>>,
}

impl Conversation<'_> {
    pub(crate) fn emit<S: Sink>(&self, told: &mut EventWriter<'_, S>) -> Result<(), Failure> {
        if let Some(summary) = self.summary {
            let mut place = RecordSpan::new("summary", 0, 0, None);
            // A text, or a text and how it was made.
            let text = summary.text().or_else(|| {
                let parts = summary.elements();
                parts.first().copied().and_then(Value::text)
            });
            if let Some(text) = text {
                let (author, text) = (Author::Compaction, place.decode(text).into_owned());
                told.piece(&mut place, Piece { author, text })?;
            }
            told.close(&place);
        }
        let mut unique = Unique::default();
        for item in self.entries.iter().copied() {
            let (user, assistant, request) = sides(item.value);
            let id = entry_id(item.value, assistant);
            let mut place = RecordSpan::new(id, item.start, item.end, None);
            unique.name(&mut place, "");
            if let Some(user) = user {
                place.at_ms = user.field("timestamp").and_then(instant);
                said(told, user, &mut place)?;
            }
            match assistant {
                Some(assistant) => answered(told, assistant, request, self.model, &mut place)?,
                None => told.diagnose(&place, "an entry of the history without an answer"),
            }
            told.close(&place);
        }
        if let Some(next) = self.next {
            let time = next.field("timestamp").and_then(instant);
            let mut place = RecordSpan::new("next", 0, 0, time);
            said(told, next, &mut place)?;
            told.close(&place);
        }
        Ok(())
    }
}

/// Returns message, answer and metadata of an entry. Early versions have a pair in place of an object.
pub(crate) fn sides(entry: Value<'_>) -> (Option<Value<'_>>, Option<Value<'_>>, Option<Value<'_>>) {
    let object = |value: &Value<'_>| matches!(value, Value::Object(_));
    if let Value::List(_) = entry {
        let mut pair = entry.elements().into_iter();
        return (pair.next().filter(object), pair.next().filter(object), None);
    }
    let field = |name: &str| entry.field(name).filter(object);
    (field("user"), field("assistant"), field("request_metadata"))
}

fn entry_id(entry: Value<'_>, assistant: Option<Value<'_>>) -> String {
    let own = assistant.and_then(|assistant| {
        let answer = assistant
            .field("Response")
            .or_else(|| assistant.field("ToolUse"))?;
        answer.text_of("message_id")
    });
    match own {
        Some(id) => id.lossy().into_owned(),
        None => format!("{:016x}", hash(entry.raw())),
    }
}

/// Emits the person's side: a prompt, results of tools, or both if calls were cancelled.
fn said<S: Sink>(
    told: &mut EventWriter<'_, S>,
    user: Value<'_>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    // Text that hooks and context files put before the prompt.
    if let Some(added) = user.text_of("additional_context") {
        let added = place.decode(added).into_owned();
        told.injected(place, "user", "context", added)?;
    }
    let content = user.field("content");
    let variant = ["Prompt", "ToolUseResults", "CancelledToolUses"]
        .iter()
        .find_map(|name| content.and_then(|content| content.field(name)));
    let Some(variant) = variant else {
        told.diagnose(place, "an entry of the history with an unknown content");
        return Ok(());
    };
    for result in variant
        .field("tool_use_results")
        .map(Value::elements)
        .unwrap_or_default()
    {
        let mut answer = Answer::default();
        for block in result
            .field("content")
            .map(Value::elements)
            .unwrap_or_default()
        {
            match (block.text_of("Text"), block.field("Json")) {
                (Some(text), _) => answer.text(text, place),
                (None, Some(value)) => answer.json(value, place),
                (None, None) => answer.thing("result"),
            }
        }
        let call = result
            .text_of("tool_use_id")
            .map(Text::lossy)
            .unwrap_or_default();
        let status = result
            .text_of("status")
            .map(Text::lossy)
            .unwrap_or_default();
        let is_error = answer.failed || status.eq_ignore_ascii_case("error");
        told.tool_result(place, &call, answer.text, is_error)?;
    }
    if let Some(prompt) = variant.text_of("prompt") {
        let prompt = place.decode(prompt);
        told.person(place, &prompt, &WRAPPING)?;
    }
    for _image in user
        .field("images")
        .map(Value::elements)
        .unwrap_or_default()
    {
        told.emit(place, "user", "note", "[image]".into(), Attrs::new())?;
    }
    Ok(())
}

fn answered<S: Sink>(
    told: &mut EventWriter<'_, S>,
    assistant: Value<'_>,
    request: Option<Value<'_>>,
    model: Option<Text<'_>>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let of_request = |name: &str| request.and_then(|request| request.field(name));
    if let Some(time) = of_request("stream_end_timestamp_ms").and_then(instant) {
        place.at_ms = Some(time);
    }
    let answer = assistant
        .field("Response")
        .or_else(|| assistant.field("ToolUse"));
    let Some(answer) = answer else {
        told.diagnose(place, "an answer of an unknown kind");
        return Ok(());
    };
    let model = of_request("model_id").and_then(Value::text).or(model);
    let mut attrs: Attrs = model
        .map(|model| attr("model", model.lossy()))
        .into_iter()
        .collect();
    let text = answer
        .text_of("content")
        .map(|text| place.decode(text).into_owned());
    if let Some(text) = text.filter(|text| !text.trim().is_empty()) {
        told.assistant(place, "text", text, std::mem::take(&mut attrs))?;
    }
    for call in answer
        .field("tool_uses")
        .map(Value::elements)
        .unwrap_or_default()
    {
        let text = |name: &str| call.text_of(name).map(Text::lossy).unwrap_or_default();
        let input = call.field("args").map(Value::raw).unwrap_or_default();
        let input = place.lossy(compact(input));
        let attrs = std::mem::take(&mut attrs);
        told.tool_call(place, &text("name"), &text("id"), input, attrs)?;
    }
    Ok(())
}
