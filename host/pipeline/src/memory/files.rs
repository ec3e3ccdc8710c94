//! Collects the files of one change against the current state on disk: free names, sidecars that differ, one entry per
//! path.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use acreta_fs::{Directory, Faults, FsError};
use acreta_store::{FileChange, Layout, Memory, Sidecar, digest, unique_name};
use acreta_types::MemoryType;
use camino::{Utf8Path, Utf8PathBuf};

use crate::error::RunError;

/// Collects file changes against the current state on disk.
pub(crate) struct ChangeCollector<'a> {
    layout: &'a Layout,
    base: Directory,
    /// Names in use under the memory root.
    taken: BTreeSet<String>,
    changes: Vec<FileChange>,
    /// Index of each path in `changes`.
    places: BTreeMap<Utf8PathBuf, usize>,
}

const SIDECAR_BYTES: u64 = 16 * 1024 * 1024;

impl<'a> ChangeCollector<'a> {
    pub(crate) fn open(
        layout: &'a Layout,
        memories: &[Arc<Memory>],
        faults: &Arc<dyn Faults>,
    ) -> Result<Self, RunError> {
        Ok(Self {
            layout,
            base: layout.open_or_create(faults)?,
            taken: memories
                .iter()
                .map(|memory| memory.path.to_string())
                .collect(),
            changes: Vec::new(),
            places: BTreeMap::new(),
        })
    }

    /// Adds a memory's new text: at its own path, at a free name, or restored from the archive.
    pub(crate) fn put_memory(
        &mut self,
        before: Option<&Memory>,
        drafted: Utf8PathBuf,
        text: &str,
    ) -> Utf8PathBuf {
        let text = Some(text.as_bytes().to_vec());
        match before {
            Some(memory) if memory.is_archived() => self.restore_as(memory, text),
            Some(memory) => {
                let path = self.layout.memory_path(&memory.path);
                if text
                    .as_ref()
                    .is_none_or(|text| digest(text) != memory.digest)
                {
                    self.change(path, Some(memory.digest.clone()), text);
                }
                memory.path.clone()
            }
            None => {
                let path = self.free(&drafted);
                self.change(self.layout.memory_path(&path), None, text);
                path
            }
        }
    }

    /// Restores an archived memory unchanged.
    pub(crate) fn restore(&mut self, memory: &Memory) -> Utf8PathBuf {
        self.restore_as(memory, Some(memory.text.as_bytes().to_vec()))
    }

    fn restore_as(&mut self, memory: &Memory, text: Option<Vec<u8>>) -> Utf8PathBuf {
        let name = memory.path.file_name().unwrap_or("memory.md");
        let folder = Utf8Path::new(memory.memory_type.folder());
        let path = self.free(&acreta_fs::join(folder, name));
        let old = Some(memory.digest.clone());
        self.change(self.layout.memory_path(&memory.path), old, None);
        self.change(self.layout.memory_path(&path), None, text);
        path
    }

    pub(crate) fn archive(&mut self, memory: &Memory) -> Utf8PathBuf {
        let name = memory.path.file_name().unwrap_or("memory.md");
        let path = self.free(&Layout::archived_path(memory.memory_type, name));
        self.change(
            self.layout.memory_path(&memory.path),
            Some(memory.digest.clone()),
            None,
        );
        self.change(
            self.layout.memory_path(&path),
            None,
            Some(memory.text.as_bytes().to_vec()),
        );
        path
    }

    /// Removes a memory's file, and its sidecars if `sidecars` is set because its id is no longer used.
    pub(crate) fn forget(&mut self, memory: &Memory, sidecars: bool) -> Result<(), RunError> {
        self.change(
            self.layout.memory_path(&memory.path),
            Some(memory.digest.clone()),
            None,
        );
        self.taken.remove(memory.path.as_str());
        if sidecars {
            self.forget_sidecars(&memory.id)?;
        }
        Ok(())
    }

    pub(crate) fn forget_sidecars(&mut self, id: &str) -> Result<(), RunError> {
        for path in self.layout.sidecar_paths(id) {
            if let Some(old) = self.content(&path)? {
                self.change(path, Some(digest(old)), None);
            }
        }
        Ok(())
    }

    /// Writes a sidecar, unless it already has this value, even in the files of an earlier version.
    pub(crate) fn put_sidecar(
        &mut self,
        memory_type: MemoryType,
        sidecar: &Sidecar,
    ) -> Result<(), RunError> {
        let own = self.layout.sidecar_path(memory_type, &sidecar.id);
        let mut files = Vec::new();
        for path in self.layout.sidecar_paths(&sidecar.id) {
            let old = self.content(&path)?;
            files.push((path, old));
        }
        if sidecar.is_in(files.iter().filter_map(|(_, old)| old.as_deref())) {
            return Ok(());
        }
        let bytes = sidecar.to_json();
        for (path, old) in files {
            let new = (path == own).then(|| bytes.clone());
            if old.is_some() || new.is_some() {
                self.change(path, old.map(digest), new);
            }
        }
        Ok(())
    }

    fn content(&self, path: &Utf8Path) -> Result<Option<Vec<u8>>, RunError> {
        match self.base.read(path, SIDECAR_BYTES) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if FsError::is_not_found(&error) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Adds a change; one entry per path: a file that is removed and written again is replaced.
    fn change(&mut self, path: Utf8PathBuf, old: Option<String>, new: Option<Vec<u8>>) {
        match self.places.get(&path) {
            Some(place) => self.changes[*place].new = new,
            None => {
                self.places.insert(path.clone(), self.changes.len());
                self.changes.push(FileChange { path, old, new });
            }
        }
    }

    pub(crate) fn into_changes(self) -> Vec<FileChange> {
        self.changes
    }

    fn free(&mut self, wanted: &Utf8Path) -> Utf8PathBuf {
        let folder = wanted.parent().unwrap_or(Utf8Path::new(""));
        let name = wanted.file_name().unwrap_or("memory.md");
        let name = unique_name(|name| self.is_taken(&acreta_fs::join(folder, name)), name);
        let path = acreta_fs::join(folder, name);
        self.taken.insert(path.to_string());
        path
    }

    /// Reports whether the path is used by a memory after the change, or by another file on disk.
    fn is_taken(&self, path: &Utf8Path) -> bool {
        if self.taken.contains(path.as_str()) {
            return true;
        }
        let path = self.layout.memory_path(path);
        let goes = self
            .places
            .get(&path)
            .is_some_and(|place| self.changes[*place].new.is_none());
        !goes && self.base.exists(&path).unwrap_or(false)
    }
}
