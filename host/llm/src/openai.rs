//! OpenAI's chat completions API, which many servers implement. The settings describe their differences.

use serde_json::{Value, json};

use crate::Speaker;
use crate::exchange::{Exchange, ModelAnswer, StopReason, count, schema_in_words};
use crate::settings::{OpenAiSettings, OutputLimit, StructuredOutput};

pub(crate) const PATH: &str = "/chat/completions";

pub(crate) fn headers(key: Option<&str>) -> Vec<(&'static str, String)> {
    key.map(|key| ("authorization", format!("Bearer {key}")))
        .into_iter()
        .collect()
}

pub(crate) fn body(exchange: &Exchange<'_>, settings: &OpenAiSettings) -> Value {
    let mut messages: Vec<Value> = exchange
        .messages
        .iter()
        .map(|message| json!({ "role": message.role.name(), "content": message.content }))
        .collect();
    let mut body = json!({ "model": exchange.model });
    let limit = match settings.output_limit {
        OutputLimit::MaxTokens => "max_tokens",
        OutputLimit::MaxCompletionTokens => "max_completion_tokens",
    };
    body[limit] = json!(exchange.max_output_tokens);
    if let Some(schema) = exchange.schema {
        let words =
            || json!({ "role": Speaker::System.name(), "content": schema_in_words(schema) });
        match settings.structured_output {
            StructuredOutput::Schema => {
                body["response_format"] = json!({
                    "type": "json_schema",
                    // Not strict, because that supports only some schemas. The reply is checked here.
                    "json_schema": { "name": "reply", "strict": false, "schema": schema.value() },
                });
            }
            StructuredOutput::JsonObject => {
                body["response_format"] = json!({ "type": "json_object" });
                messages.insert(0, words());
            }
            StructuredOutput::Prompt => messages.insert(0, words()),
        }
    }
    body["messages"] = Value::Array(messages);
    body
}

/// Reads a reply; the error says what is wrong with it.
pub(crate) fn answer(reply: &Value) -> Result<ModelAnswer, &'static str> {
    let choice = reply.pointer("/choices/0").ok_or("it has no `choices`")?;
    let message = choice.get("message").ok_or("its choice has no `message`")?;
    let refusal = message.get("refusal").and_then(Value::as_str);
    let content = match message.get("content") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => parts
            .iter()
            .filter_map(|part| part.get("text")?.as_str())
            .collect(),
        _ => String::new(),
    };
    let stop = match choice.get("finish_reason").and_then(Value::as_str) {
        Some("content_filter") => StopReason::Refused,
        Some("length") => StopReason::Length,
        _ if refusal.is_some() => StopReason::Refused,
        _ => StopReason::Done,
    };
    Ok(ModelAnswer {
        content: refusal.map_or(content, ToOwned::to_owned),
        tokens: reply.get("usage").and_then(|usage| {
            Some((
                count(usage, "prompt_tokens")?,
                count(usage, "completion_tokens")?,
            ))
        }),
        stop,
        list_price: None,
    })
}
