//! Options of the log: what is logged and where.

use std::sync::Arc;
use std::time::SystemTime;

use acreta_redact::Redactor;
use camino::Utf8PathBuf;

use crate::EventSink;

/// Returns the current time.
pub type Clock = Arc<dyn Fn() -> SystemTime + Send + Sync>;

pub struct Options {
    /// Filter for stderr, for example `debug` or `acreta_sync=info,warn`. Empty means warnings.
    pub stderr: String,
    /// Receiver of rows. It is called on its own thread.
    pub events: Option<Box<dyn EventSink>>,
    pub log_file: Option<LogFile>,
    pub otlp: Option<Otlp>,
    pub redactor: Arc<Redactor>,
    pub clock: Clock,
    /// Id of the request that this process works on, used for events outside of any request span. A process that serves
    /// many requests has none.
    pub request_id: Option<String>,
}

/// A file of logfmt lines that only its owner can read. A full file is renamed to `<name>.1`, `<name>.2`, …
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogFile {
    pub path: Utf8PathBuf,
    /// Maximum size of one file.
    pub max_bytes: u64,
    /// Number of files, including the current one.
    pub files: u32,
}

/// A receiver of traces over HTTP and protobuf.
#[derive(Clone, PartialEq, Eq)]
pub struct Otlp {
    /// `http://localhost:4318`; `/v1/traces` is added where it is missing.
    pub endpoint: String,
    pub headers: Vec<(String, String)>,
    /// Also sends prompts and answers of models and error messages, redacted. Otherwise only names and numbers are
    /// sent.
    pub include_http: bool,
}

impl LogFile {
    /// Three files of five megabytes.
    pub fn at(path: Utf8PathBuf) -> Self {
        Self {
            path,
            max_bytes: 5_000_000,
            files: 3,
        }
    }
}

/// Does not print the headers, because they contain keys.
impl std::fmt::Debug for Otlp {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Otlp")
            .field("include_http", &self.include_http)
            .finish_non_exhaustive()
    }
}
