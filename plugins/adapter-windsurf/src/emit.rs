//! Turns steps into events: the person's words, the agent's words, and tool calls.

use acreta_sdk::adapter::author::Wrapping;
use acreta_sdk::adapter::json::{Scanner, Text, Value, compact};
use acreta_sdk::adapter::{Attrs, EventWriter, Failure, RecordSpan, Sink};

use crate::step::Step;

/// Steps without information about the work.
const BOOKKEEPING: [&str; 1] = ["suggested_responses"];

/// Steps with which Windsurf inserts text into the conversation.
const INJECTED: [(&str, &str); 4] = [
    ("ephemeral_message", "system-reminder"),
    ("system_message", "system-prompt"),
    ("memory", "memory"),
    ("retrieve_memory", "memory"),
];

/// Fields with a tool's result, as far as a transcript has it.
const ANSWERS: [&[u8]; 6] = [
    b"output",
    b"content",
    b"result",
    b"results",
    b"error",
    b"acknowledgement_type",
];

/// Emits one line.
pub(crate) fn step<S: Sink>(
    event_writer: &mut EventWriter<'_, S>,
    record: Value<'_>,
    (start, end): (u64, u64),
) -> Result<(), Failure> {
    let mut place = RecordSpan::new("", start, end, None);
    let Some(step) = Step::of(record) else {
        event_writer.diagnose_once(&place, "a record that is no step");
        return Ok(());
    };
    let kind = step.kind.lossy();
    let injected = INJECTED.iter().find(|(name, _)| *name == kind);
    match (&*kind, injected) {
        ("user_input", _) => {
            let words = text_of(&step, "user_response", &mut place);
            event_writer.person(&mut place, &words, &Wrapping::default())?;
        }
        ("planner_response", _) => {
            let thought = text_of(&step, "thinking", &mut place);
            event_writer.assistant(&mut place, "thinking", thought, Attrs::new())?;
            let words = text_of(&step, "response", &mut place);
            event_writer.assistant(&mut place, "text", words, Attrs::new())?;
        }
        ("checkpoint", _) => {
            let summary = details_text(&step, &mut place);
            event_writer.emit(&mut place, "system", "compaction", summary, Attrs::new())?;
        }
        ("error_message", _) => {
            let message = details_text(&step, &mut place);
            event_writer.emit(&mut place, "system", "note", message, Attrs::new())?;
        }
        (_, Some((_, by))) => {
            let text = details_text(&step, &mut place);
            event_writer.injected(&mut place, "system", by, text)?;
        }
        (name, None) if BOOKKEEPING.contains(&name) => {}
        (name, None) => tool(event_writer, &step, name, &mut place)?,
    }
    event_writer.close(&place);
    Ok(())
}

/// Emits a tool's step, which holds both its call and its result.
fn tool<S: Sink>(
    event_writer: &mut EventWriter<'_, S>,
    step: &Step<'_>,
    name: &str,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let work = Work::of(step.details);
    let server = step.text_of("server_name").map(Text::lossy);
    let tool = match (server, step.text_of("tool_name").map(Text::lossy)) {
        (Some(server), Some(tool)) => format!("mcp__{server}__{tool}"),
        _ => name.to_owned(),
    };
    let call = place.event_id();
    let input = place.lossy(work.input);
    event_writer.tool_call(place, &tool, &call, input, Attrs::new())?;
    if !step.is_over() {
        return Ok(());
    }
    let mut answer = String::new();
    for value in work.answers {
        if !answer.is_empty() {
            answer.push('\n');
        }
        match value {
            Value::Text(text) => answer.push_str(&place.decode(text)),
            other => answer.push_str(&place.lossy(compact(other.raw()))),
        }
    }
    if answer.is_empty() {
        match work.found {
            _ if work.is_rejected => answer.push_str("rejected by the user"),
            Some(found) => answer = place.lossy([found, b" results"].concat()),
            None => {}
        }
    }
    let is_error = !step.status.is("done")
        || work.is_rejected
        || work.exit_code.is_some_and(|code| code != b"0")
        || answer.contains("ACKNOWLEDGEMENT_TYPE_REJECT");
    event_writer.tool_result(place, &call, answer, is_error)
}

/// The details of a tool's step: input and output.
#[derive(Default)]
struct Work<'a> {
    /// The details without the answer, as JSON.
    input: Vec<u8>,
    answers: Vec<Value<'a>>,
    exit_code: Option<&'a [u8]>,
    /// Number of hits of a search.
    found: Option<&'a [u8]>,
    is_rejected: bool,
}

impl<'a> Work<'a> {
    fn of(details: Option<Value<'a>>) -> Self {
        let mut work = Work::default();
        let Some(Value::Object(raw)) = details else {
            return work;
        };
        work.input.push(b'{');
        // The object was located; damage inside is left out.
        let _damaged = Scanner::new(raw).each_field(|scanner, key| {
            let value = scanner.value()?;
            match key {
                b"exit_code" => work.exit_code = Some(value.raw()),
                b"user_rejected" => work.is_rejected = value.is_true(),
                b"total_results" => work.found = Some(value.raw()),
                answer if ANSWERS.contains(&answer) => work.answers.push(value),
                _ => work.push(key, value),
            }
            Ok(())
        });
        work.input.push(b'}');
        work
    }

    fn push(&mut self, key: &[u8], value: Value<'_>) {
        if self.input.len() > 1 {
            self.input.push(b',');
        }
        self.input.push(b'"');
        self.input.extend_from_slice(key);
        self.input.extend_from_slice(b"\":");
        match value {
            Value::Text(text) => {
                self.input.push(b'"');
                self.input.extend_from_slice(text.raw);
                self.input.push(b'"');
            }
            other => self.input.extend_from_slice(&compact(other.raw())),
        }
    }
}

fn text_of(step: &Step<'_>, name: &str, place: &mut RecordSpan) -> String {
    let text = step.text_of(name).map(|text| place.decode(text));
    text.unwrap_or_default().into_owned()
}

/// Returns the text of a step that has it under a field of its own, else all of its details.
fn details_text(step: &Step<'_>, place: &mut RecordSpan) -> String {
    for name in ["content", "message", "text", "summary", "error"] {
        if let Some(text) = step.text_of(name) {
            return place.decode(text).into_owned();
        }
    }
    let details = step.details.map(Value::raw).unwrap_or_default();
    place.lossy(compact(details))
}
