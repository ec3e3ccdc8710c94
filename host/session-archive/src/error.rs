//! Errors of traces. Each names its file.

use std::io;

use acreta_fs::FsError;
use acreta_types::{Failure, with_causes};
use camino::Utf8PathBuf;

/// A trace could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    #[error(transparent)]
    Fs(#[from] FsError),
    #[error("could not read `{path}`")]
    Read {
        path: Utf8PathBuf,
        #[source]
        cause: io::Error,
    },
    #[error("archived trace `{path}` is damaged at byte {offset}")]
    Damaged {
        path: Utf8PathBuf,
        offset: u64,
        #[source]
        cause: serde_json::Error,
    },
    #[error(
        "archived trace `{path}` is damaged at byte {offset}: a line is longer than {allowed} bytes"
    )]
    LineTooLong {
        path: Utf8PathBuf,
        offset: u64,
        allowed: u64,
    },
    #[error("trace `{path}` has more than {allowed} bytes of text")]
    OverLimit { path: Utf8PathBuf, allowed: u64 },
    /// The writer failed earlier; later events are not in the trace.
    #[error("trace `{path}` is incomplete: {reason}")]
    Unfinished { path: Utf8PathBuf, reason: String },
}

impl TraceError {
    /// Returns the error in the form that a plugin receives: code `limit` or `io`, the message with all causes.
    pub fn to_failure(&self) -> Failure {
        let code = match self {
            TraceError::OverLimit { .. } => "limit",
            _ => "io",
        };
        Failure {
            code: code.to_owned(),
            message: with_causes(self),
            retryable: false,
        }
    }
}
