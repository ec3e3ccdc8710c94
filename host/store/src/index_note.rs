//! Notes for the search index that list the files of a change, so that the next search need not compare every file.
//! Each change leaves one small file in the index folder; a search reads and removes it. A lost note costs time, never
//! an answer.

use std::collections::BTreeMap;

use acreta_fs::{Directory, Stamp};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use crate::layout::{INDEX_CHANGES, INDEX_CHECKED, INDEX_CHECKING};

/// The files that one change touched. Paths are relative to the base.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexNote {
    /// Memory files and sidecars that were written or removed.
    pub files: Vec<Utf8PathBuf>,
    /// Ids of memories whose endorsements changed.
    #[serde(default)]
    pub ids: Vec<String>,
    /// Stamps of the folders of these files right before and right after the change. If the first stamp is not the one
    /// the index knows, somebody else changed the folder too.
    #[serde(default)]
    pub folders: BTreeMap<Utf8PathBuf, FolderChange>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderChange {
    pub before: Option<Stamp>,
    pub after: Option<Stamp>,
}

impl IndexNote {
    /// Creates a note about files that are about to change.
    pub(crate) fn before<'a>(
        directory: &Directory,
        files: impl Iterator<Item = &'a Utf8Path>,
    ) -> Self {
        let mut note = Self::default();
        for file in files {
            note.files.push(file.to_owned());
            let folder = file.parent().unwrap_or(Utf8Path::new("."));
            if !note.folders.contains_key(folder) {
                let before = folder_stamp(directory, folder);
                let change = FolderChange {
                    before,
                    after: None,
                };
                note.folders.insert(folder.to_owned(), change);
            }
        }
        note
    }

    /// Writes the note for the next search, after the files have changed. If it cannot be written, the next search
    /// compares everything.
    pub(crate) fn leave(mut self, directory: &Directory, name: &str) {
        if !directory.exists(INDEX_CHECKED).unwrap_or(false) {
            // There is no index, or the next search compares everything anyway. A running comparison may have missed
            // this change.
            let _ = directory.remove_file(INDEX_CHECKING);
            return;
        }
        for (folder, change) in &mut self.folders {
            change.after = folder_stamp(directory, folder);
        }
        let path = Utf8Path::new(INDEX_CHANGES).join(name);
        let is_left = !directory.exists(&path).unwrap_or(true)
            && directory.create_dir_all(INDEX_CHANGES).is_ok()
            && serde_json::to_vec(&self)
                .is_ok_and(|text| directory.replace_unsynced(&path, &text).is_ok());
        let _ = directory.remove_file(INDEX_CHECKING);
        if !is_left {
            // Best effort: without it the next search is up to a minute behind.
            let _ = directory.remove_file(INDEX_CHECKED);
        }
    }
}

/// Returns the stamp of a folder; `None` if it does not exist.
pub fn folder_stamp(directory: &Directory, folder: &Utf8Path) -> Option<Stamp> {
    Some(directory.metadata(folder).ok()?.stamp())
}
