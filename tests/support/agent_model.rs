//! A scripted model behind real agent programs: it speaks the four protocols they use, streaming, and
//! keeps every request.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::Asked;

type Script = dyn Fn(&Asked) -> Result<String, u16> + Send + Sync;

/// Answers until the test ends.
pub(crate) struct AgentModel {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<Request>>>,
}

/// A request for an answer, as a program sent it.
#[derive(Clone)]
pub(crate) struct Request {
    pub(crate) path: String,
    pub(crate) body: Value,
    pub(crate) bytes: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Protocol {
    Messages,
    Responses,
    Chat,
    Gemini,
}

impl Request {
    /// Names of the tools that the model could use.
    pub(crate) fn tools(&self) -> Vec<String> {
        let tools = self.body["tools"].as_array().into_iter().flatten();
        tools
            .flat_map(|tool| match tool["functionDeclarations"].as_array() {
                Some(declared) => declared.clone(),
                None => vec![tool.clone()],
            })
            .map(|tool| tool["name"].as_str().unwrap_or("unnamed").to_owned())
            .collect()
    }
}

impl AgentModel {
    pub(crate) fn new(
        script: impl Fn(&Asked) -> Result<String, u16> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let model = Self {
            address: listener.local_addr().unwrap(),
            requests: Arc::default(),
        };
        let requests = Arc::clone(&model.requests);
        let script: Arc<Script> = Arc::new(script);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (script, requests) = (Arc::clone(&script), Arc::clone(&requests));
                std::thread::spawn(move || answer(stream, script.as_ref(), &requests));
            }
        });
        model
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }
}

fn answer(mut stream: TcpStream, script: &Script, requests: &Mutex<Vec<Request>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let Some((path, body)) = read(&mut reader) else {
        return;
    };
    let parsed: Option<Value> = serde_json::from_slice(&body).ok();
    let protocol = protocol(&path);
    let (Some(protocol), Some(request)) = (protocol, parsed) else {
        // Lists of models and the like.
        let payload = json!({ "object": "list", "data": [], "models": [] });
        return send(&mut stream, 200, "application/json", &payload.to_string());
    };
    requests.lock().unwrap().push(Request {
        path: path.clone(),
        body: request.clone(),
        bytes: body.len(),
    });
    let streams = request["stream"] == true || path.contains("stream");
    match script(&asked(protocol, &request)) {
        Ok(content) => {
            let events = events(protocol, &request, &content);
            match streams {
                true => send(&mut stream, 200, "text/event-stream", &events),
                false => {
                    let whole = whole(protocol, &request, &content).to_string();
                    send(&mut stream, 200, "application/json", &whole);
                }
            }
        }
        Err(status) => {
            let message = match status {
                429 => "Rate limit reached, as scripted",
                _ => "scripted to fail",
            };
            let error = json!({ "type": "error", "error": {
                "type": "scripted", "message": message, "code": status, "status": "FAILED",
            } });
            send(&mut stream, status, "application/json", &error.to_string());
        }
    }
}

/// Path and body of a request, whole or in chunks.
fn read(reader: &mut BufReader<TcpStream>) -> Option<(String, Vec<u8>)> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let path = line.split(' ').nth(1)?.to_owned();
    let (mut length, mut chunked) = (0, false);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 || line.trim().is_empty() {
            break;
        }
        let line = line.to_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        chunked |= line.starts_with("transfer-encoding:") && line.contains("chunked");
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    if !chunked {
        return Some((path, body));
    }
    loop {
        let mut size = String::new();
        reader.read_line(&mut size).ok()?;
        let size = usize::from_str_radix(size.trim(), 16).ok()?;
        let mut chunk = vec![0; size + 2];
        reader.read_exact(&mut chunk).ok()?;
        if size == 0 {
            break;
        }
        body.extend(&chunk[..size]);
    }
    Some((path, body))
}

fn send(stream: &mut TcpStream, status: u16, kind: &str, payload: &str) {
    let head = format!(
        "HTTP/1.1 {status} scripted\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        payload.len()
    );
    let _ = stream.write_all(format!("{head}{payload}").as_bytes());
}

fn protocol(path: &str) -> Option<Protocol> {
    let path = path.split('?').next().unwrap_or(path);
    Some(match path {
        path if path.ends_with("/messages") => Protocol::Messages,
        path if path.ends_with("/responses") => Protocol::Responses,
        path if path.ends_with("/chat/completions") => Protocol::Chat,
        path if path.ends_with("enerateContent") => Protocol::Gemini,
        _ => return None,
    })
}

/// All strings of the conversation, and the fields that the answer must have: of the schema that was
/// sent as such, or of the one that stands in the words.
fn asked(protocol: Protocol, request: &Value) -> Asked {
    let (parts, schema) = match protocol {
        Protocol::Messages => (
            vec![&request["system"], &request["messages"]],
            &request["tools"][0]["input_schema"],
        ),
        Protocol::Responses => (
            vec![&request["instructions"], &request["input"]],
            &request["text"]["format"]["schema"],
        ),
        Protocol::Chat => (vec![&request["messages"]], &Value::Null),
        Protocol::Gemini => (
            vec![&request["systemInstruction"], &request["contents"]],
            &Value::Null,
        ),
    };
    let mut text = String::new();
    parts.into_iter().for_each(|part| collect(part, &mut text));
    let in_words = text.split("It must fit this JSON schema:\n").nth(1);
    let in_words = in_words.and_then(|rest| {
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        values.next()?.ok()
    });
    let schema = match schema {
        Value::Null => in_words.unwrap_or_default(),
        schema => schema.clone(),
    };
    let fields = schema["properties"].as_object();
    let fields = fields.into_iter().flat_map(|fields| fields.keys().cloned());
    Asked {
        fields: fields.collect(),
        text,
    }
}

