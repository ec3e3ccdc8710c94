//! What is logged where, as whoever starts it decides.

use std::sync::Arc;
use std::time::SystemTime;

use acreta_redact::Redactor;
use camino::Utf8PathBuf;

use crate::EventSink;

/// What time it is.
pub type Clock = Arc<dyn Fn() -> SystemTime + Send + Sync>;

pub struct Options {
    /// What stderr shows: `debug`, `acreta_sync=info,warn`. Empty is warnings.
    pub stderr: String,
    /// Who keeps rows. Called on a thread of its own.
    pub events: Option<Box<dyn EventSink>>,
    pub log_file: Option<LogFile>,
    pub otlp: Option<Otlp>,
    pub redactor: Arc<Redactor>,
    pub clock: Clock,
    /// The request that this process works on, for what is said outside of every request. A process
    /// that answers many has none.
    pub request_id: Option<String>,
}

/// A file of logfmt lines that its owner alone can read. When it is full it is set aside as `<name>.1`,
/// `<name>.2`, …
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogFile {
    pub path: Utf8PathBuf,
    /// How large a file becomes.
    pub max_bytes: u64,
    /// How many there are, with the one that is written to.
    pub files: u32,
}

/// A receiver of traces over HTTP and protobuf.
#[derive(Clone, PartialEq, Eq)]
pub struct Otlp {
    /// `http://localhost:4318`; `/v1/traces` is added where it is missing.
    pub endpoint: String,
    pub headers: Vec<(String, String)>,
    /// Whether what models are asked and answer, and what errors say, is sent too, redacted. Without it
    /// there are figures and names alone.
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

/// Headers hold keys.
impl std::fmt::Debug for Otlp {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Otlp")
            .field("include_http", &self.include_http)
            .finish_non_exhaustive()
    }
}
