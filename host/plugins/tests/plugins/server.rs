//! A web server on this machine: answers each path as it was told, and writes down what was asked.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// What is answered to one path.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// The length it claims; none for the true one.
    pub(crate) claimed: Option<usize>,
    /// Sends only what is asked for of it.
    pub(crate) continues: bool,
    /// Says nothing until whoever asked goes away.
    pub(crate) silent: bool,
    /// Asked without this token it is another answer: who hands tokens out.
    pub(crate) token: Option<(String, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) path: String,
    pub(crate) authorization: Option<String>,
    /// The first byte that was asked for.
    pub(crate) from: usize,
}

#[derive(Clone)]
pub(crate) struct Server {
    pub(crate) place: String,
    answers: Arc<Mutex<HashMap<String, Answer>>>,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Answer {
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

    /// Claims more than it sends.
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

impl Server {
    pub(crate) fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Self {
            place: listener.local_addr().unwrap().to_string(),
            answers: Arc::default(),
            asked: Arc::default(),
        };
        let serving = server.clone();
        // Ends with the test's process.
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                serving.serve(&stream);
            }
        });
        server
    }

    pub(crate) fn set(&self, path: &str, answer: Answer) {
        self.answers.lock().unwrap().insert(path.to_owned(), answer);
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.place)
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    fn serve(&self, mut stream: &TcpStream) {
        let mut lines = BufReader::new(stream).lines();
        let Some(Ok(first)) = lines.next() else {
            return;
        };
        let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
        let mut authorization = None;
        let mut from = 0;
        for line in lines
            .map_while(Result::ok)
            .take_while(|line| !line.is_empty())
        {
            match line.split_once(": ") {
                Some((name, value)) if name.eq_ignore_ascii_case("authorization") => {
                    authorization = Some(value.to_owned());
                }
                Some((name, value)) if name.eq_ignore_ascii_case("range") => {
                    let start = value.trim_start_matches("bytes=").trim_end_matches('-');
                    from = start.parse().unwrap();
                }
                _ => {}
            }
        }
        self.asked.lock().unwrap().push(Asked {
            path: path.clone(),
            authorization: authorization.clone(),
            from,
        });
        let answer = self.answers.lock().unwrap().get(&path).cloned();
        let mut answer = answer.unwrap_or_else(|| Answer::status(404));
        if let Some((token, challenge)) = &answer.token
            && authorization.as_ref() != Some(token)
        {
            answer = Answer::status(401).header("www-authenticate", challenge);
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
        // Whoever asked may have gone away; that is theirs to tell.
        let _ = stream.write_all(format!("{head}\r\n").as_bytes());
        let _ = stream.write_all(&answer.body);
    }
}
