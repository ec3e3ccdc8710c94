//! A small object store on this machine that fails as it is told, and checks what a client must send.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What happens to one request instead of a good answer.
#[derive(Debug, Clone)]
pub(crate) enum Fault {
    /// Nothing: the request is answered.
    None,
    Status(u16, &'static str),
    Slow(Duration),
    /// The answer ends in the middle of its content.
    CutAnswer,
    /// The connection ends in the middle of the request.
    CutRequest,
    /// The request is done, and its answer is lost.
    LostAnswer,
    /// The content is not the one that was stored.
    WrongContent,
    /// Conditional requests are not supported.
    NoConditions,
}

#[derive(Default)]
struct State {
    objects: Mutex<BTreeMap<String, Vec<u8>>>,
    faults: Mutex<VecDeque<Fault>>,
    requests: Mutex<Vec<String>>,
}

pub(crate) struct Server {
    pub(crate) url: String,
    state: Arc<State>,
}

impl Server {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(State::default());
        let shared = Arc::clone(&state);
        // Ends with the test's process.
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = Arc::clone(&shared);
                std::thread::spawn(move || {
                    let _ended = answer(&state, stream);
                });
            }
        });
        Self { url, state }
    }

    /// Sets what happens to the next requests.
    pub(crate) fn fail(&self, faults: &[Fault]) {
        *self.state.faults.lock().unwrap() = faults.iter().cloned().collect();
    }

    /// Returns the requests since the last call, as `PUT /path`.
    pub(crate) fn requests(&self) -> Vec<String> {
        std::mem::take(&mut self.state.requests.lock().unwrap())
    }

    pub(crate) fn objects(&self) -> BTreeMap<String, Vec<u8>> {
        self.state.objects.lock().unwrap().clone()
    }
}

fn answer(state: &State, stream: TcpStream) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut parts = line.split_whitespace();
    let method = parts.next().unwrap_or_default().to_owned();
    let path = parts.next().unwrap_or_default().to_owned();
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim().split_once(':') else {
            break;
        };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    let fault = state.faults.lock().unwrap().pop_front();
    let fault = fault.unwrap_or(Fault::None);
    (state.requests.lock().unwrap()).push(format!("{method} {path}"));
    let bytes = headers
        .get("content-length")
        .map_or(0, |text| text.parse().unwrap());
    if let Fault::CutRequest = fault {
        let mut part = vec![0; bytes / 2];
        return reader.read_exact(&mut part);
    }
    let mut body = vec![0; bytes];
    reader.read_exact(&mut body)?;

    let is_signed = headers.get("authorization").is_some_and(|value| {
        value.starts_with("AWS4-HMAC-SHA256 Credential=key/") && value.contains("Signature=")
    });
    let (status, code, content) = match &fault {
        Fault::Status(status, code) => (*status, *code, Vec::new()),
        Fault::NoConditions if headers.contains_key("if-none-match") => {
            (501, "NotImplemented", Vec::new())
        }
        _ if !is_signed => (403, "AccessDenied", Vec::new()),
        _ => act(
            state,
            &method,
            &path,
            body,
            headers.contains_key("if-none-match"),
        ),
    };
    let content = match &fault {
        Fault::WrongContent => vec![b'x'; content.len()],
        _ => content,
    };
    let content = match (method.as_str(), status) {
        ("GET", 200) => content,
        ("HEAD", _) | (_, 200 | 204) => Vec::new(),
        _ if code.is_empty() => Vec::new(),
        _ => format!("<Error><Code>{code}</Code><Message>no</Message></Error>").into_bytes(),
    };
    match fault {
        Fault::Slow(time) => std::thread::sleep(time),
        Fault::LostAnswer => return Ok(()),
        _ => {}
    }
    let sent = match fault {
        Fault::CutAnswer => &content[..content.len() / 2],
        _ => &content,
    };
    let mut stream = stream;
    let length = content.len();
    write!(
        stream,
        "HTTP/1.1 {status} x\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    )?;
    stream.write_all(sent)
}

fn act(
    state: &State,
    method: &str,
    path: &str,
    body: Vec<u8>,
    only_if_new: bool,
) -> (u16, &'static str, Vec<u8>) {
    let mut objects = state.objects.lock().unwrap();
    let known = objects.get(path).cloned();
    match (method, known) {
        ("PUT", Some(_)) if only_if_new => (412, "PreconditionFailed", Vec::new()),
        ("PUT", _) => {
            objects.insert(path.to_owned(), body);
            (200, "", Vec::new())
        }
        ("GET" | "HEAD", Some(content)) => (200, "", content),
        ("GET", None) => (404, "NoSuchKey", Vec::new()),
        ("DELETE", _) => {
            objects.remove(path);
            (204, "", Vec::new())
        }
        _ => (404, "", Vec::new()),
    }
}
