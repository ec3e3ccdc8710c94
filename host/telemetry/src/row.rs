//! A log row: one for the beginning and one for the end of a span, and one for each event.

use std::sync::mpsc::Sender;

use serde_json::{Map, Value};

/// A redacted row, cut to size and ready to be stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub at_ms: u64,
    /// `error`, `warn`, `info`, `debug` or `trace`. The end of something that failed is an `error`.
    pub level: &'static str,
    /// `begin`, `end` or `event`.
    pub kind: &'static str,
    pub name: String,
    pub run_id: Option<String>,
    pub request_id: Option<String>,
    pub job_id: Option<String>,
    pub project: Option<String>,
    /// Numbers, booleans and texts. `span` and `parent` are span numbers, unique within a process; the end of a span
    /// has `duration_ms`.
    pub fields: Map<String, Value>,
}

/// Reason why rows could not be stored.
pub type SinkError = Box<dyn std::error::Error + Send + Sync>;

/// Stores rows. It may take long: nobody waits for it.
pub trait EventSink: Send {
    fn write(&mut self, rows: &[Row]) -> Result<(), SinkError>;
}

/// Sends rows over a channel.
impl EventSink for Sender<Row> {
    fn write(&mut self, rows: &[Row]) -> Result<(), SinkError> {
        for row in rows {
            self.send(row.clone())?;
        }
        Ok(())
    }
}
