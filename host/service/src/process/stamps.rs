//! Stamps of the files and folders that a cache was made from. A cache is valid as long as they are unchanged. A file that
//! is edited in place changes no folder: a cache of memory that has to notice that compares its files, too.

use acreta_fs::{Directory, NoFaults, Stamp, ms_to_ns};
use acreta_store::{Layout, SIDECAR_FOLDERS, folder_stamp};
use acreta_types::MEMORY_TYPES;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use crate::process::clock::now_ms;

/// Stamps, and when they were taken.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct TakenStamps {
    /// Time before the stamps were taken.
    looked_ms: u64,
    stamps: Vec<Option<Stamp>>,
}

impl TakenStamps {
    /// Takes stamps. Call it before reading the files, so that a concurrent change is noticed.
    pub(crate) fn take(stamps: impl FnOnce() -> Vec<Option<Stamp>>) -> Self {
        Self {
            looked_ms: now_ms(),
            stamps: stamps(),
        }
    }

    pub(crate) fn looked_ms(&self) -> u64 {
        self.looked_ms
    }

    /// Reports whether nothing changed since the stamps were taken, and a change right after that would be noticed.
    pub(crate) fn are_current(&self, now: &[Option<Stamp>]) -> bool {
        let is_unchanged = |(kept, now): (&Option<Stamp>, &Option<Stamp>)| {
            self.is_unchanged(kept.as_ref(), now.as_ref())
        };
        self.stamps.len() == now.len() && self.stamps.iter().zip(now).all(is_unchanged)
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

/// Returns the stamps of what changes when memory is added, removed or replaced: its folders, and the user's trust records.
pub(crate) fn of_memory(layout: &Layout) -> Vec<Option<Stamp>> {
    let types = MEMORY_TYPES.iter().flat_map(|entry| {
        let archived = Utf8Path::new("archived").join(entry.folder);
        [
            layout.memory_path(entry.folder),
            layout.memory_path(archived),
        ]
    });
    let sidecars = SIDECAR_FOLDERS.into_iter().map(Utf8PathBuf::from);
    let base = Directory::open(layout.base(), NoFaults::shared()).ok();
    let stamp = |folder: Utf8PathBuf| folder_stamp(base.as_ref()?, &folder);
    let mut stamps: Vec<Option<Stamp>> = types.chain(sidecars).map(stamp).collect();
    stamps.push(layout.words_file().and_then(|(folder, name)| {
        let folder = Directory::open(folder, NoFaults::shared()).ok()?;
        Some(folder.metadata(name).ok()?.stamp())
    }));
    stamps
}

/// Returns the stamps of files, links followed; `None` for one that cannot be looked at.
pub(crate) fn of_files<'a>(paths: impl IntoIterator<Item = &'a Utf8Path>) -> Vec<Option<Stamp>> {
    let stamp = |path: &Utf8Path| path.metadata().ok().map(|metadata| Stamp::from(&metadata));
    paths.into_iter().map(stamp).collect()
}
