//! A server on a free port, a clock that tests control, and a client that sends any bytes.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use acreta_server::{
    Asset, Control, Ended, Limits, Options, Schedule, ServeError, Surroundings, serve,
};
use serde_json::Value;

use crate::world::World;

pub(crate) const TOKEN: &str = "0123456789abcdef0123456789abcdef";
/// A day in January 2026.
pub(crate) const NOW_MS: u64 = 1_769_860_800_000;

pub(crate) struct Running {
    pub(crate) world: Arc<World>,
    pub(crate) address: SocketAddr,
    pub(crate) clock: Arc<AtomicU64>,
    pub(crate) control: Control,
    thread: Option<JoinHandle<Result<Ended, ServeError>>>,
}

/// Limits that make tests fast.
pub(crate) fn quick() -> Limits {
    Limits {
        event_pause: Duration::from_millis(5),
        last_time: Duration::from_secs(20),
        ..Limits::default()
    }
}

impl Running {
    pub(crate) fn start() -> Self {
        Self::start_with(quick(), Schedule::off())
    }

    pub(crate) fn start_with(limits: Limits, schedule: Schedule) -> Self {
        let world = World::new(96, 200, NOW_MS, Duration::ZERO);
        let clock = Arc::new(AtomicU64::new(NOW_MS));
        let control = Control::default();
        let (tell, told) = mpsc::channel();
        let options = options(0, limits, schedule, Arc::clone(&clock), move |address| {
            tell.send(address).unwrap();
        });
        let (service, ending) = (Arc::clone(&world), control.clone());
        let thread = std::thread::spawn(move || serve(options, service, asset, &ending));
        let address = told.recv().unwrap();
        Self {
            world,
            address,
            clock,
            control,
            thread: Some(thread),
        }
    }

    pub(crate) fn end(mut self) -> Ended {
        self.control.shut_down();
        self.thread.take().unwrap().join().unwrap().unwrap()
    }

    pub(crate) fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).unwrap()
    }

    /// Sends bytes and reads until the server closes.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.connect();
        // The server may have answered and closed before everything is written.
        let _ = stream.write_all(bytes);
        Answer::read(stream)
    }

    pub(crate) fn send(&self, request: &Request) -> Answer {
        self.raw(&request.bytes(self))
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send(&Request::new("GET", path).token())
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(&Request::new("POST", path).token().json(body))
    }

    /// Logs a browser in and returns the value of its `Authorization` header.
    pub(crate) fn browser(&self) -> String {
        let url = self.post("/api/login/code", &serde_json::json!({}));
        let url = url.json()["url"].as_str().unwrap().to_owned();
        let code = url.rsplit_once("#code=").unwrap().1.to_owned();
        let login = Request::new("POST", "/api/login").json(&serde_json::json!({ "code": code }));
        let answer = self.send(&login);
        assert_eq!(answer.status, 200, "{}", answer.text());
        format!("Bearer {}", answer.json()["token"].as_str().unwrap())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.control.shut_down();
        self.world.open_gate();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

pub(crate) fn options(
    port: u16,
    limits: Limits,
    schedule: Schedule,
    clock: Arc<AtomicU64>,
    ready: impl FnOnce(SocketAddr) + Send + 'static,
) -> Options {
    let next = AtomicU8::new(1);
    Options {
        host: "127.0.0.1".to_owned(),
        port,
        version: "0.0.0-test".to_owned(),
        token: TOKEN.to_owned(),
        schedule,
        limits,
        surroundings: Surroundings {
            now_ms: Arc::new(move || clock.load(Ordering::Relaxed)),
            random: Arc::new(move |bytes| {
                bytes.fill(next.fetch_add(1, Ordering::Relaxed));
                Ok(())
            }),
        },
        ready: Box::new(ready),
    }
}

/// Two files. Paths that no server should ask for exist too.
pub(crate) fn asset(path: &str) -> Option<Asset> {
    let hostile = ["..", "%", "\\", "//", "etc"];
    let (text, content_type) = match path {
        "index.html" => (
            "<!doctype html><title>test</title>",
            "text/html; charset=utf-8",
        ),
        "pages/app.js" => ("export {};", "text/javascript"),
        _ if path.starts_with(['/', '.']) || hostile.iter().any(|part| path.contains(part)) => {
            ("secret", "text/plain")
        }
        _ => return None,
    };
    Some(Asset {
        bytes: text.as_bytes().into(),
        content_type: content_type.into(),
        etag: Some("\"1\"".into()),
    })
}

/// A request builder. `PORT` in a header stands for the server's; [`World::named`] replaces the rest.
#[derive(Clone)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    pub(crate) fn new(method: &str, path: &str) -> Self {
        Self {
            method: method.to_owned(),
            path: path.to_owned(),
            headers: vec![("Host".to_owned(), "127.0.0.1:PORT".to_owned())],
            body: Vec::new(),
        }
    }

    /// Replaces headers of this name.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers
            .retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers
            .retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self
    }

    pub(crate) fn token(self) -> Self {
        self.with("Authorization", &format!("Bearer {TOKEN}"))
    }

    pub(crate) fn json(mut self, body: &Value) -> Self {
        self.body = body.to_string().into_bytes();
        self.with("Content-Type", "application/json")
    }

    pub(crate) fn text(mut self, body: &str) -> Self {
        self.body = body.as_bytes().to_vec();
        self.with("Content-Type", "application/json")
    }

    pub(crate) fn bytes(&self, running: &Running) -> Vec<u8> {
        let port = running.address.port().to_string();
        let path = running.world.named(&self.path);
        let body = match std::str::from_utf8(&self.body) {
            Ok(text) => running.world.named(text).into_bytes(),
            Err(_) => self.body.clone(),
        };
        let mut head = format!("{} {path} HTTP/1.1\r\n", self.method);
        for (name, value) in &self.headers {
            let value = running.world.named(&value.replace("PORT", &port));
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        let own = self
            .headers
            .iter()
            .any(|(name, _)| name == "Content-Length");
        if !body.is_empty() && !own {
            head.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        head.push_str("Connection: close\r\n\r\n");
        [head.as_bytes(), &body].concat()
    }
}

#[derive(Debug)]
pub(crate) struct Answer {
    /// 0 if the server closed without an answer.
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn read(stream: TcpStream) -> Self {
        let mut reader = BufReader::new(stream);
        let (status, headers) = read_head(&mut reader);
        let mut body = Vec::new();
        // A reset after the answer does not lose it.
        let _ = reader.read_to_end(&mut body);
        Self {
            status,
            headers,
            body,
        }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    pub(crate) fn header_names(&self) -> impl Iterator<Item = &str> {
        self.headers.iter().map(|(name, _)| name.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Returns the problem's code and message.
    pub(crate) fn problem(&self) -> (String, String) {
        let body = self.json();
        let id = body["request_id"].as_str().unwrap();
        assert_eq!(self.header("x-request-id"), Some(id));
        let text = |name: &str| body["error"][name].as_str().unwrap().to_owned();
        (text("code"), text("message"))
    }
}

pub(crate) fn read_head(reader: &mut impl BufRead) -> (u16, Vec<(String, String)>) {
    let mut line = String::new();
    let _ = reader.read_line(&mut line);
    let status = line
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        let read = reader.read_line(&mut line).unwrap_or(0);
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        if read == 0 {
            break;
        }
    }
    (status.unwrap_or(0), headers)
}

/// Returns the root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns whether the program is installed and works.
pub(crate) fn has(program: &str, arguments: &[&str]) -> bool {
    let output = Command::new(program).args(arguments).output();
    output.is_ok_and(|output| output.status.success())
}
