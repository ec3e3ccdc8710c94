//! Results of the last load, so that an unchanged file is not read again. A file is unchanged if its stamp is; a file
//! with a racy stamp is read once more.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use acreta_fs::{Directory, Metadata, Stamp, ms_to_ns};
use camino::{Utf8Path, Utf8PathBuf};

use crate::layout::{FOLDER_FILES, SIDECAR_FOLDERS};
use crate::{Layout, Memory, Problem};

/// The files of one scope as they were read. Only memories without problems are remembered: a file that could not be
/// read may be readable now with the same stamp. Clones share the same state.
#[derive(Debug, Clone, Default)]
pub struct KnownFiles {
    files: Arc<Mutex<CachedFiles>>,
}

/// Keyed by path, relative to the layout's base.
type CachedFiles = HashMap<Utf8PathBuf, CachedMemory>;

/// Result of reading a memory's file and its sidecars.
#[derive(Debug, Default)]
pub(crate) struct MemoryRead {
    /// `None` if it cannot be used.
    pub(crate) memory: Option<Arc<Memory>>,
    pub(crate) problems: Vec<Problem>,
}

#[derive(Debug)]
struct CachedMemory {
    look: CachedStamps,
    is_sure: bool,
    memory: Arc<Memory>,
}

/// Stamps of a memory file and of the files of its sidecar.
type CachedStamps = [Option<Stamp>; 1 + SIDECAR_FOLDERS.len()];

/// One load of all of memory that reuses earlier results.
pub(crate) struct MemoryReload<'a> {
    before: MutexGuard<'a, CachedFiles>,
    /// The state after this load, without files that are gone.
    after: CachedFiles,
    sidecars: HashMap<Utf8PathBuf, Stamp>,
    looked_ns: i64,
}

impl<'a> MemoryReload<'a> {
    /// Reads the stamps of the sidecars.
    pub(crate) fn new(known: &'a KnownFiles, now_ms: u64, directory: &Directory) -> Self {
        let mut sidecars = HashMap::new();
        for folder in SIDECAR_FOLDERS {
            // If a folder cannot be listed, memories with a sidecar in it are read.
            for entry in directory.list(folder, FOLDER_FILES).unwrap_or_default() {
                sidecars.insert(entry.path, entry.metadata.stamp());
            }
        }
        let before = known.files.lock().unwrap_or_else(PoisonError::into_inner);
        Self {
            after: CachedFiles::with_capacity(before.len()),
            before,
            sidecars,
            looked_ns: ms_to_ns(now_ms),
        }
    }

    /// Returns the memory of a file if its stamps and those of its sidecars are unchanged.
    pub(crate) fn known(
        &mut self,
        path: &Utf8Path,
        metadata: &Metadata,
        layout: &Layout,
    ) -> Option<MemoryRead> {
        let known = self.before.remove(path)?;
        if !known.is_sure || known.look != self.look(metadata, &known.memory, layout) {
            return None;
        }
        let memory = Some(Arc::clone(&known.memory));
        self.after.insert(path.to_owned(), known);
        Some(MemoryRead {
            memory,
            problems: Vec::new(),
        })
    }

    /// Remembers the result of reading a file that had this `metadata` before it was read.
    pub(crate) fn keep(
        &mut self,
        path: &Utf8Path,
        metadata: &Metadata,
        read: &MemoryRead,
        layout: &Layout,
    ) {
        let Some(memory) = read.memory.as_ref().filter(|_| read.problems.is_empty()) else {
            return;
        };
        let look = self.look(metadata, memory, layout);
        let is_racy = |stamp: &Stamp| stamp.is_racy(self.looked_ns);
        let known = CachedMemory {
            is_sure: !look.iter().flatten().any(is_racy),
            look,
            memory: Arc::clone(memory),
        };
        self.after.insert(path.to_owned(), known);
    }

    pub(crate) fn end(mut self) {
        *self.before = self.after;
    }

    fn look(&self, metadata: &Metadata, memory: &Memory, layout: &Layout) -> CachedStamps {
        let mut stamps = [Some(metadata.stamp()); 1 + SIDECAR_FOLDERS.len()];
        for (stamp, path) in stamps[1..].iter_mut().zip(layout.sidecar_paths(&memory.id)) {
            *stamp = self.sidecars.get(&path).copied();
        }
        stamps
    }
}
