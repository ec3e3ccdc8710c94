//! Encodes an answer for each protocol, whole and as a stream of events.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};

use crate::scripted::{Answer, Call, Protocol, Request, ToolForm};

/// Returns an id that is unique in this process.
fn fresh(prefix: &str) -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!("{prefix}{:020}", NEXT.fetch_add(1, Ordering::Relaxed))
}

pub(crate) fn whole(request: &Request, answer: &Answer) -> Value {
    let model = &request.body["model"];
    let (input, output) = (answer.input_tokens, 30);
    match request.protocol {
        Protocol::Messages => json!({
            "id": fresh("msg_"), "type": "message", "role": "assistant", "model": model,
            "content": blocks(answer), "stop_sequence": null,
            "stop_reason": match answer.call { Some(_) => "tool_use", None => "end_turn" },
            "usage": {
                "input_tokens": input, "output_tokens": output,
                "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
            },
        }),
        Protocol::Responses => json!({
            "id": fresh("resp_"), "object": "response", "created_at": 1, "status": "completed",
            "model": model, "output": output_items(answer), "error": null,
            "incomplete_details": null, "parallel_tool_calls": true, "tools": [],
            "usage": {
                "input_tokens": input, "input_tokens_details": { "cached_tokens": 0 },
                "output_tokens": output, "output_tokens_details": { "reasoning_tokens": 0 },
                "total_tokens": input + output,
            },
        }),
        Protocol::Chat => {
            let mut message = json!({ "role": "assistant", "content": answer.text });
            if let Some(call) = &answer.call {
                message["tool_calls"] = json!([{
                    "index": 0, "id": fresh("call_"), "type": "function",
                    "function": { "name": call.name, "arguments": call.raw_arguments() },
                }]);
            }
            json!({
                "id": fresh("chat_"), "object": "chat.completion", "created": 1, "model": model,
                "choices": [{ "index": 0, "finish_reason": finish(answer), "message": message }],
                "usage": {
                    "prompt_tokens": input, "completion_tokens": output,
                    "total_tokens": input + output,
                },
            })
        }
        Protocol::Gemini => {
            let mut parts = vec![json!({ "text": answer.text })];
            parts.extend(answer.call.as_ref().map(
                |call| json!({ "functionCall": { "name": call.name, "args": call.arguments } }),
            ));
            json!({
                "candidates": [{
                    "index": 0, "finishReason": "STOP",
                    "content": { "role": "model", "parts": parts },
                }],
                "usageMetadata": {
                    "promptTokenCount": input, "candidatesTokenCount": output,
                    "totalTokenCount": input + output,
                },
                "modelVersion": "scripted",
            })
        }
    }
}

pub(crate) fn events(request: &Request, answer: &Answer) -> String {
    let whole = whole(request, answer);
    let events = match request.protocol {
        Protocol::Messages => messages_events(&whole),
        Protocol::Responses => responses_events(&whole),
        Protocol::Chat => chat_events(&whole),
        Protocol::Gemini => vec![whole],
    };
    let mut text = String::new();
    for event in events {
        if let Some(name) = event["type"].as_str() {
            text.push_str(&format!("event: {name}\n"));
        }
        text.push_str(&format!("data: {event}\n\n"));
    }
    if request.protocol == Protocol::Chat {
        text.push_str("data: [DONE]\n\n");
    }
    text
}

impl Call {
    fn raw_arguments(&self) -> String {
        match &self.arguments {
            Value::String(text) => text.clone(),
            arguments => arguments.to_string(),
        }
    }
}

fn finish(answer: &Answer) -> &'static str {
    match answer.call {
        Some(_) => "tool_calls",
        None => "stop",
    }
}

/// Blocks of a message of Anthropic's.
fn blocks(answer: &Answer) -> Vec<Value> {
    let mut blocks = Vec::new();
    if !answer.text.is_empty() {
        blocks.push(json!({ "type": "text", "text": answer.text }));
    }
    blocks.extend(answer.call.as_ref().map(|call| {
        json!({
            "type": "tool_use", "id": fresh("toolu_"), "name": call.name, "input": call.arguments,
        })
    }));
    blocks
}

