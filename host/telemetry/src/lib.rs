//! One mechanism for every log. Events that crates emit through `tracing` go to stderr, to an [`EventSink`] as rows, to
//! a logfmt file and, if configured, to an OTLP receiver.
//!
//! A failure to log never fails or delays a run: rows that do not fit are dropped and counted, and a write error is
//! reported once. Everything written or sent is redacted first. The caller passes the clock, the filter and all paths;
//! the environment is not read.
//!
//! Spans are `run`, `step`, `plugin`, `llm`, `job` and `request`. `run_id`, `request_id`, `job_id` and `project` of a
//! span apply to everything inside it. An event's name is the one given to the macro: `info!(name: "sync.started")`.

mod clean;
mod error;
mod fields;
mod log_file;
mod logfmt;
mod options;
#[cfg(feature = "otlp")]
mod otlp;
#[cfg(not(feature = "otlp"))]
#[path = "no_otlp.rs"]
mod otlp;
mod person;
mod queue;
mod recorder;
mod row;
mod start;
mod unclean;
mod voice;
mod writer;

pub use error::StartError;
pub use log_file::rotation_lock;
pub use logfmt::line;
pub use options::{Clock, LogFile, Options, Otlp};
pub use recorder::TEXTS;
pub use row::{EventSink, Row, SinkError};
pub use start::{Guard, prepare, start};
