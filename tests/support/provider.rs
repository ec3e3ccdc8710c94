//! A language model scripted by a test, over the protocol that most providers use.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// Returns the reply to a request; the error is an HTTP status.
type Script = dyn Fn(&ProviderRequest) -> Result<String, u16> + Send + Sync;

/// The parts of a request that scripts use.
pub(crate) struct ProviderRequest {
    /// All messages, concatenated.
    pub(crate) text: String,
    /// Fields that the reply must have.
    pub(crate) fields: Vec<String>,
}

/// Answers until the test ends.
pub(crate) struct Provider {
    address: std::net::SocketAddr,
    calls: Arc<AtomicU64>,
    heard: Arc<Mutex<String>>,
}

impl Provider {
    pub(crate) fn new(
        script: impl Fn(&ProviderRequest) -> Result<String, u16> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let provider = Self {
            address: listener.local_addr().unwrap(),
            calls: Arc::default(),
            heard: Arc::default(),
        };
        let (calls, heard) = (Arc::clone(&provider.calls), Arc::clone(&provider.heard));
        let script: Arc<Script> = Arc::new(script);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                calls.fetch_add(1, Ordering::SeqCst);
                let (script, heard) = (Arc::clone(&script), Arc::clone(&heard));
                std::thread::spawn(move || answer(stream, script.as_ref(), &heard));
            }
        });
        provider
    }

    /// Returns the number of requests.
    pub(crate) fn calls(&self) -> u64 {
        self.calls.load(Ordering::SeqCst)
    }

    /// Returns everything it was sent.
    pub(crate) fn heard(&self) -> String {
        self.heard.lock().unwrap().clone()
    }

    /// Returns the settings that make it the model for these purposes.
    pub(crate) fn settings(&self, purposes: &[&str]) -> String {
        let roles: String = purposes
            .iter()
            .map(|purpose| {
                format!("[llm.roles.{purpose}]\nprovider = \"local\"\nmodel = \"scripted\"\n")
            })
            .collect();
        format!(
            "[llm.providers.local]\nkind = \"openai\"\nbase_url = \"http://{}/v1\"\n{roles}",
            self.address
        )
    }
}

fn answer(mut stream: TcpStream, script: &Script, heard: &Mutex<String>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    if reader.read_exact(&mut body).is_err() {
        return;
    }
    heard
        .lock()
        .unwrap()
        .push_str(&String::from_utf8_lossy(&body));
    let request: Value = serde_json::from_slice(&body).unwrap();
    let (status, payload) = match script(&asked(&request)) {
        Ok(content) => (
            200,
            json!({
                "choices": [{ "message": { "role": "assistant", "content": content }, "finish_reason": "stop" }],
                "usage": { "prompt_tokens": length / 4, "completion_tokens": content.len() / 4 },
            }),
        ),
        Err(status) => (
            status,
            json!({ "error": { "message": "scripted to fail" } }),
        ),
    };
    let payload = payload.to_string();
    let head = format!(
        "HTTP/1.1 {status} scripted\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        payload.len()
    );
    let _ = stream.write_all(format!("{head}{payload}").as_bytes());
}

fn asked(request: &Value) -> ProviderRequest {
    let messages = request["messages"].as_array().into_iter().flatten();
    let text: Vec<&str> = messages
        .filter_map(|message| message["content"].as_str())
        .collect();
    let schema = &request["response_format"]["json_schema"]["schema"];
    let fields = schema["properties"].as_object();
    ProviderRequest {
        text: text.join("\n"),
        fields: fields
            .into_iter()
            .flat_map(|fields| fields.keys().cloned())
            .collect(),
    }
}
