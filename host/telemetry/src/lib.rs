//! One mechanism for every log. What the crates say through `tracing` goes to the person's stderr, into
//! rows for whoever keeps events, into a logfmt file, and, when asked for, to an OTLP receiver.
//!
//! Failing to log never fails a run and never holds one up: what does not fit is dropped and counted,
//! what cannot be written is said once. Whatever is written or sent was redacted first. The clock, the
//! filter and all places come from whoever starts it; no environment is read.
//!
//! Spans are `run`, `step`, `plugin`, `llm`, `job` and `request`. `run_id`, `request_id`, `job_id` and
//! `project` of a span hold for everything inside it. An event has the name it was given: `info!(name: "sync.started")`.

mod clean;
mod error;
mod fields;
mod log_file;
mod logfmt;
mod options;
mod otlp;
mod person;
mod queue;
mod recorder;
mod row;
mod said;
mod start;
mod voice;
mod writer;

pub use error::StartError;
pub use logfmt::line;
pub use options::{Clock, LogFile, Options, Otlp};
pub use recorder::TEXTS;
pub use row::{EventSink, Row, SinkError};
pub use start::{Guard, prepare, start};
