//! Ollama's native chat API. It gets the context size that the request needs, and rejects what does not fit: its
//! OpenAI-compatible API silently truncates a long prompt.

use serde_json::{Value, json};

use crate::exchange::{Exchange, ModelAnswer, StopReason, count};
use crate::tokens::{count_request, worst_case};

pub(crate) const PATH: &str = "/api/chat";

/// Returns the base URL without the path of its OpenAI-compatible API, which configurations may contain.
pub(crate) fn base_url(configured: &str) -> &str {
    let trimmed = configured.trim_end_matches('/');
    trimmed.strip_suffix("/v1").unwrap_or(trimmed)
}

pub(crate) fn body(exchange: &Exchange<'_>) -> Value {
    let messages = exchange.messages.iter();
    let messages = messages
        .map(|message| json!({ "role": message.role.name(), "content": message.content }))
        .collect::<Vec<_>>();
    let mut body = json!({
        "model": exchange.model,
        "messages": messages,
        "stream": false,
        "think": false,
        "truncate": false,
        "options": {
            "num_ctx": context(exchange),
            "num_predict": exchange.max_output_tokens,
            "temperature": 0,
        },
    });
    if let Some(schema) = exchange.schema {
        body["format"] = schema.value().clone();
    }
    body
}

/// Reads a reply; the error says what is wrong with it.
pub(crate) fn answer(reply: &Value) -> Result<ModelAnswer, &'static str> {
    let message = reply.get("message").ok_or("it has no `message`")?;
    let content = message.get("content").and_then(Value::as_str);
    Ok(ModelAnswer {
        content: content.ok_or("its message has no `content`")?.to_owned(),
        tokens: count(reply, "prompt_eval_count").zip(count(reply, "eval_count")),
        stop: match reply.get("done_reason").and_then(Value::as_str) {
            Some("length") => StopReason::Length,
            _ => StopReason::Done,
        },
        list_price: None,
    })
}

/// Context sizes. Ollama reloads the model for each size, so there are few.
const CONTEXTS: [u64; 6] = [8_192, 16_384, 32_768, 65_536, 131_072, 262_144];

/// Returns the context size: an upper bound of the tokens of request and reply together.
fn context(exchange: &Exchange<'_>) -> u64 {
    let schema = exchange.schema_text();
    let counted = count_request(&exchange.messages, schema);
    let request = worst_case(counted, &exchange.messages, schema);
    let needed = request.saturating_add(u64::from(exchange.max_output_tokens));
    let fits = CONTEXTS.into_iter().find(|size| *size >= needed);
    fits.unwrap_or(CONTEXTS[CONTEXTS.len() - 1])
}
