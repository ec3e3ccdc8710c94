//! The subset of HTTP/1.1 that a scripted model needs: one request per connection.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use serde_json::Value;

/// Requests with more bytes than this are not answered.
const MAX_BYTES: usize = 256 << 20;

/// Reads path and body of a request, whole or in chunks; `None` if it is not valid.
pub(crate) fn read(reader: &mut BufReader<TcpStream>) -> Option<(String, Vec<u8>)> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let path = line.split(' ').nth(1)?.to_owned();
    let (mut length, mut is_chunked) = (0, false);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 || line.trim().is_empty() {
            break;
        }
        let line = line.to_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        if line.starts_with("expect:") {
            let mut stream = reader.get_ref();
            stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").ok()?;
        }
        is_chunked |= line.starts_with("transfer-encoding:") && line.contains("chunked");
    }
    if length > MAX_BYTES {
        return None;
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    while is_chunked {
        let mut size = String::new();
        reader.read_line(&mut size).ok()?;
        let size = usize::from_str_radix(size.trim(), 16).ok()?;
        if body.len().saturating_add(size) > MAX_BYTES {
            return None;
        }
        let mut chunk = vec![0; size + 2];
        reader.read_exact(&mut chunk).ok()?;
        body.extend(&chunk[..size]);
        is_chunked = size > 0;
    }
    Some((path, body))
}

pub(crate) fn send_json(stream: &mut TcpStream, status: u16, payload: &Value) {
    send(stream, status, "application/json", &payload.to_string());
}

/// Sends an answer and closes. A client that disconnected is not an error.
pub(crate) fn send(stream: &mut TcpStream, status: u16, kind: &str, payload: &str) {
    let head = format!(
        "HTTP/1.1 {status} scripted\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        payload.len()
    );
    let _ = stream.write_all(format!("{head}{payload}").as_bytes());
}
