//! Loads all of memory. Every file that cannot be used is reported as a problem with its location; it is neither
//! skipped silently nor does it fail the rest.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use acreta_fs::{Directory, EntryKind, FsError};
use acreta_types::{MEMORY_TYPES, MemoryType};
use camino::{Utf8Path, Utf8PathBuf};

use crate::known::{MemoryRead, MemoryReload};
use crate::layout::{ARCHIVED, FOLDER_FILES, Layout, SIDECAR_FOLDERS};
use crate::merged::{self, ReadSidecar};
use crate::{
    EvidenceFile, KnownFiles, Memory, Problem, StateFile, Store, StoreError, Words, WordsFile,
    is_id,
};

/// Maximum size of a memory file.
pub const MEMORY_BYTES: u64 = 1024 * 1024;

/// Maximum size of a sidecar.
pub(crate) const SIDECAR_BYTES: u64 = 64 * 1024 * 1024;

/// All of memory at one time, ordered by folder and name, with the files that could not be read.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    pub memories: Vec<Arc<Memory>>,
    pub problems: Vec<Problem>,
    /// Sidecars of memories whose files are gone or cannot be read, by id.
    pub removed: Vec<RemovedMemory>,
}

/// The sidecars of a memory without a usable file.
#[derive(Debug, Clone, PartialEq)]
pub struct RemovedMemory {
    pub evidence: EvidenceFile,
    pub state: Option<StateFile>,
}

impl Snapshot {
    pub fn iter(&self) -> impl Iterator<Item = &Memory> {
        self.memories.iter().map(Arc::as_ref)
    }
}

impl Store {
    /// Reads every memory and its sidecars, including archived ones. Fails only if the store's own folder cannot be
    /// opened.
    pub fn load(&self) -> Result<Snapshot, StoreError> {
        let Some(directory) = self.existing()? else {
            return Ok(Snapshot::default());
        };
        Ok(self.load_all(directory, None))
    }

    /// Like [`Store::load`], and reuses the results of files whose stamps are unchanged.
    pub fn load_again(&self, known: &KnownFiles, now_ms: u64) -> Result<Snapshot, StoreError> {
        let Some(directory) = self.existing()? else {
            return Ok(Snapshot::default());
        };
        let mut again = MemoryReload::new(known, now_ms, directory);
        let snapshot = self.load_all(directory, Some(&mut again));
        again.end();
        Ok(snapshot)
    }

    fn load_all(
        &self,
        directory: &Directory,
        mut again: Option<&mut MemoryReload<'_>>,
    ) -> Snapshot {
        let mut loading = SnapshotLoader {
            words: Words::load(self.layout()),
            ..SnapshotLoader::default()
        };
        let sidecars = SidecarFolders::open(directory);
        for (memory_type, folder) in folders() {
            let again = again.as_deref_mut();
            let folder = (memory_type, folder.as_path());
            self.load_folder(directory, folder, &sidecars, again, &mut loading);
        }
        self.load_removed(directory, &sidecars, &mut loading);
        loading.snapshot
    }

    /// Reads one memory and its sidecars, by its path in the memory root; `None` if it does not exist or cannot be
    /// read.
    pub fn read(
        &self,
        memory_type: MemoryType,
        path: &Utf8Path,
    ) -> Result<Option<Memory>, StoreError> {
        self.read_with(&WordsFile::new(self.layout()), memory_type, path)
    }

    /// Like [`Store::read`], for one of several memories.
    pub fn read_with(
        &self,
        words: &WordsFile,
        memory_type: MemoryType,
        path: &Utf8Path,
    ) -> Result<Option<Memory>, StoreError> {
        let Some(directory) = self.existing()? else {
            return Ok(None);
        };
        let folder = path.parent().unwrap_or(Utf8Path::new(""));
        let folder = MemoryFolder::open(directory, &self.layout().memory_path(folder));
        let sidecars = SidecarFolders::open(directory);
        let read = self.read_memory(&folder, &sidecars, memory_type, path.to_owned());
        let memory = read.memory.map(Arc::unwrap_or_clone);
        Ok(memory.map(|mut memory| {
            memory.hear_from(words);
            memory
        }))
    }

    /// Returns the ids that have sidecars, unordered and not unique. Reads no file.
    pub fn sidecar_ids(&self) -> Result<Vec<String>, StoreError> {
        let Some(directory) = self.existing()? else {
            return Ok(Vec::new());
        };
        let mut ids = Vec::new();
        for folder in SIDECAR_FOLDERS {
            let entries = match directory.list(folder, FOLDER_FILES) {
                Err(error) if error.is_not_found() => continue,
                entries => entries?,
            };
            let names = entries.iter().filter_map(|entry| entry.path.file_name());
            ids.extend(names.filter_map(|name| Some(name.strip_suffix(".json")?.to_owned())));
        }
        Ok(ids)
    }

