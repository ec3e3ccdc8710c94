//! Where the trace of a session lies. Every session has a name of its own, whatever its agent
//! called it, and no name leads out of the archive.

use std::sync::Arc;

use acreta_fs::{Directory, FsError};
use acreta_redact::Redactor;
use camino::Utf8PathBuf;
use sha2::{Digest, Sha256};

use crate::{TraceError, TraceFile, TraceLimits, TraceMark, TraceWriter};

/// The archive of traces: `<agent>/<session>.jsonl` beneath one directory, readable by its owner only.
#[derive(Debug, Clone)]
pub struct TraceArchive {
    directory: Directory,
}

impl TraceArchive {
    pub fn new(directory: &Directory) -> Self {
        Self {
            directory: directory.private(),
        }
    }

    /// Where a session's trace lies, relative to the archive.
    pub fn relative_path(agent: &str, session_id: &str) -> Utf8PathBuf {
        Utf8PathBuf::from(format!(
            "{}/{}.jsonl",
            safe_name(agent),
            safe_name(session_id)
        ))
    }

    /// The same, absolute.
    pub fn path(&self, agent: &str, session_id: &str) -> Utf8PathBuf {
        self.directory
            .path()
            .join(Self::relative_path(agent, session_id))
    }

    pub fn contains(&self, agent: &str, session_id: &str) -> Result<bool, FsError> {
        self.directory
            .exists(Self::relative_path(agent, session_id))
    }

    /// Opens an archived trace.
    pub fn open(&self, agent: &str, session_id: &str) -> Result<TraceFile, TraceError> {
        TraceFile::open(&self.directory, Self::relative_path(agent, session_id))
    }

    /// Starts a new trace of a session. The archived one stays until the new one is kept.
    pub fn write(
        &self,
        agent: &str,
        session_id: &str,
        redactor: Arc<Redactor>,
        limits: TraceLimits,
    ) -> Result<TraceWriter, TraceError> {
        let target = Self::relative_path(agent, session_id);
        TraceWriter::create(&self.directory, target, redactor, limits)
    }

    /// Goes on with the archived trace of a session, from where it stood at `mark`. None when the
    /// archive holds no such state of it.
    pub fn resume(
        &self,
        agent: &str,
        session_id: &str,
        redactor: Arc<Redactor>,
        limits: TraceLimits,
        mark: TraceMark,
    ) -> Result<Option<TraceWriter>, TraceError> {
        let target = Self::relative_path(agent, session_id);
        TraceWriter::resume(&self.directory, target, redactor, limits, mark)
    }
}

/// An id as a file name: itself when it is a plain one, otherwise `x-` and a digest of it.
pub(crate) fn safe_name(id: &str) -> String {
    if is_plain(id) {
        id.to_owned()
    } else {
        digest_name(id)
    }
}

/// `x-` and the first half of the id's SHA-256.
pub(crate) fn digest_name(id: &str) -> String {
    format!("x-{}", acreta_text::hex(&Sha256::digest(id)[..16]))
}

fn is_plain(id: &str) -> bool {
    id.len() <= 128
        && id.starts_with(|first: char| first.is_ascii_alphanumeric())
        && id
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
        && !id.contains("..")
        && !id.ends_with('.')
        && !is_device(id)
        && !is_digest_name(id)
}

/// Names that Windows gives to devices, with any extension.
fn is_device(id: &str) -> bool {
    let stem = id.split('.').next().unwrap_or(id).to_ascii_uppercase();
    match stem.as_str() {
        "CON" | "PRN" | "AUX" | "NUL" => true,
        _ => matches!(
            stem.as_bytes(),
            [b'C', b'O', b'M', b'0'..=b'9'] | [b'L', b'P', b'T', b'0'..=b'9']
        ),
    }
}

/// Whether an id looks like the digest of another, which it would then collide with.
fn is_digest_name(id: &str) -> bool {
    id.strip_prefix("x-")
        .is_some_and(|rest| rest.len() == 32 && rest.bytes().all(|byte| byte.is_ascii_hexdigit()))
}
