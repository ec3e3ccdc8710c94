//! Stamps of a scope's memory on disk: of its folders and of the user's trust records. A cache of memory is valid as
//! long as they are unchanged. A file that is edited in place changes no folder: a cache that has to notice that
//! compares its files, too.

use acreta_fs::{Directory, NoFaults, Stamp, ms_to_ns};
use acreta_store::Layout;
use serde::{Deserialize, Serialize};

use crate::process::clock::now_ms;

/// Folders that change when memories are added, removed or replaced.
const FOLDERS: [&str; 7] = [
    "memory/decisions",
    "memory/learnings",
    "memory/summaries",
    "meta/memories",
    "meta/summaries",
    "meta/evidence",
    "meta/state",
];

#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct MemoryStamps {
    /// Time before the stamps were taken.
    looked_ms: u64,
    folders: Vec<Option<Stamp>>,
}

impl MemoryStamps {
    /// Takes the stamps. Call it before reading memory, so that a concurrent change is noticed.
    pub(crate) fn take(layout: &Layout) -> Self {
        Self {
            looked_ms: now_ms(),
            folders: folders(layout),
        }
    }

    pub(crate) fn looked_ms(&self) -> u64 {
        self.looked_ms
    }

    /// Returns whether no memory was added, removed or replaced by rename since the stamps were taken.
    pub(crate) fn is_current(&self, layout: &Layout) -> bool {
        let now = folders(layout);
        self.folders.len() == now.len()
            && self
                .folders
                .iter()
                .zip(&now)
                .all(|(kept, now)| self.is_unchanged(kept.as_ref(), now.as_ref()))
    }

    /// Compares a stamp that was taken with these to a current one.
    pub(crate) fn is_unchanged(&self, kept: Option<&Stamp>, now: Option<&Stamp>) -> bool {
        match (kept, now) {
            (Some(kept), Some(now)) => kept.is_unchanged(ms_to_ns(self.looked_ms), now),
            (None, None) => true,
            _ => false,
        }
    }
}

fn folders(layout: &Layout) -> Vec<Option<Stamp>> {
    let base = Directory::open(layout.base(), NoFaults::shared()).ok();
    let stamp = |path: &str| Some(base.as_ref()?.metadata(path).ok()?.stamp());
    let words = layout.words_file().and_then(|(folder, name)| {
        let folder = Directory::open(folder, NoFaults::shared()).ok()?;
        Some(folder.metadata(name).ok()?.stamp())
    });
    let folders = FOLDERS.iter().map(|folder| stamp(folder));
    folders.chain([words]).collect()
}