    fn load_folder(
        &self,
        directory: &Directory,
        (memory_type, folder): (MemoryType, &Utf8Path),
        sidecars: &SidecarFolders<'_>,
        mut again: Option<&mut MemoryReload<'_>>,
        loading: &mut SnapshotLoader,
    ) {
        let layout = self.layout();
        let in_base = layout.memory_path(folder);
        let entries = match directory.list(&in_base, FOLDER_FILES) {
            Ok(entries) => entries,
            Err(error) if error.is_not_found() => return,
            Err(error) => return loading.problem(&in_base, describe(&error)),
        };
        let opened = MemoryFolder::open(directory, &in_base);
        for entry in entries {
            let name = entry.path.file_name().unwrap_or_default();
            // Editors and operating systems leave hidden files; other files are not memory.
            if name.starts_with('.')
                || (entry.metadata.kind == EntryKind::File && !name.ends_with(".md"))
            {
                continue;
            }
            match entry.metadata.kind {
                EntryKind::File => {
                    let known = again
                        .as_mut()
                        .and_then(|again| again.known(&entry.path, &entry.metadata, layout));
                    let read = known.unwrap_or_else(|| {
                        let path = acreta_fs::join(folder, name);
                        let read = self.read_memory(&opened, sidecars, memory_type, path);
                        if let Some(again) = &mut again {
                            again.keep(&entry.path, &entry.metadata, &read, layout);
                        }
                        read
                    });
                    loading.take(&entry.path, read);
                }
                EntryKind::Directory => {
                    let message =
                        format!("is a directory; memory files must be directly in `{folder}`");
                    loading.problem(&entry.path, message);
                }
                kind => {
                    loading.problem(&entry.path, format!("is a {kind}, not a regular file"));
                }
            }
        }
    }

    /// Reads a memory file and its sidecars.
    fn read_memory(
        &self,
        folder: &MemoryFolder<'_>,
        sidecars: &SidecarFolders<'_>,
        memory_type: MemoryType,
        path: Utf8PathBuf,
    ) -> MemoryRead {
        let layout = self.layout();
        let in_base = layout.memory_path(&path);
        let mut read = MemoryRead::default();
        let text = match folder.read_to_string(&in_base) {
            Ok(text) => text,
            // Removed since it was listed.
            Err(error) if error.is_not_found() => return read,
            Err(error) => return read.problem(&in_base, 0, 0, describe(&error)),
        };
        let mut memory = match Memory::parse(memory_type, path, text) {
            Ok(memory) => memory,
            Err(error) => return read.problem(&in_base, error.line, error.column, error.message),
        };
        if !is_id(&memory.id) {
            let id = acreta_text::visible(&memory.id);
            return read.problem(&in_base, 1, 1, format!("id `{id}` is not a plain name"));
        }
        for message in memory.front_matter.problems(memory_type) {
            read = read.problem(&in_base, 1, 1, message);
        }
        if let Some(sidecar) = sidecars.read(&memory.id, layout, &mut read.problems) {
            memory.untidy = !sidecar.is_tidy;
            memory.evidence = sidecar.file.evidence;
            memory.state = sidecar.file.state;
        }
        read.memory = Some(Arc::new(memory));
        read
    }

    /// Loads sidecars that belong to no loaded memory.
    fn load_removed(
        &self,
        directory: &Directory,
        sidecars: &SidecarFolders<'_>,
        loading: &mut SnapshotLoader,
    ) {
        let layout = self.layout();
        let mut seen = BTreeSet::new();
        for folder in SIDECAR_FOLDERS.map(Utf8Path::new) {
            let entries = match directory.list(folder, FOLDER_FILES) {
                Ok(entries) => entries,
                Err(error) if error.is_not_found() => continue,
                Err(error) => {
                    loading.problem(folder, describe(&error));
                    continue;
                }
            };
            let names = entries.iter().filter_map(|entry| entry.path.file_name());
            let ids = names.filter_map(|name| name.strip_suffix(".json"));
            for id in ids.filter(|id| is_id(id)) {
                if loading.paths.contains_key(&id.to_ascii_lowercase())
                    || !seen.insert(id.to_owned())
                {
                    continue;
                }
                let problems = &mut loading.snapshot.problems;
                let sidecar = sidecars.read(id, layout, problems);
                let Some(file) = sidecar.map(|sidecar| sidecar.file) else {
                    continue;
                };
                if let Some(evidence) = file.evidence {
                    let state = file.state;
                    let removed = &mut loading.snapshot.removed;
                    removed.push(RemovedMemory { evidence, state });
                }
            }
        }
        let removed = &mut loading.snapshot.removed;
        removed.sort_by(|left, right| left.evidence.id.cmp(&right.evidence.id));
    }
}

/// Returns the folders of memory, relative to the memory root, with the type of their memories.
pub(crate) fn folders() -> impl Iterator<Item = (MemoryType, Utf8PathBuf)> {
    let active = MEMORY_TYPES
        .iter()
        .map(|entry| (entry.memory_type, Utf8PathBuf::from(entry.folder)));
    let archived = MEMORY_TYPES
        .iter()
        .filter(|entry| entry.extractable)
        .map(|entry| (entry.memory_type, acreta_fs::join(ARCHIVED, entry.folder)));
    active.chain(archived)
}

