//! What reading memory gave the last time, so that a file that looks as it did then is not read again.
//! How a file looks is its size, time and identity; one that was changed only just now may change again
//! without looking different, and is read once more.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use acreta_fs::{Directory, Metadata};
use camino::{Utf8Path, Utf8PathBuf};

use crate::load::{FOLDER_FILES, Problem};
use crate::{Layout, Memory};

/// The coarsest clock of a disk in use.
const COARSE: Duration = Duration::from_secs(2);

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
type Look = [Option<Seen>; 3];

/// Size, time, device and inode.
type Seen = (u64, Option<SystemTime>, Option<(u64, u64)>);

/// One time that all of memory is read.
pub(crate) struct Again<'a> {
    before: MutexGuard<'a, Files>,
    /// What is known from now on: not what is gone.
    after: Files,
    sidecars: HashMap<Utf8PathBuf, Seen>,
    now: SystemTime,
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
                sidecars.insert(entry.path, seen(&entry.metadata));
            }
        }
        let before = known.files.lock().unwrap_or_else(PoisonError::into_inner);
        Self {
            after: Files::with_capacity(before.len()),
            before,
            sidecars,
            now: UNIX_EPOCH + Duration::from_millis(now_ms),
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
        let is_old = |(_, modified, _): &Seen| {
            let age = modified.and_then(|modified| self.now.duration_since(modified).ok());
            age.is_some_and(|age| age > COARSE)
        };
        let known = Known {
            is_sure: look.iter().flatten().all(is_old),
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
            Some(seen(metadata)),
            sidecar(layout.evidence_path(&memory.id)),
            sidecar(layout.state_path(&memory.id)),
        ]
    }
}

fn seen(metadata: &Metadata) -> Seen {
    (metadata.bytes, metadata.modified, metadata.identity)
}
