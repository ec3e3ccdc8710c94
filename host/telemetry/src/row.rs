//! What is written down: one row for the beginning and one for the end of whatever takes time, and one
//! for each event.

use std::sync::mpsc::Sender;

use serde_json::{Map, Value};

/// Redacted, cut to size, and ready to be kept.
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
    /// Numbers, booleans and texts. `span` and `parent` are numbers of spans, given once in a process;
    /// an end has `duration_ms`.
    pub fields: Map<String, Value>,
}

/// Why rows were not kept.
pub type SinkError = Box<dyn std::error::Error + Send + Sync>;

/// Keeps rows. May take its time: nobody waits for it.
pub trait EventSink: Send {
    fn write(&mut self, rows: &[Row]) -> Result<(), SinkError>;
}

/// Hands rows on to whoever listens at the other end.
impl EventSink for Sender<Row> {
    fn write(&mut self, rows: &[Row]) -> Result<(), SinkError> {
        for row in rows {
            self.send(row.clone())?;
        }
        Ok(())
    }
}