#[derive(Default)]
struct SnapshotLoader {
    snapshot: Snapshot,
    /// Path at which each id was found first.
    paths: HashMap<String, Utf8PathBuf>,
    /// Read on every load: an endorsement changes no file of the memory.
    words: Words,
}

impl SnapshotLoader {
    fn problem(&mut self, path: &Utf8Path, message: impl Into<String>) {
        self.snapshot
            .problems
            .push(Problem::new(path, 0, 0, message));
    }

    /// Adds a memory. Ids name files and some file systems are case-insensitive, so the first file with an id counts.
    fn take(&mut self, path: &Utf8Path, read: MemoryRead) {
        let Some(memory) = read.memory else {
            return self.snapshot.problems.extend(read.problems);
        };
        match self.paths.entry(memory.id.to_ascii_lowercase()) {
            Entry::Occupied(other) => {
                let other = other.get();
                let message = format!("has the same id as `{other}`, which is used instead");
                self.problem(path, message);
            }
            Entry::Vacant(place) => {
                place.insert(path.to_owned());
                self.snapshot.problems.extend(read.problems);
                self.snapshot.memories.push(memory.heard(&self.words));
            }
        }
    }
}

impl MemoryRead {
    fn problem(
        mut self,
        path: &Utf8Path,
        line: u64,
        column: u64,
        message: impl Into<String>,
    ) -> Self {
        self.problems
            .push(Problem::new(path, line, column, message));
        self
    }
}

/// A folder that is opened once for all of its files, so that its path is resolved once. A folder that does not exist
/// yet is looked up again for each file.
struct MemoryFolder<'a> {
    base: &'a Directory,
    opened: Option<Directory>,
}

impl<'a> MemoryFolder<'a> {
    fn open(base: &'a Directory, path: &Utf8Path) -> Self {
        Self {
            base,
            opened: base.subdirectory(path).ok(),
        }
    }

    /// Returns the directory to read a file of this folder from, and the path in it. `path` is relative to the base.
    fn place<'p>(&self, path: &'p Utf8Path) -> (&Directory, &'p Utf8Path) {
        match (&self.opened, path.file_name()) {
            (Some(opened), Some(name)) => (opened, Utf8Path::new(name)),
            _ => (self.base, path),
        }
    }

    fn read_to_string(&self, path: &Utf8Path) -> Result<String, FsError> {
        let (directory, path) = self.place(path);
        directory.read_to_string(path, MEMORY_BYTES)
    }

    fn read(&self, path: &Utf8Path) -> Result<Vec<u8>, FsError> {
        let (directory, path) = self.place(path);
        directory.read(path, SIDECAR_BYTES)
    }
}

/// The folders of sidecars that exist, with their place in [`SIDECAR_FOLDERS`].
struct SidecarFolders<'a>(Vec<(usize, MemoryFolder<'a>)>);

impl<'a> SidecarFolders<'a> {
    fn open(base: &'a Directory) -> Self {
        let folders = SIDECAR_FOLDERS.iter().map(Utf8Path::new).enumerate();
        let present = folders.filter(
            |(_, folder)| !matches!(base.metadata(folder), Err(error) if error.is_not_found()),
        );
        let opened = present.map(|(place, folder)| (place, MemoryFolder::open(base, folder)));
        Self(opened.collect())
    }

    /// Reads the sidecar of an id from wherever it is.
    fn read(&self, id: &str, layout: &Layout, problems: &mut Vec<Problem>) -> Option<ReadSidecar> {
        let paths = layout.sidecar_paths(id);
        let parts = self.0.iter().filter_map(|(place, folder)| {
            let path = &paths[*place];
            let bytes = match folder.read(path) {
                Ok(bytes) => bytes,
                Err(error) if error.is_not_found() => return None,
                Err(error) => {
                    problems.push(Problem::new(path, 0, 0, describe(&error)));
                    return None;
                }
            };
            match merged::read(&bytes) {
                Ok(read) if read.file.id == id => Some(read),
                Ok(_) => {
                    let message = "has an id that does not match its file name";
                    problems.push(Problem::new(path, 0, 0, message));
                    None
                }
                Err(error) => {
                    let (line, column) = (error.line() as u64, error.column() as u64);
                    problems.push(Problem::new(path, line, column, error.to_string()));
                    None
                }
            }
        });
        parts.reduce(merged::joined)
    }
}

/// Formats a file system error without its path, which the problem already names.
fn describe(error: &FsError) -> String {
    match error {
        FsError::TooLarge { limit, .. } => format!("is larger than {limit} bytes"),
        FsError::Link { .. } => "is skipped: it is a symbolic link".to_owned(),
        FsError::NotUtf8 { .. } => "is not valid UTF-8".to_owned(),
        FsError::NotRegular { kind, .. } => format!("is a {kind}, not a regular file"),
        FsError::NotDirectory { kind, .. } => format!("is a {kind}, not a directory"),
        other => match std::error::Error::source(other) {
            Some(cause) => format!("cannot be read: {cause}"),
            None => other.to_string(),
        },
    }
}
