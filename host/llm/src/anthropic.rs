//! Anthropic's messages API. A schema is sent as the input of a tool that the model must use, which every model of
//! theirs supports.

use serde_json::{Value, json};

use crate::Speaker;
use crate::exchange::{Exchange, ModelAnswer, StopReason, count, schema_in_words};

pub(crate) const PATH: &str = "/v1/messages";

pub(crate) fn headers(key: Option<&str>) -> Vec<(&'static str, String)> {
    let version = ("anthropic-version", "2023-06-01".to_owned());
    let key = key.map(|key| ("x-api-key", key.to_owned()));
    [version].into_iter().chain(key).collect()
}

pub(crate) fn body(exchange: &Exchange<'_>) -> Value {
    let mut system: Vec<&str> = Vec::new();
    let mut messages = Vec::new();
    for message in &exchange.messages {
        match message.role {
            Speaker::System => system.push(&message.content),
            Speaker::User | Speaker::Assistant => messages.push(json!({
                "role": message.role.name(),
                "content": message.content,
            })),
        }
    }
    let mut body = json!({
        "model": exchange.model,
        "max_tokens": exchange.max_output_tokens,
        "messages": messages,
    });
    let mut system = system.join("\n\n");
    if let Some(schema) = exchange.schema {
        if schema.value().get("type") == Some(&json!("object")) {
            body["tools"] = json!([{
                "name": TOOL,
                "description": "Gives the reply.",
                "input_schema": schema.value(),
            }]);
            body["tool_choice"] = json!({ "type": "tool", "name": TOOL });
        } else {
            // The input of a tool must be an object.
            if !system.is_empty() {
                system.push_str("\n\n");
            }
            system.push_str(&schema_in_words(schema));
        }
    }
    if !system.is_empty() {
        body["system"] = Value::String(system);
    }
    body
}

/// Reads a reply; the error says what is wrong with it.
pub(crate) fn answer(reply: &Value) -> Result<ModelAnswer, &'static str> {
    let blocks = reply
        .get("content")
        .and_then(Value::as_array)
        .ok_or("it has no `content`")?;
    let mut content = String::new();
    for block in blocks {
        match block.get("type").and_then(Value::as_str) {
            Some("text") => content.push_str(block["text"].as_str().unwrap_or_default()),
            // The tool call is the reply, whatever text came before it.
            Some("tool_use") => {
                content = block["input"].to_string();
                break;
            }
            _ => {}
        }
    }
    let stop = match reply.get("stop_reason").and_then(Value::as_str) {
        Some("refusal") => StopReason::Refused,
        Some("max_tokens" | "model_context_window_exceeded") => StopReason::Length,
        _ => StopReason::Done,
    };
    Ok(ModelAnswer {
        content,
        tokens: reply.get("usage").and_then(tokens),
        stop,
        list_price: None,
    })
}

const TOOL: &str = "reply";

/// Counts tokens. Writes to and reads from their prompt cache are input as well.
fn tokens(usage: &Value) -> Option<(u64, u64)> {
    let cached = ["cache_creation_input_tokens", "cache_read_input_tokens"]
        .iter()
        .filter_map(|name| count(usage, name))
        .fold(0_u64, u64::saturating_add);
    let input = count(usage, "input_tokens")?.saturating_add(cached);
    Some((input, count(usage, "output_tokens")?))
}
