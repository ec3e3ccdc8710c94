//! A finished trace that is not archived yet. It can be read; `keep` atomically replaces the session's earlier trace;
//! dropping it removes it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use acreta_fs::{Directory, FsError};
use camino::{Utf8Path, Utf8PathBuf};

use crate::index::EventIndex;
use crate::{TraceError, TraceFile, TraceMark, TraceStats};

#[derive(Debug)]
pub struct PendingTrace {
    directory: Directory,
    pending: Utf8PathBuf,
    target: Utf8PathBuf,
    stats: TraceStats,
    digest: [u8; 32],
    index: Arc<EventIndex>,
    kept: bool,
}

impl PendingTrace {
    pub(crate) fn new(
        directory: Directory,
        pending: Utf8PathBuf,
        target: Utf8PathBuf,
        stats: TraceStats,
        digest: [u8; 32],
        index: EventIndex,
    ) -> Self {
        Self {
            directory,
            pending,
            target,
            stats,
            digest,
            index: Arc::new(index),
            kept: false,
        }
    }

    pub fn stats(&self) -> &TraceStats {
        &self.stats
    }

    /// Returns the position where a later read continues.
    pub fn mark(&self) -> TraceMark {
        TraceMark {
            bytes: self.stats.bytes,
            events: self.stats.events,
            digest: self.digest,
        }
    }

    /// Returns its absolute path before it is archived.
    pub fn path(&self) -> Utf8PathBuf {
        self.directory.path().join(&self.pending)
    }

    /// Returns its path after it is archived, relative to the archive.
    pub fn target(&self) -> &Utf8Path {
        &self.target
    }

    /// Opens it for reading, with the index from writing it.
    pub fn open(&self) -> Result<TraceFile, TraceError> {
        TraceFile::with_index(&self.directory, &self.pending, Arc::clone(&self.index))
    }

    /// Moves it into the archive; it is on disk when this returns. Returns its stats.
    pub fn keep(mut self) -> Result<TraceStats, TraceError> {
        self.directory.rename(&self.pending, &self.target)?;
        self.kept = true;
        self.directory.sync_directory(folder_of(&self.target))?;
        Ok(std::mem::take(&mut self.stats))
    }

    /// Returns an unused name beside `target`. A leading dot distinguishes it from every session.
    pub(crate) fn free_name(
        directory: &Directory,
        target: &Utf8Path,
    ) -> Result<Utf8PathBuf, FsError> {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let name = target.file_name().unwrap_or("trace");
        let process = std::process::id();
        loop {
            let number = COUNTER.fetch_add(1, Ordering::Relaxed);
            let pending = acreta_fs::join(folder_of(target), format!(".{name}.{process}-{number}"));
            if !directory.exists(&pending)? {
                return Ok(pending);
            }
        }
    }
}

impl Drop for PendingTrace {
    fn drop(&mut self) {
        if !self.kept {
            // Best effort: a crash also leaves such a file, which is never used as a trace.
            let _ = self.directory.remove_file(&self.pending);
        }
    }
}

fn folder_of(target: &Utf8Path) -> &Utf8Path {
    target.parent().unwrap_or(Utf8Path::new("."))
}
