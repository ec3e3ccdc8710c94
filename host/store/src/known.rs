//! What reading memory gave the last time, so that a file that looks as it did then is not read again.
//! How a file looks is its stamp; a file with a racy stamp is read once more.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use acreta_fs::{Directory, Metadata, Stamp, ms_to_ns};
use camino::{Utf8Path, Utf8PathBuf};

use crate::layout::FOLDER_FILES;
use crate::{Layout, Memory, Problem};

/// The files of one scope as they were read. Only memories that nothing is wrong with are known: what
/// could not be read may be readable now, and looks the same. A clone knows the same.
#[derive(Debug, Clone, Default)]
pub struct KnownFiles {
    files: Arc<Mutex<Files>>,
}

/// By path, relative to the layout's base.
type Files = HashMap<Utf8PathBuf, Known>;

/// What a memory's file and its sidecars gave.
#[derive(Debug, Default)]
pub(crate) struct Read {
    /// None where it cannot be used.
    pub(crate) memory: Option<Arc<Memory>>,
    pub(crate) problems: Vec<Problem>,
}

#[derive(Debug)]
struct Known {
    look: Look,
    is_sure: bool,
    memory: Arc<Memory>,
}

/// A memory file, its evidence and its state, from outside.
type Look = [Option<Stamp>; 3];

/// One time that all of memory is read.
pub(crate) struct Again<'a> {
    before: MutexGuard<'a, Files>,
    /// What is known from now on: not what is gone.
    after: Files,
    sidecars: HashMap<Utf8PathBuf, Stamp>,
    looked_ns: i64,
}

impl<'a> Again<'a> {
    /// Looks at the sidecars.
    pub(crate) fn new(
        known: &'a KnownFiles,
        now_ms: u64,
        directory: &Directory,
        layout: &Layout,
    ) -> Self {
        let mut sidecars = HashMap::new();
        for folder in [layout.evidence_folder(), layout.state_folder()] {
            // One that cannot be listed is not known: what has a sidecar there is read.
            for entry in directory.list(folder, FOLDER_FILES).unwrap_or_default() {
                sidecars.insert(entry.path, entry.metadata.stamp());
            }
        }
        let before = known.files.lock().unwrap_or_else(PoisonError::into_inner);
        Self {
            after: Files::with_capacity(before.len()),
            before,
            sidecars,
            looked_ns: ms_to_ns(now_ms),
        }
    }

    /// The memory of a file, if it and its sidecars look as they did then.
    pub(crate) fn known(
        &mut self,
        path: &Utf8Path,
        metadata: &Metadata,
        layout: &Layout,
    ) -> Option<Read> {
        let known = self.before.remove(path)?;
        if !known.is_sure || known.look != self.look(metadata, &known.memory, layout) {
            return None;
        }
        let memory = Some(Arc::clone(&known.memory));
        self.after.insert(path.to_owned(), known);
        Some(Read {
            memory,
            problems: Vec::new(),
        })
    }

    /// Keeps what was read just now from a file that looked like this before.
    pub(crate) fn keep(
        &mut self,
        path: &Utf8Path,
        metadata: &Metadata,
        read: &Read,
        layout: &Layout,
    ) {
        let Some(memory) = read.memory.as_ref().filter(|_| read.problems.is_empty()) else {
            return;
        };
        let look = self.look(metadata, memory, layout);
        let is_racy = |stamp: &Stamp| stamp.is_racy(self.looked_ns);
        let known = Known {
            is_sure: !look.iter().flatten().any(is_racy),
            look,
            memory: Arc::clone(memory),
        };
        self.after.insert(path.to_owned(), known);
    }

    pub(crate) fn end(mut self) {
        *self.before = self.after;
    }

    fn look(&self, metadata: &Metadata, memory: &Memory, layout: &Layout) -> Look {
        let sidecar = |path: Utf8PathBuf| self.sidecars.get(&path).copied();
        [
            Some(metadata.stamp()),
            sidecar(layout.evidence_path(&memory.id)),
            sidecar(layout.state_path(&memory.id)),
        ]
    }
}
