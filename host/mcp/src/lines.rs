//! Messages over a pair of streams, one per line. A line that is not a message gets an error answer and affects no
//! other line; a line that is too long is abandoned before it fills memory.

use std::io;
use std::time::Duration;

use rmcp::model::{ErrorData, RequestId};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::quote::shown;
use crate::server::wrong_parameters;

/// Maximum bytes of one message.
pub(crate) const LINE_BYTES: usize = 16 * 1024 * 1024;

/// Reads messages; one task writes, so that lines never mix and an answer is never half written.
pub(crate) struct LineTransport<R> {
    read: BufReader<R>,
    /// Kept here so that a `receive` dropped half way loses nothing.
    line: Vec<u8>,
    overlong: bool,
    /// A request was received: before that, there is nobody to notify.
    started: bool,
    outgoing: Option<mpsc::Sender<Outgoing>>,
    writer: Option<JoinHandle<()>>,
}

struct Outgoing {
    line: Vec<u8>,
    written: Option<oneshot::Sender<io::Result<()>>>,
}

enum LineRead {
    Whole,
    TooLong,
    End,
}

impl<R: AsyncRead + Send + Unpin> LineTransport<R> {
    pub(crate) fn new(read: R, write: impl AsyncWrite + Send + Unpin + 'static) -> Self {
        let (outgoing, queue) = mpsc::channel(QUEUE);
        Self {
            read: BufReader::with_capacity(READ_BYTES, read),
            line: Vec::new(),
            overlong: false,
            started: false,
            outgoing: Some(outgoing),
            writer: Some(tokio::spawn(write_lines(write, queue))),
        }
    }

    /// Cancel-safe: no await point lies between taking bytes and storing them.
    async fn next_line(&mut self) -> io::Result<LineRead> {
        loop {
            let available = self.read.fill_buf().await?;
            if available.is_empty() {
                return Ok(LineRead::End);
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(available.len(), |end| end + 1);
            if !self.overlong && self.line.len() + taken <= LINE_BYTES {
                self.line.extend_from_slice(&available[..taken]);
            } else {
                self.overlong = true;
                self.line = Vec::new();
            }
            self.read.consume(taken);
            if end.is_some() {
                return Ok(match std::mem::take(&mut self.overlong) {
                    true => LineRead::TooLong,
                    false => LineRead::Whole,
                });
            }
        }
    }

    /// Answers a line that is not a message. A client that sends garbage and reads nothing gets no answer.
    fn complain(&self, error: ErrorData, id: Option<RequestId>) {
        tracing::warn!(%error, "a line is not a valid message");
        let message = TxJsonRpcMessage::<RoleServer>::error(error, id);
        if let (Some(outgoing), Ok(line)) = (&self.outgoing, to_line(&message)) {
            let written = None;
            let _ = outgoing.try_send(Outgoing { line, written });
        }
    }

    /// Parses a whole line; returns the message if it is to be passed on.
    fn message(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        let line = std::mem::take(&mut self.line);
        let line = line.trim_ascii();
        let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        if line.is_empty() {
            return None;
        }
        match serde_json::from_slice::<RxJsonRpcMessage<RoleServer>>(line) {
            Ok(message) => {
                self.started |= matches!(message, RxJsonRpcMessage::<RoleServer>::Request(_));
                self.started.then_some(message)
            }
            Err(error) => {
                let (error, id) = refusal(line, &error);
                self.complain(error, id);
                None
            }
        }
    }
}

impl<R: AsyncRead + Send + Unpin> Transport<RoleServer> for LineTransport<R> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let outgoing = self.outgoing.clone();
        async move {
            let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
            let line = to_line(&message)?;
            let (written, done) = oneshot::channel();
            let written = Some(written);
            let outgoing = outgoing.ok_or_else(gone)?;
            let queued = outgoing.send(Outgoing { line, written }).await;
            queued.map_err(|_| gone())?;
            done.await.map_err(|_| gone())?
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            match self.next_line().await {
                Ok(LineRead::Whole) => {
                    if let Some(message) = self.message() {
                        return Some(message);
                    }
                }
                Ok(LineRead::TooLong) => {
                    let message = format!("a message of more than {LINE_BYTES} bytes");
                    self.complain(ErrorData::invalid_request(message, None), None);
                }
                Ok(LineRead::End) => return None,
                Err(error) => {
                    tracing::warn!(%error, "could not read from the client");
                    return None;
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.outgoing = None;
        // A client that does not read must not keep the server alive.
        if let Some(mut writer) = self.writer.take()
            && timeout(LAST_ANSWERS, &mut writer).await.is_err()
        {
            writer.abort();
        }
        Ok(())
    }
}

/// Maximum number of answers that wait for the client to read them.
const QUEUE: usize = 64;
const LAST_ANSWERS: Duration = Duration::from_secs(2);
const READ_BYTES: usize = 64 * 1024;
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Ends when all senders are dropped or the client has disconnected.
async fn write_lines(
    mut write: impl AsyncWrite + Send + Unpin,
    mut queue: mpsc::Receiver<Outgoing>,
) {
    while let Some(Outgoing { line, written }) = queue.recv().await {
        let result = match write.write_all(&line).await {
            Ok(()) => write.flush().await,
            Err(error) => Err(error),
        };
        let failed = result.is_err();
        if let Some(written) = written {
            let _ = written.send(result);
        }
        if failed {
            return;
        }
    }
}

fn to_line(message: &TxJsonRpcMessage<RoleServer>) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    Ok(line)
}

/// Returns the error for a line that is not a message, and the id of its request.
fn refusal(line: &[u8], error: &serde_json::Error) -> (ErrorData, Option<RequestId>) {
    let value: Value = match serde_json::from_slice(line) {
        Ok(value) => value,
        Err(error) => {
            let message = format!("not JSON: {}", shown(&error.to_string()));
            return (ErrorData::parse_error(message, None), None);
        }
    };
    let id = value
        .get("id")
        .and_then(|id| serde_json::from_value::<RequestId>(id.clone()).ok());
    if value.is_array() {
        let message = "batches are not supported; send messages one by one";
        return (ErrorData::invalid_request(message, None), None);
    }
    let is_request = id.is_some() && value.get("jsonrpc").is_some_and(|version| version == "2.0");
    if let (true, Some(method)) = (is_request, value.get("method").and_then(Value::as_str)) {
        return (wrong_parameters(method), id);
    }
    let message = format!("not a JSON-RPC message: {}", shown(&error.to_string()));
    (ErrorData::invalid_request(message, None), id)
}
