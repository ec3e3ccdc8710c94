//! Locations of session traces.

use std::sync::Arc;

use acreta_fs::{Directory, FsError};
use acreta_redact::Redactor;
use camino::Utf8PathBuf;

use crate::names::safe_name;
use crate::{TraceError, TraceFile, TraceLimits, TraceMark, TraceWriter};

/// The trace archive: `<agent>/<session>.jsonl` below one directory, readable only by its owner.
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

    /// Returns the path of a session's trace, relative to the archive.
    pub fn relative_path(agent: &str, session_id: &str) -> Utf8PathBuf {
        Utf8PathBuf::from(format!(
            "{}/{}.jsonl",
            safe_name(agent),
            safe_name(session_id)
        ))
    }

    /// Returns the absolute path of a session's trace.
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

    /// Starts a new trace of a session. The archived one stays until the new one is committed.
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

    /// Continues the archived trace of a session from its state at `mark`. Returns `None` if the archive does not
    /// contain that state.
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
