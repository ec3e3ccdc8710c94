//! The requests: a prompt, fenced text and the schema of the reply. The same input gives the same
//! request byte for byte, so that the host's cache knows it again.

use serde_json::{Value, json};

use crate::fence::{NOTICE, fenced};
use crate::pool::Types;
use crate::windows::Window;
use crate::{Message, Request, Settings};

/// Reads one window.
pub(crate) fn extract(settings: &Settings, types: &Types<'_>, window: &Window) -> Request {
    request(
        "extract",
        "window",
        &with_types(&settings.prompts.extract, types),
        &fenced("record", &window.text),
        &proposals_schema(types),
        WINDOW_OUTPUT,
    )
}

/// Judges a batch of proposals, rendered.
pub(crate) fn verify(settings: &Settings, types: &Types<'_>, proposals: &str) -> Request {
    request(
        "extract",
        "verify",
        &with_types(&settings.prompts.verify, types),
        &fenced("proposals", proposals),
        &verdicts_schema(types),
        VERIFY_OUTPUT,
    )
}

/// Asks where to read on. `state` is the outline and what is known so far, fenced.
pub(crate) fn navigate(settings: &Settings, state: &str) -> Request {
    let schema = object(&[
        (
            "read",
            list(object(&[
                ("from", json!({"type": "integer"})),
                ("to", json!({"type": "integer"})),
            ])),
        ),
        ("search", list(text())),
        ("done", json!({"type": "boolean"})),
    ]);
    request(
        "extract",
        "navigate",
        &settings.prompts.navigate,
        state,
        &schema,
        NAVIGATE_OUTPUT,
    )
}

/// Asks for the summary of a session.
pub(crate) fn summarise(settings: &Settings, record: &str) -> Request {
    let schema = object(&[
        ("title", text()),
        ("description", text()),
        ("body", text()),
        ("open", list(text())),
    ]);
    request(
        "summarise",
        "summary",
        &settings.prompts.summarise,
        record,
        &schema,
        SUMMARY_OUTPUT,
    )
}

/// The most tokens a host sets aside for a request: other tokenizers may need twice as many as the
/// common one, which needs one for about four bytes, and a provider frames what it is sent.
pub(crate) fn worst_case(request: &Request) -> u64 {
    let content = request.messages.iter().map(|message| message.content.len());
    let schema = request.json_schema.as_ref().map_or(0, String::len);
    let bytes = content.sum::<usize>() + schema;
    bytes as u64 / 2 + u64::from(request.max_output_tokens) + FRAME
}

const FRAME: u64 = 1_100;
pub(crate) const WINDOW_OUTPUT: u32 = 2_000;
pub(crate) const VERIFY_OUTPUT: u32 = 4_000;
const NAVIGATE_OUTPUT: u32 = 800;
const SUMMARY_OUTPUT: u32 = 1_500;

fn request(
    purpose: &str,
    step: &str,
    prompt: &str,
    content: &str,
    schema: &Value,
    max_output_tokens: u32,
) -> Request {
    Request {
        purpose: purpose.to_owned(),
        messages: vec![
            message("system", prompt.trim().to_owned()),
            message("user", format!("{NOTICE}{content}")),
        ],
        json_schema: Some(schema.to_string()),
        max_output_tokens,
        attrs: vec![("step".to_owned(), step.to_owned())],
    }
}

fn message(role: &str, content: String) -> Message {
    Message {
        role: role.to_owned(),
        content,
    }
}

fn with_types(prompt: &str, types: &Types<'_>) -> String {
    prompt.replace("{{types}}", &types.table())
}

fn proposals_schema(types: &Types<'_>) -> Value {
    let evidence = object(&[("event", json!({"type": "integer"})), ("quote", text())]);
    let mut members = statement(types);
    members.push(("evidence", list(evidence)));
    object(&[("candidates", list(object(&members)))])
}

fn verdicts_schema(types: &Types<'_>) -> Value {
    let mut members = vec![("items", list(json!({"type": "integer"})))];
    members.extend(statement(types));
    let reasons = [
        "retracted",
        "superseded",
        "task",
        "unsupported",
        "trivial",
        "duplicate",
    ];
    let dropped = object(&[
        ("item", json!({"type": "integer"})),
        ("reason", json!({"type": "string", "enum": reasons})),
    ]);
    object(&[
        ("memories", list(object(&members))),
        ("dropped", list(dropped)),
    ])
}

/// What a memory says.
fn statement(types: &Types<'_>) -> Vec<(&'static str, Value)> {
    vec![
        ("type", json!({"type": "string", "enum": types.names()})),
        ("kind", json!({"type": "string", "enum": types.kinds()})),
        ("title", text()),
        ("body", text()),
        ("confidence", json!({"type": "number"})),
    ]
}

fn text() -> Value {
    json!({"type": "string"})
}

fn list(items: Value) -> Value {
    json!({"type": "array", "items": items})
}

/// Closed, with every member required: the form that all providers take.
fn object(members: &[(&str, Value)]) -> Value {
    let names: Vec<&str> = members.iter().map(|(name, _)| *name).collect();
    let properties: serde_json::Map<String, Value> = members
        .iter()
        .map(|(name, schema)| ((*name).to_owned(), schema.clone()))
        .collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": names,
        "additionalProperties": false,
    })
}
