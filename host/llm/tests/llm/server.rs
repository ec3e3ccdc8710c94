//! A server on this machine that answers by script and remembers every byte it was sent.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use serde_json::{Value, json};

/// What a server does with one call.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Reply {
        status: u16,
        headers: Vec<(&'static str, String)>,
        body: Vec<u8>,
    },
    /// Half of the body that was announced.
    Cut,
    /// Nothing, until the caller gives up.
    Hang,
}

/// Stopped on drop. Steps are used up in order; the last one is repeated.
pub(crate) struct Server {
    address: SocketAddr,
    state: Arc<State>,
    thread: Option<JoinHandle<()>>,
}

struct State {
    steps: Mutex<VecDeque<Step>>,
    /// Head and body of every call, as they came.
    calls: Mutex<Vec<String>>,
    stopped: AtomicBool,
}

impl Step {
    pub(crate) fn json(status: u16, body: &Value) -> Self {
        Step::Reply {
            status,
            headers: vec![("content-type", "application/json".to_owned())],
            body: body.to_string().into_bytes(),
        }
    }

    pub(crate) fn error(status: u16, message: &str) -> Self {
        Self::json(status, &json!({ "error": { "message": message } }))
    }

    pub(crate) fn text(status: u16, body: &str) -> Self {
        Step::Reply {
            status,
            headers: Vec::new(),
            body: body.as_bytes().to_vec(),
        }
    }

    pub(crate) fn with(self, name: &'static str, value: &str) -> Self {
        match self {
            Step::Reply {
                status,
                mut headers,
                body,
            } => {
                headers.push((name, value.to_owned()));
                Step::Reply {
                    status,
                    headers,
                    body,
                }
            }
            other => other,
        }
    }

    /// A reply of Anthropic's.
    pub(crate) fn anthropic(content: &Value, stop: &str, tokens: (u64, u64)) -> Self {
        Self::json(
            200,
            &json!({
                "type": "message", "role": "assistant", "content": [content], "stop_reason": stop,
                "usage": { "input_tokens": tokens.0, "output_tokens": tokens.1 },
            }),
        )
    }

    /// A reply of a server that speaks like OpenAI's.
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

impl Server {
    pub(crate) fn start(steps: impl IntoIterator<Item = Step>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(State {
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

    /// The JSON of the call with this number.
    pub(crate) fn body(&self, index: usize) -> Value {
        let calls = self.calls();
        let (_, body) = calls[index].split_once("\r\n\r\n").unwrap();
        serde_json::from_str(body).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.state.stopped.store(true, Ordering::SeqCst);
        // Wakes the one that accepts.
        drop(TcpStream::connect(self.address));
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

fn serve(listener: &TcpListener, state: &Arc<State>) {
    std::thread::scope(|scope| {
        for stream in listener.incoming() {
            if state.stopped.load(Ordering::SeqCst) {
                return;
            }
            scope.spawn(move || answer(stream.unwrap(), state));
        }
    });
}

fn answer(mut stream: TcpStream, state: &State) {
    let Some(call) = read_call(&stream) else {
        return;
    };
    let step = {
        // Under one lock with the note of the call, so that steps and calls have one order.
        let mut calls = state.calls.lock().unwrap();
        let mut steps = state.steps.lock().unwrap();
        calls.push(call);
        if steps.len() > 1 {
            steps.pop_front()
        } else {
            steps.front().cloned()
        }
    };
    // Whoever asked may have gone already.
    let _ = match step.expect("a server has a step") {
        Step::Reply {
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
        Step::Cut => stream.write_all(
            b"HTTP/1.1 200 Scripted\r\ncontent-length: 1000\r\n\r\n{\"content\": [{\"type\":",
        ),
        // Returns when the other side hangs up.
        Step::Hang => stream.read(&mut [0; 16]).map(drop),
    };
}

/// Head and body of a call; `None` when the connection was for nothing.
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
