//! A daemon started by a test, and requests to it over plain HTTP.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::Value;

use super::Project;

pub(crate) struct Daemon {
    process: Child,
    pub(crate) address: String,
    pub(crate) token: String,
}

/// An HTTP response.
#[derive(Debug)]
pub(crate) struct HttpAnswer {
    pub(crate) status: u16,
    pub(crate) headers: String,
    pub(crate) body: String,
}

impl HttpAnswer {
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    #[track_caller]
    pub(crate) fn ok(self) -> Value {
        assert!((200..300).contains(&self.status), "{self:?}");
        self.json()
    }
}

impl Daemon {
    /// Starts `acreta serve` on a free port and waits until it listens.
    pub(crate) fn start(project: &Project) -> Self {
        let mut process = project
            .command(&["serve", "--port", "0"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(process.stderr.take().unwrap());
        let mut heard = String::new();
        let address = loop {
            let mut line = String::new();
            assert!(said.read_line(&mut line).unwrap() > 0, "it ended: {heard}");
            heard.push_str(&line);
            if let Some((_, rest)) = line.split_once("listening on http://") {
                let end = rest.find(';').unwrap();
                break rest[..end].to_owned();
            }
        };
        // Must be read, or the process would block on a full pipe.
        std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
        let token = std::fs::read_to_string(project.home().join("token")).unwrap();
        Self {
            process,
            address,
            token: token.trim().to_owned(),
        }
    }

    /// Sends a raw request, byte for byte.
    pub(crate) fn raw(&self, request: &str) -> HttpAnswer {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (headers, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = headers.split(' ').nth(1).and_then(|code| code.parse().ok());
        let body = match headers
            .to_lowercase()
            .contains("transfer-encoding: chunked")
        {
            true => dechunked(body),
            false => body.to_owned(),
        };
        HttpAnswer {
            status: status.unwrap_or(0),
            headers: headers.to_owned(),
            body,
        }
    }

    fn request(&self, method: &str, path: &str, body: &str) -> HttpAnswer {
        self.raw(&format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.address, self.token, body.len()
        ))
    }

    pub(crate) fn get(&self, path: &str) -> HttpAnswer {
        self.request("GET", path, "")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> HttpAnswer {
        self.request("POST", path, &body.to_string())
    }

    pub(crate) fn put(&self, path: &str, body: &Value) -> HttpAnswer {
        self.request("PUT", path, &body.to_string())
    }

    /// Waits until a job has ended.
    #[track_caller]
    pub(crate) fn finished(&self, job: &Value) -> Value {
        let id = job["job_id"].as_str().unwrap();
        loop {
            let view = self.get(&format!("/api/jobs/{id}")).ok();
            let state = view["state"].as_str().unwrap();
            if !["accepted", "queued", "running"].contains(&state) {
                return view;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Stops it and returns its exit status.
    pub(crate) fn end(mut self) -> std::process::ExitStatus {
        self.terminate();
        self.process.wait().unwrap()
    }

    /// Returns its exit status after another process stopped it.
    #[cfg(target_os = "linux")]
    pub(crate) fn end_of_itself(mut self) -> std::process::ExitStatus {
        self.process.wait().unwrap()
    }

    pub(crate) fn terminate(&self) {
        let id = self.process.id().to_string();
        let told = std::process::Command::new("kill")
            .args(["-TERM", &id])
            .status();
        assert!(told.unwrap().success());
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        if matches!(self.process.try_wait(), Ok(None)) {
            let _ = self.process.kill();
            let _ = self.process.wait();
        }
    }
}

fn dechunked(body: &str) -> String {
    let mut text = String::new();
    let mut rest = body;
    while let Some((size, after)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if size == 0 || size > after.len() {
            break;
        }
        text.push_str(&after[..size]);
        rest = after[size..].trim_start_matches("\r\n");
    }
    text
}
