//! A local server that answers by script and records every byte it receives.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use serde_json::{Value, json};

/// Server's reaction to one call.
#[derive(Debug, Clone)]
pub(crate) enum ServerStep {
    Reply {
        status: u16,
        headers: Vec<(&'static str, String)>,
        body: Vec<u8>,
    },
    /// Sends half of the announced body.
    Cut,
    /// Sends nothing until the caller gives up.
    Hang,
}

/// Stopped on drop. Steps are used up in order; the last one is repeated.
pub(crate) struct ScriptedServer {
    address: SocketAddr,
    state: Arc<ServerState>,
    thread: Option<JoinHandle<()>>,
}

struct ServerState {
    steps: Mutex<VecDeque<ServerStep>>,
    /// Head and body of every call, unchanged.
    calls: Mutex<Vec<String>>,
    stopped: AtomicBool,
}

impl ServerStep {
    pub(crate) fn json(status: u16, body: &Value) -> Self {
        ServerStep::Reply {
            status,
            headers: vec![("content-type", "application/json".to_owned())],
            body: body.to_string().into_bytes(),
        }
    }

    pub(crate) fn error(status: u16, message: &str) -> Self {
        Self::json(status, &json!({ "error": { "message": message } }))
    }

    pub(crate) fn text(status: u16, body: &str) -> Self {
        ServerStep::Reply {
            status,
            headers: Vec::new(),
            body: body.as_bytes().to_vec(),
        }
    }

    pub(crate) fn with(self, name: &'static str, value: &str) -> Self {
        match self {
            ServerStep::Reply {
                status,
                mut headers,
                body,
            } => {
                headers.push((name, value.to_owned()));
                ServerStep::Reply {
                    status,
                    headers,
                    body,
                }
            }
            other => other,
        }
    }

    /// Builds a reply of Anthropic's.
    pub(crate) fn anthropic(content: &Value, stop: &str, tokens: (u64, u64)) -> Self {
        Self::json(
            200,
            &json!({
                "type": "message", "role": "assistant", "content": [content], "stop_reason": stop,
                "usage": { "input_tokens": tokens.0, "output_tokens": tokens.1 },
            }),
        )
    }

    /// Builds a reply of an OpenAI-compatible server.
    pub(crate) fn openai(content: &str, tokens: (u64, u64)) -> Self {
        Self::json(
            200,
            &json!({
                "choices": [{
                    "index": 0, "finish_reason": "stop",
                    "message": { "role": "assistant", "content": content, "refusal": null },
                }],
                "usage": { "prompt_tokens": tokens.0, "completion_tokens": tokens.1 },
            }),
        )
    }
}

impl ScriptedServer {
    pub(crate) fn start(steps: impl IntoIterator<Item = ServerStep>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(ServerState {
            steps: Mutex::new(steps.into_iter().collect()),
            calls: Mutex::new(Vec::new()),
            stopped: AtomicBool::new(false),
        });
        let shared = Arc::clone(&state);
        let thread = std::thread::spawn(move || serve(&listener, &shared));
        Self {
            address,
            state,
            thread: Some(thread),
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn calls(&self) -> Vec<String> {
        self.state.calls.lock().unwrap().clone()
    }

    /// Returns the JSON body of the call with this number.
    pub(crate) fn body(&self, index: usize) -> Value {
        let calls = self.calls();
        let (_, body) = calls[index].split_once("\r\n\r\n").unwrap();
        serde_json::from_str(body).unwrap()
    }
}

impl Drop for ScriptedServer {
    fn drop(&mut self) {
        self.state.stopped.store(true, Ordering::SeqCst);
        // Wakes the thread that accepts.
        drop(TcpStream::connect(self.address));
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

fn serve(listener: &TcpListener, state: &Arc<ServerState>) {
    std::thread::scope(|scope| {
        for stream in listener.incoming() {
            if state.stopped.load(Ordering::SeqCst) {
                return;
            }
            scope.spawn(move || answer(stream.unwrap(), state));
        }
    });
}

fn answer(mut stream: TcpStream, state: &ServerState) {
    let Some(call) = read_call(&stream) else {
        return;
    };
    let step = {
        // Under the same lock as the record of the call, so that steps and calls have one order.
        let mut calls = state.calls.lock().unwrap();
        let mut steps = state.steps.lock().unwrap();
        calls.push(call);
        if steps.len() > 1 {
            steps.pop_front()
        } else {
            steps.front().cloned()
        }
    };
    // The caller may be gone already.
    let _ = match step.expect("a server has a step") {
        ServerStep::Reply {
            status,
            headers,
            body,
        } => {
            let mut head = format!("HTTP/1.1 {status} Scripted\r\n");
            for (name, value) in headers {
                head.push_str(&format!("{name}: {value}\r\n"));
            }
            head.push_str(&format!(
                "content-length: {}\r\nconnection: close\r\n\r\n",
                body.len()
            ));
            stream
                .write_all(head.as_bytes())
                .and_then(|()| stream.write_all(&body))
        }
        ServerStep::Cut => stream.write_all(
            b"HTTP/1.1 200 Scripted\r\ncontent-length: 1000\r\n\r\n{\"content\": [{\"type\":",
        ),
        // Returns when the other side hangs up.
        ServerStep::Hang => stream.read(&mut [0; 16]).map(drop),
    };
}

/// Reads head and body of a call; `None` if the connection carried no call.
fn read_call(stream: &TcpStream) -> Option<String> {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        head.push_str(&line);
        if line == "\r\n" {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(head + &String::from_utf8_lossy(&body))
}