fn collect(value: &Value, into: &mut String) {
    match value {
        Value::String(text) => {
            into.push_str(text);
            into.push('\n');
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, into)),
        Value::Object(fields) => {
            let texts = fields
                .iter()
                .filter(|(name, _)| ["text", "content", "parts", "input"].contains(&name.as_str()));
            texts.for_each(|(_, value)| collect(value, into));
        }
        _ => {}
    }
}

/// The answer as blocks of Anthropic's: the input of the schema's tool if there is one.
fn block(request: &Value, content: &str) -> (Value, &'static str) {
    let tool = request["tools"][0]["name"].as_str();
    let input: Option<Value> = serde_json::from_str(content).ok();
    match tool.zip(input) {
        // The program asks once more with the result, and wants words then.
        Some((name, input)) if !request.to_string().contains("tool_result") => (
            json!({ "type": "tool_use", "id": "toolu_1", "name": name, "input": input }),
            "tool_use",
        ),
        Some(_) => (json!({ "type": "text", "text": "Done." }), "end_turn"),
        None => (json!({ "type": "text", "text": content }), "end_turn"),
    }
}

fn whole(protocol: Protocol, request: &Value, content: &str) -> Value {
    match protocol {
        Protocol::Messages => {
            let (block, stop) = block(request, content);
            json!({
                "id": "msg_1", "type": "message", "role": "assistant", "model": request["model"],
                "content": [block], "stop_reason": stop, "stop_sequence": null,
                "usage": { "input_tokens": 120, "output_tokens": 30 },
            })
        }
        Protocol::Responses => json!({
            "id": "resp_1", "object": "response", "status": "completed", "model": request["model"],
            "output": [item(content)], "usage": {
                "input_tokens": 120, "input_tokens_details": { "cached_tokens": 0 },
                "output_tokens": 30, "output_tokens_details": { "reasoning_tokens": 0 },
                "total_tokens": 150,
            },
        }),
        Protocol::Chat => json!({
            "id": "chat_1", "object": "chat.completion", "created": 1, "model": request["model"],
            "choices": [{
                "index": 0, "finish_reason": "stop",
                "message": { "role": "assistant", "content": content },
            }],
            "usage": { "prompt_tokens": 120, "completion_tokens": 30, "total_tokens": 150 },
        }),
        Protocol::Gemini => json!({
            "candidates": [{
                "index": 0, "finishReason": "STOP",
                "content": { "role": "model", "parts": [{ "text": content }] },
            }],
            "usageMetadata": {
                "promptTokenCount": 120, "candidatesTokenCount": 30, "totalTokenCount": 150,
            },
            "modelVersion": "scripted",
        }),
    }
}

fn item(content: &str) -> Value {
    json!({
        "type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
        "content": [{ "type": "output_text", "text": content, "annotations": [] }],
    })
}

/// The answer as a stream of events.
fn events(protocol: Protocol, request: &Value, content: &str) -> String {
    let whole = whole(protocol, request, content);
    let events = match protocol {
        Protocol::Messages => {
            let mut start = whole.clone();
            start["content"] = json!([]);
            let (block, stop) = block(request, content);
            let (empty, delta) = match block["type"].as_str() {
                Some("tool_use") => {
                    let mut empty = block.clone();
                    empty["input"] = json!({});
                    let text = block["input"].to_string();
                    (
                        empty,
                        json!({ "type": "input_json_delta", "partial_json": text }),
                    )
                }
                _ => (
                    json!({ "type": "text", "text": "" }),
                    json!({ "type": "text_delta", "text": block["text"] }),
                ),
            };
            vec![
                json!({ "type": "message_start", "message": start }),
                json!({ "type": "content_block_start", "index": 0, "content_block": empty }),
                json!({ "type": "content_block_delta", "index": 0, "delta": delta }),
                json!({ "type": "content_block_stop", "index": 0 }),
                json!({
                    "type": "message_delta", "usage": whole["usage"],
                    "delta": { "stop_reason": stop, "stop_sequence": null },
                }),
                json!({ "type": "message_stop" }),
            ]
        }
        Protocol::Responses => {
            let mut start = whole.clone();
            start["status"] = json!("in_progress");
            start["output"] = json!([]);
            vec![
                json!({ "type": "response.created", "response": start }),
                json!({ "type": "response.output_item.done", "output_index": 0, "item": item(content) }),
                json!({ "type": "response.completed", "response": whole }),
            ]
        }
        Protocol::Chat => {
            let chunk = |delta: Value, reason: Value| {
                json!({
                    "id": "chat_1", "object": "chat.completion.chunk", "created": 1,
                    "model": request["model"],
                    "choices": [{ "index": 0, "delta": delta, "finish_reason": reason }],
                })
            };
            let mut usage = chunk(json!({}), Value::Null);
            usage["choices"] = json!([]);
            usage["usage"] = whole["usage"].clone();
            vec![
                chunk(
                    json!({ "role": "assistant", "content": content }),
                    Value::Null,
                ),
                chunk(json!({}), json!("stop")),
                usage,
            ]
        }
        Protocol::Gemini => vec![whole],
    };
    let mut text = String::new();
    for event in events {
        if let Some(name) = event["type"].as_str() {
            text.push_str(&format!("event: {name}\n"));
        }
        text.push_str(&format!("data: {event}\n\n"));
    }
    if protocol == Protocol::Chat {
        text.push_str("data: [DONE]\n\n");
    }
    text
}
