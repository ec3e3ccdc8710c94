//! Applies changes that the store announced: one note per change, and the state of the memory folders when everything
//! was last compared. If there are no notes and no folder changed, a search compares no files.

use std::collections::{BTreeMap, BTreeSet};

use acreta_fs::{Directory, EntryKind, FsError, Stamp};
use acreta_store::{INDEX_CHANGES, IndexNote};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use crate::files::MemoryFiles;
use crate::snapshot::IndexSnapshot;

/// Time of the last full comparison, and the state of the folders right before it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ComparisonRecord {
    pub(crate) at_ms: i64,
    /// Keyed by path relative to the base.
    pub(crate) folders: BTreeMap<Utf8PathBuf, FolderState>,
}

/// State of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FolderState {
    /// `None` if the folder does not exist.
    stamp: Option<Stamp>,
    /// It had changed within the clock tick in which it was examined, so it may have changed again.
    is_racy: bool,
}

/// Change notes that are not applied yet; `None` for an unreadable note.
pub(crate) struct ChangeNotes {
    notes: Vec<(Utf8PathBuf, Option<IndexNote>)>,
}

/// With more notes than this, comparing everything is cheaper.
const NOTES: u64 = 1_000;
const NOTE_BYTES: u64 = 16 * 1024 * 1024;

impl ComparisonRecord {
    pub(crate) fn now(files: &MemoryFiles, at_ms: i64) -> Self {
        let looked_ns = at_ms.saturating_mul(1_000_000);
        let looked = |stamp: Option<Stamp>| FolderState {
            stamp,
            is_racy: stamp.is_some_and(|stamp| stamp.is_racy(looked_ns)),
        };
        let folders = files.folders();
        Self {
            at_ms,
            folders: folders
                .map(|(folder, stamp)| (folder, looked(stamp)))
                .collect(),
        }
    }

    /// Reports whether every folder is unchanged, so that no file was added, removed or replaced. Does not detect a
    /// file that was written in place.
    pub(crate) fn is_current(&self, files: &MemoryFiles) -> bool {
        files.folders().all(|(folder, stamp)| {
            let looked = self.folders.get(&folder);
            looked.is_some_and(|looked| looked.stamp == stamp && !looked.is_racy)
        })
    }

    /// Applies the folder changes that the notes announce. Returns false if a folder was also changed by somebody else.
    /// Such a change within the same clock tick as the store's is only found by a full comparison.
    pub(crate) fn follow(&mut self, notes: &ChangeNotes, files: &MemoryFiles) -> bool {
        for (folder, stamp) in files.folders() {
            let Some(looked) = self.folders.get_mut(&folder) else {
                return false;
            };
            let readable = notes.notes.iter().filter_map(|(_, note)| note.as_ref());
            let mut changes: Vec<_> = readable
                .filter_map(|note| note.folders.get(&folder))
                .collect();
            // Each change starts where another one ended; their order is unknown.
            while let Some(place) = changes
                .iter()
                .position(|change| change.before == looked.stamp)
            {
                looked.stamp = changes.swap_remove(place).after;
            }
            if !changes.is_empty() || looked.is_racy || looked.stamp != stamp {
                return false;
            }
        }
        true
    }
}

impl ChangeNotes {
    /// Reads the pending notes.
    pub(crate) fn read(files: &MemoryFiles) -> Self {
        let note = |path: &Utf8Path| {
            let text = files.base.read(path, NOTE_BYTES).ok()?;
            serde_json::from_slice(&text).ok()
        };
        let notes = match files.base.list(INDEX_CHANGES, NOTES) {
            Ok(entries) => entries
                .into_iter()
                .map(|entry| (note(&entry.path), entry.path))
                .map(|(note, path)| (path, note))
                .collect(),
            Err(error) if error.is_not_found() => Vec::new(),
            // Too many notes, or not a folder: remove it all after a full comparison.
            Err(_) => vec![(Utf8PathBuf::from(INDEX_CHANGES), None)],
        };
        Self { notes }
    }

    /// Reports whether every note could be read.
    pub(crate) fn is_whole(&self) -> bool {
        self.notes.iter().all(|(_, note)| note.is_some())
    }

    /// Reports whether there are notes, without reading them.
    pub(crate) fn is_any(files: &MemoryFiles) -> bool {
        match files.base.list(INDEX_CHANGES, NOTES) {
            Ok(entries) => !entries.is_empty(),
            Err(error) => !error.is_not_found(),
        }
    }

    /// Returns the memories to reread, relative to the memory root.
    pub(crate) fn paths(
        &self,
        files: &MemoryFiles,
        snapshot: &IndexSnapshot,
    ) -> tantivy::Result<Vec<Utf8PathBuf>> {
        let mut paths = BTreeSet::new();
        for note in self.notes.iter().filter_map(|(_, note)| note.as_ref()) {
            let mut ids: Vec<&str> = note.ids.iter().map(String::as_str).collect();
            for file in &note.files {
                match files.in_memory(file) {
                    Some(path) => drop(paths.insert(path.to_owned())),
                    None => ids.extend(files.sidecar_of(file)),
                }
            }
            for id in ids {
                paths.extend(snapshot.path_of(id)?);
            }
        }
        Ok(paths.into_iter().collect())
    }

    /// Removes the notes, after they were applied or everything was compared.
    pub(crate) fn forget(&self, files: &MemoryFiles) {
        for (path, _) in &self.notes {
            // A note that stays is applied again, which is harmless.
            let _ = remove(&files.base, path.as_str());
        }
    }
}

/// Removes a file or folder if it exists.
pub(crate) fn remove(base: &Directory, path: &str) -> Result<(), FsError> {
    match base.metadata(path) {
        Ok(found) if found.kind == EntryKind::Directory => base.remove_dir_all(path),
        Ok(_) => base.remove_file(path),
        Err(error) if error.is_not_found() => Ok(()),
        Err(error) => Err(error),
    }
}
