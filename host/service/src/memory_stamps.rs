//! How a scope's memory looked on disk when it was last read: the stamps of its folders and of the user's words. A cache
//! that was made from memory holds for as long as they are the same. A file that somebody edits in place changes no
//! folder: a cache that has to notice compares the files that it was made from as well.

use acreta_fs::{Directory, NoFaults, Stamp, ms_to_ns};
use acreta_store::Layout;
use serde::{Deserialize, Serialize};

use crate::clock::now_ms;

/// Whose change means that memories came, went, or stand differently.
const FOLDERS: [&str; 5] = [
    "memory/decisions",
    "memory/learnings",
    "memory/summaries",
    "meta/evidence",
    "meta/state",
];

#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct MemoryStamps {
    /// Before the stamps were taken.
    looked_ms: u64,
    folders: Vec<Option<Stamp>>,
}

impl MemoryStamps {
    /// Taken before memory is read, so that a change meanwhile shows.
    pub(crate) fn take(layout: &Layout) -> Self {
        Self {
            looked_ms: now_ms(),
            folders: folders(layout),
        }
    }

    pub(crate) fn looked_ms(&self) -> u64 {
        self.looked_ms
    }

    /// Reports whether no memory came or went, and none was written by rename, since the stamps were taken.
    pub(crate) fn is_current(&self, layout: &Layout) -> bool {
        let now = folders(layout);
        self.folders.len() == now.len()
            && self
                .folders
                .iter()
                .zip(&now)
                .all(|(kept, now)| self.is_unchanged(kept.as_ref(), now.as_ref()))
    }

    /// Compares a stamp that was taken with these to one of now.
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
