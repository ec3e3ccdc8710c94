//! A scripted model on loopback for real agent programs: Anthropic Messages, OpenAI Responses and Chat Completions,
//! Gemini; streaming and not. It records every request and answers from the script.

mod conversation;
mod http;
mod wire;

use std::io::BufReader;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

pub use conversation::{Item, Tool, ToolForm};

type Script = dyn Fn(&Request) -> Result<Answer, u16> + Send + Sync;

/// Listens on a free port of 127.0.0.1 until the process ends.
pub struct Model {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<Request>>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    Messages,
    Responses,
    Chat,
    Gemini,
}

/// A request for an answer, as a program sent it.
#[derive(Debug, Clone)]
pub struct Request {
    pub protocol: Protocol,
    pub path: String,
    pub body: Value,
    pub bytes: usize,
}

/// Words, then at most one tool call.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    pub text: String,
    pub call: Option<Call>,
    /// Number of tokens that the answer reports for the request.
    pub input_tokens: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    pub name: String,
    pub namespace: Option<String>,
    pub form: ToolForm,
    /// An object, or a string for a tool that takes free text.
    pub arguments: Value,
}

impl Answer {
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            call: None,
            input_tokens: 120,
        }
    }
}

impl Request {
    /// Returns the conversation in order, without system prompts.
    pub fn conversation(&self) -> Vec<Item> {
        conversation::items(self.protocol, &self.body)
    }

    /// Tools that the model may call.
    pub fn tools(&self) -> Vec<Tool> {
        conversation::tools(self.protocol, &self.body)
    }
}

impl Model {
    /// Starts to listen.
    ///
    /// # Errors
    /// Fails if no port is available.
    pub fn start(
        script: impl Fn(&Request) -> Result<Answer, u16> + Send + Sync + 'static,
    ) -> std::io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let model = Self {
            address: listener.local_addr()?,
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
        Ok(model)
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns all requests so far.
    pub fn requests(&self) -> Vec<Request> {
        locked(&self.requests).clone()
    }
}

fn locked(requests: &Mutex<Vec<Request>>) -> MutexGuard<'_, Vec<Request>> {
    requests.lock().unwrap_or_else(PoisonError::into_inner)
}

fn answer(mut stream: TcpStream, script: &Script, requests: &Mutex<Vec<Request>>) {
    let Ok(copy) = stream.try_clone() else {
        return;
    };
    let Some((path, body)) = http::read(&mut BufReader::new(copy)) else {
        return;
    };
    let parsed: Option<Value> = serde_json::from_slice(&body).ok();
    let (Some(protocol), Some(parsed)) = (protocol(&path), parsed) else {
        return http::send_json(&mut stream, 200, &beside(&path));
    };
    let request = Request {
        protocol,
        path,
        body: parsed,
        bytes: body.len(),
    };
    locked(requests).push(request.clone());
    let streams = request.body["stream"] == true || request.path.contains("stream");
    match script(&request) {
        Ok(answer) if streams => {
            let events = wire::events(&request, &answer);
            http::send(&mut stream, 200, "text/event-stream", &events);
        }
        Ok(answer) => http::send_json(&mut stream, 200, &wire::whole(&request, &answer)),
        Err(status) => {
            let message = match status {
                429 => "Rate limit reached, as scripted",
                _ => "scripted to fail",
            };
            let error = json!({ "type": "error", "error": {
                "type": "scripted", "message": message, "code": status, "status": "FAILED",
            } });
            http::send_json(&mut stream, status, &error);
        }
    }
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

/// Answers requests that do not need the script: token counts and the list of models.
fn beside(path: &str) -> Value {
    if path.contains("count_tokens") {
        return json!({ "input_tokens": 100 });
    }
    if path.contains("countTokens") {
        return json!({ "totalTokens": 100 });
    }
    if !path.contains("models") {
        return json!({});
    }
    json!({
        "object": "list",
        "data": [{
            "id": "scripted", "object": "model", "type": "model", "owned_by": "scripted",
            "created": 1, "display_name": "Scripted",
        }],
        "models": [],
    })
}
