//! Taking in what others told of changes: notes of the store, one for each change, and how the folders of memory looked
//! when everything was last compared. A search that finds nothing told and every folder as it was compares no files.

use std::collections::{BTreeMap, BTreeSet};

use acreta_fs::{Directory, EntryKind, FsError, Stamp};
use acreta_store::{INDEX_CHANGES, IndexNote};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use crate::files::Files;
use crate::snapshot::Snapshot;

/// When everything was compared, and how the folders looked right before.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Checked {
    pub(crate) at_ms: i64,
    /// By their path relative to the base.
    pub(crate) folders: BTreeMap<Utf8PathBuf, Looked>,
}

/// How a folder looked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Looked {
    /// None where there is no folder.
    stamp: Option<Stamp>,
    /// It had changed in the tick of the clock in which it was looked at, and may have changed once more.
    is_racy: bool,
}

/// Notes that were not taken in yet; none for one that cannot be read.
pub(crate) struct Told {
    notes: Vec<(Utf8PathBuf, Option<IndexNote>)>,
}

/// More notes than this are not worth reading: everything is compared instead.
const NOTES: u64 = 1_000;
const NOTE_BYTES: u64 = 16 * 1024 * 1024;

impl Checked {
    pub(crate) fn now(files: &Files, at_ms: i64) -> Self {
        let looked_ns = at_ms.saturating_mul(1_000_000);
        let looked = |stamp: Option<Stamp>| Looked {
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

    /// Reports whether each folder looks as it did, so that no file was added, removed or put in another's place. A file that
    /// was written in place does not show here.
    pub(crate) fn is_current(&self, files: &Files) -> bool {
        files.folders().all(|(folder, stamp)| {
            let looked = self.folders.get(&folder);
            looked.is_some_and(|looked| looked.stamp == stamp && !looked.is_racy)
        })
    }

    /// Takes in how notes say that folders changed; false if somebody else changed one of them as well. What somebody
    /// else does within the same tick of the clock as the store is seen when everything is compared.
    pub(crate) fn follow(&mut self, told: &Told, files: &Files) -> bool {
        for (folder, stamp) in files.folders() {
            let Some(looked) = self.folders.get_mut(&folder) else {
                return false;
            };
            let notes = told.notes.iter().filter_map(|(_, note)| note.as_ref());
            let mut changes: Vec<_> = notes.filter_map(|note| note.folders.get(&folder)).collect();
            // Each starts where another ended; their order is not known.
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

impl Told {
    /// The notes that lie there.
    pub(crate) fn read(files: &Files) -> Self {
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
            // Too many, or something else is in the way: all of it goes once everything was compared.
            Err(_) => vec![(Utf8PathBuf::from(INDEX_CHANGES), None)],
        };
        Self { notes }
    }

    /// Reports whether every note can be read.
    pub(crate) fn is_whole(&self) -> bool {
        self.notes.iter().all(|(_, note)| note.is_some())
    }

    /// Reports whether there is any, without reading one.
    pub(crate) fn is_any(files: &Files) -> bool {
        match files.base.list(INDEX_CHANGES, NOTES) {
            Ok(entries) => !entries.is_empty(),
            Err(error) => !error.is_not_found(),
        }
    }

    /// The memories that are to be read again, relative to the memory root.
    pub(crate) fn paths(
        &self,
        files: &Files,
        snapshot: &Snapshot,
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

    /// They were taken in, or everything was compared after they were read.
    pub(crate) fn forget(&self, files: &Files) {
        for (path, _) in &self.notes {
            // A note that stays is taken in once more.
            let _ = remove(&files.base, path.as_str());
        }
    }
}

/// Removes a file or folder, if it is there.
pub(crate) fn remove(base: &Directory, path: &str) -> Result<(), FsError> {
    match base.metadata(path) {
        Ok(found) if found.kind == EntryKind::Directory => base.remove_dir_all(path),
        Ok(_) => base.remove_file(path),
        Err(error) if error.is_not_found() => Ok(()),
        Err(error) => Err(error),
    }
}
