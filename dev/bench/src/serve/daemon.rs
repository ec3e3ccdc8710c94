//! A daemon under measurement, and one client with a persistent connection.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::Outcome;
use crate::serve::home::Home;

pub(crate) struct Daemon {
    process: Child,
    pub(crate) address: String,
    pub(crate) token: String,
}

pub(crate) struct Client {
    stream: BufReader<TcpStream>,
    head: String,
}

impl Daemon {
    pub(crate) fn start(home: &Home) -> Outcome<Self> {
        let mut process = home
            .command(&["serve", "--port", "0"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut said = BufReader::new(process.stderr.take().ok_or("no stderr")?);
        let address = loop {
            let mut line = String::new();
            if said.read_line(&mut line)? == 0 {
                return Err("the daemon ended".into());
            }
            if let Some((_, rest)) = line.split_once("listening on http://") {
                break rest.split(';').next().unwrap_or_default().to_owned();
            }
        };
        std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
        let token = fs::read_to_string(home.path("home/token"))?;
        Ok(Self {
            process,
            address,
            token: token.trim().to_owned(),
        })
    }

    pub(crate) fn client(&self) -> Outcome<Client> {
        Client::connect(&self.address, &self.token)
    }

    /// Returns the resident memory in MB; `None` if the system does not report it.
    pub(crate) fn resident_mb(&self) -> Option<f64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kilobytes / 1024.0)
    }

    /// Stops it and waits.
    pub(crate) fn end(mut self) -> Outcome<bool> {
        let id = self.process.id().to_string();
        Command::new("kill").args(["-TERM", &id]).status()?;
        Ok(self.process.wait()?.success())
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

impl Client {
    pub(crate) fn connect(address: &str, token: &str) -> Outcome<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream: BufReader::new(stream),
            head: format!(
                "Host: {address}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n"
            ),
        })
    }

    pub(crate) fn ask(&mut self, method: &str, path: &str, body: &str) -> Outcome<Value> {
        let (status, text) = self.raw(method, path, body)?;
        if status >= 400 {
            return Err(format!("{method} {path}: {status} {text}").into());
        }
        Ok(serde_json::from_str(&text)?)
    }

    /// Returns the status and the body.
    pub(crate) fn raw(&mut self, method: &str, path: &str, body: &str) -> Outcome<(u16, String)> {
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\n{}Content-Length: {length}\r\n\r\n{body}",
            self.head
        );
        self.stream.get_mut().write_all(request.as_bytes())?;
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        let status: u16 = line.split(' ').nth(1).ok_or("no status")?.parse()?;
        let (mut length, mut chunked) = (0usize, false);
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line)?;
            let line = line.trim_end().to_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse()?;
            }
            chunked |= line == "transfer-encoding: chunked";
        }
        let mut bytes = Vec::new();
        if chunked {
            loop {
                let mut size = String::new();
                self.stream.read_line(&mut size)?;
                let size = usize::from_str_radix(size.trim(), 16)?;
                let start = bytes.len();
                bytes.resize(start + size, 0);
                self.stream.read_exact(&mut bytes[start..])?;
                self.stream.read_line(&mut String::new())?;
                if size == 0 {
                    break;
                }
            }
        } else {
            bytes.resize(length, 0);
            self.stream.read_exact(&mut bytes)?;
        }
        Ok((status, String::from_utf8(bytes)?))
    }
}