/// Output items of the Responses API.
fn output_items(answer: &Answer) -> Vec<Value> {
    let mut items = vec![json!({
        "type": "message", "id": fresh("msg_"), "role": "assistant", "status": "completed",
        "content": [{ "type": "output_text", "text": answer.text, "annotations": [] }],
    })];
    let Some(call) = &answer.call else {
        return items;
    };
    let id = fresh("call_");
    let mut item = match call.form {
        ToolForm::Function => json!({
            "type": "function_call", "id": fresh("fc_"), "call_id": id, "name": call.name,
            "arguments": call.raw_arguments(), "status": "completed",
        }),
        ToolForm::Custom => json!({
            "type": "custom_tool_call", "id": fresh("ctc_"), "call_id": id, "name": call.name,
            "input": call.raw_arguments(), "status": "completed",
        }),
        ToolForm::LocalShell => json!({
            "type": "local_shell_call", "id": fresh("lsh_"), "call_id": id, "status": "completed",
            "action": { "type": "exec", "command": call.arguments["command"], "env": {} },
        }),
        ToolForm::ToolSearch => json!({
            "type": "tool_search_call", "id": fresh("ts_"), "call_id": id, "execution": "client",
            "status": "completed", "arguments": call.arguments,
        }),
    };
    if let Some(namespace) = &call.namespace {
        item["namespace"] = json!(namespace);
    }
    items.push(item);
    items
}

fn messages_events(whole: &Value) -> Vec<Value> {
    let mut start = whole.clone();
    start["content"] = json!([]);
    start["stop_reason"] = Value::Null;
    let mut events = vec![json!({ "type": "message_start", "message": start })];
    for (index, block) in whole["content"]
        .as_array()
        .into_iter()
        .flatten()
        .enumerate()
    {
        let mut empty = block.clone();
        let delta = match block["type"].as_str() {
            Some("tool_use") => {
                empty["input"] = json!({});
                json!({ "type": "input_json_delta", "partial_json": block["input"].to_string() })
            }
            _ => {
                empty["text"] = json!("");
                json!({ "type": "text_delta", "text": block["text"] })
            }
        };
        events
            .push(json!({ "type": "content_block_start", "index": index, "content_block": empty }));
        events.push(json!({ "type": "content_block_delta", "index": index, "delta": delta }));
        events.push(json!({ "type": "content_block_stop", "index": index }));
    }
    events.push(json!({
        "type": "message_delta", "usage": whole["usage"],
        "delta": { "stop_reason": whole["stop_reason"], "stop_sequence": null },
    }));
    events.push(json!({ "type": "message_stop" }));
    events
}

fn responses_events(whole: &Value) -> Vec<Value> {
    let mut start = whole.clone();
    start["status"] = json!("in_progress");
    start["output"] = json!([]);
    start["usage"] = Value::Null;
    let mut events = vec![json!({ "type": "response.created", "response": start })];
    for (index, item) in whole["output"].as_array().into_iter().flatten().enumerate() {
        let mut begun = item.clone();
        begun["status"] = json!("in_progress");
        let is_message = item["type"] == "message";
        if is_message {
            begun["content"] = json!([]);
        }
        events.push(json!({
            "type": "response.output_item.added", "output_index": index, "item": begun,
        }));
        if is_message {
            let part = &item["content"][0];
            let at = json!({
                "item_id": item["id"], "output_index": index, "content_index": 0,
            });
            let empty = json!({ "type": "output_text", "text": "", "annotations": [] });
            events.extend([
                with(
                    &at,
                    json!({ "type": "response.content_part.added", "part": empty }),
                ),
                with(
                    &at,
                    json!({ "type": "response.output_text.delta", "delta": part["text"] }),
                ),
                with(
                    &at,
                    json!({ "type": "response.output_text.done", "text": part["text"] }),
                ),
                with(
                    &at,
                    json!({ "type": "response.content_part.done", "part": part }),
                ),
            ]);
        }
        if item["type"] == "function_call" {
            let at = json!({ "item_id": item["id"], "output_index": index });
            let arguments = &item["arguments"];
            events.extend([
                with(
                    &at,
                    json!({
                        "type": "response.function_call_arguments.delta", "delta": arguments,
                    }),
                ),
                with(
                    &at,
                    json!({
                        "type": "response.function_call_arguments.done", "arguments": arguments,
                    }),
                ),
            ]);
        }
        events.push(json!({
            "type": "response.output_item.done", "output_index": index, "item": item,
        }));
    }
    events.push(json!({ "type": "response.completed", "response": whole }));
    for (number, event) in events.iter_mut().enumerate() {
        event["sequence_number"] = json!(number);
    }
    events
}

fn with(place: &Value, mut event: Value) -> Value {
    for (name, value) in place.as_object().into_iter().flatten() {
        event[name] = value.clone();
    }
    event
}

fn chat_events(whole: &Value) -> Vec<Value> {
    let choice = &whole["choices"][0];
    let chunk = |choices: Value| {
        json!({
            "id": whole["id"], "object": "chat.completion.chunk", "created": 1,
            "model": whole["model"], "choices": choices,
        })
    };
    let mut usage = chunk(json!([]));
    usage["usage"] = whole["usage"].clone();
    let reason = &choice["finish_reason"];
    vec![
        chunk(json!([{ "index": 0, "delta": choice["message"], "finish_reason": null }])),
        chunk(json!([{ "index": 0, "delta": {}, "finish_reason": reason }])),
        usage,
    ]
}
