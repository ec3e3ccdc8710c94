//! An OTLP receiver on this machine: it records what it receives and answers as configured.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Answers {
    With(u16),
    /// Does not answer as long as the other side waits.
    Not,
}

/// One delivery: its head in lower case, and its body.
#[derive(Debug, Clone)]
pub(crate) struct Delivery {
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

/// Stopped on drop.
pub(crate) struct Receiver {
    address: SocketAddr,
    state: Arc<State>,
    thread: Option<JoinHandle<()>>,
}

struct State {
    answers: Answers,
    deliveries: Mutex<Vec<Delivery>>,
    delivered: Condvar,
    is_stopped: AtomicBool,
}

impl Receiver {
    pub(crate) fn start(answers: Answers) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(State {
            answers,
            deliveries: Mutex::default(),
            delivered: Condvar::new(),
            is_stopped: AtomicBool::new(false),
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

    pub(crate) fn deliveries(&self) -> Vec<Delivery> {
        self.state.deliveries.lock().unwrap().clone()
    }

    /// Waits for `expected` spans and returns them, each with its resource.
    pub(crate) fn spans(&self, expected: usize) -> Vec<(Resource, Span)> {
        let deliveries = self.state.deliveries.lock().unwrap();
        let is_missing = |deliveries: &mut Vec<Delivery>| spans(deliveries).len() < expected;
        let waited = self
            .state
            .delivered
            .wait_timeout_while(deliveries, PATIENCE, is_missing);
        let spans = spans(&waited.unwrap().0);
        assert_eq!(spans.len(), expected);
        spans
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.state.is_stopped.store(true, Ordering::SeqCst);
        // Wakes the accepting thread.
        drop(TcpStream::connect(self.address));
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

/// Time after which nothing more is expected.
const PATIENCE: Duration = Duration::from_secs(120);

fn spans(deliveries: &[Delivery]) -> Vec<(Resource, Span)> {
    let mut spans = Vec::new();
    for delivery in deliveries {
        let request = ExportTraceServiceRequest::decode(&delivery.body[..]).unwrap();
        for of_resource in request.resource_spans {
            for of_scope in of_resource.scope_spans {
                for span in of_scope.spans {
                    spans.push((of_resource.resource.clone().unwrap(), span));
                }
            }
        }
    }
    spans
}

/// Returns an attribute as text, or `None` if it is missing.
pub(crate) fn attribute(attributes: &[KeyValue], name: &str) -> Option<String> {
    let found = attributes.iter().find(|one| one.key == name)?;
    Some(match found.value.as_ref()?.value.as_ref()? {
        Value::StringValue(text) => text.clone(),
        Value::IntValue(number) => number.to_string(),
        Value::DoubleValue(number) => number.to_string(),
        Value::BoolValue(is) => is.to_string(),
        other => panic!("{name} is {other:?}"),
    })
}

fn serve(listener: &TcpListener, state: &Arc<State>) {
    std::thread::scope(|scope| {
        for stream in listener.incoming() {
            if state.is_stopped.load(Ordering::SeqCst) {
                return;
            }
            scope.spawn(move || answer(stream.unwrap(), state));
        }
    });
}

fn answer(mut stream: TcpStream, state: &State) {
    let Some(delivery) = read(&stream) else {
        return;
    };
    state.deliveries.lock().unwrap().push(delivery);
    state.delivered.notify_all();
    // The client may have disconnected already.
    let _ = match state.answers {
        Answers::With(status) => write!(
            stream,
            "HTTP/1.1 {status} Told\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        ),
        // Returns when the other side disconnects.
        Answers::Not => stream.read(&mut [0; 16]).map(drop),
    };
}

fn read(stream: &TcpStream) -> Option<Delivery> {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        head.push_str(&line);
        if line == "\r\n" {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Delivery { head, body })
}
