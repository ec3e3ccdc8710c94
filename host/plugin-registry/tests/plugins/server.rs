//! A local web server: answers each path as configured, and records the requests.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// Answer for one path.
#[derive(Debug, Clone)]
pub(crate) struct ServedFile {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// Announced length; `None` for the real one.
    pub(crate) claimed: Option<usize>,
    /// Supports range requests.
    pub(crate) continues: bool,
    /// Sends nothing until the client disconnects.
    pub(crate) silent: bool,
    /// Required token, and the challenge to answer without it.
    pub(crate) token: Option<(String, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReceivedRequest {
    pub(crate) path: String,
    pub(crate) authorization: Option<String>,
    /// Offset of the first requested byte.
    pub(crate) from: usize,
}

#[derive(Clone)]
pub(crate) struct FileServer {
    pub(crate) place: String,
    answers: Arc<Mutex<HashMap<String, ServedFile>>>,
    asked: Arc<Mutex<Vec<ReceivedRequest>>>,
}

impl ServedFile {
    pub(crate) fn ok(body: impl Into<Vec<u8>>) -> Self {
        Self {
            status: 200,
            headers: Vec::new(),
            body: body.into(),
            claimed: None,
            continues: true,
            silent: false,
            token: None,
        }
    }

    pub(crate) fn status(status: u16) -> Self {
        Self {
            status,
            ..Self::ok("")
        }
    }

    pub(crate) fn redirect(to: impl Into<String>) -> Self {
        Self::status(307).header("location", to)
    }

    pub(crate) fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    /// Announces more than it sends.
    pub(crate) fn cut(mut self, sent: usize) -> Self {
        self.claimed = Some(self.body.len());
        self.body.truncate(sent);
        self
    }

    pub(crate) fn for_token(mut self, token: &str, challenge: &str) -> Self {
        self.token = Some((format!("Bearer {token}"), challenge.to_owned()));
        self
    }
}

impl FileServer {
    pub(crate) fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Self {
            place: listener.local_addr().unwrap().to_string(),
            answers: Arc::default(),
            asked: Arc::default(),
        };
        let serving = server.clone();
        // Ends with the test process.
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                serving.serve(&stream);
            }
        });
        server
    }

    pub(crate) fn set(&self, path: &str, answer: ServedFile) {
        self.answers.lock().unwrap().insert(path.to_owned(), answer);
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.place)
    }

    pub(crate) fn asked(&self) -> Vec<ReceivedRequest> {
        self.asked.lock().unwrap().clone()
    }

    fn serve(&self, mut stream: &TcpStream) {
        let mut reader = BufReader::new(stream);
        let mut lines = reader.by_ref().lines();
        let Some(Ok(first)) = lines.next() else {
            return;
        };
        let mut words = first.split(' ');
        let method = words.next().unwrap_or_default();
        let path = words.next().unwrap_or_default();
        // An answer to anything but GET is set under `METHOD path`.
        let path = match method {
            "GET" => path.to_owned(),
            method => format!("{method} {path}"),
        };
        let mut authorization = None;
        let mut from = 0;
        let mut body = 0;
        for line in lines
            .map_while(Result::ok)
            .take_while(|line| !line.is_empty())
        {
            match line.split_once(": ") {
                Some((name, value)) if name.eq_ignore_ascii_case("authorization") => {
                    authorization = Some(value.to_owned());
                }
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    body = value.parse().unwrap();
                }
                Some((name, value)) if name.eq_ignore_ascii_case("range") => {
                    let start = value.trim_start_matches("bytes=").trim_end_matches('-');
                    from = start.parse().unwrap();
                }
                _ => {}
            }
        }
        // A connection that is closed with something unread in it is reset.
        let _ = reader.read_exact(&mut vec![0; body]);
        self.asked.lock().unwrap().push(ReceivedRequest {
            path: path.clone(),
            authorization: authorization.clone(),
            from,
        });
        let answer = self.answers.lock().unwrap().get(&path).cloned();
        let mut answer = answer.unwrap_or_else(|| ServedFile::status(404));
        if let Some((token, challenge)) = &answer.token
            && authorization.as_ref() != Some(token)
        {
            answer = ServedFile::status(401).header("www-authenticate", challenge);
        }
        if answer.silent {
            let _ = std::io::Read::read(&mut stream, &mut [0]);
            return;
        }
        if from > 0 && answer.status == 200 && answer.continues {
            answer.status = 206;
            answer.body.drain(..from);
        }
        let length = answer.claimed.unwrap_or(answer.body.len());
        let mut head = format!(
            "HTTP/1.1 {} Said\r\ncontent-length: {length}\r\nconnection: close\r\n",
            answer.status
        );
        for (name, value) in &answer.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        // The client may have disconnected; it reports that itself.
        let _ = stream.write_all(format!("{head}\r\n").as_bytes());
        let _ = stream.write_all(&answer.body);
    }
}
