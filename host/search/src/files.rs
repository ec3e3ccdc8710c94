//! Read access to the memory files of a scope: listing, stamps and reading single memories.

use std::collections::HashMap;
use std::hash::Hasher;
use std::sync::{Arc, Mutex};

use acreta_fs::{Directory, EntryKind, Faults, FsError, Stamp};
use acreta_store::{
    Layout, MEMORY_BYTES, Memory, Problem, SIDECAR_FOLDERS, Sidecar, WordsFile, as_line, digest,
    is_id,
};
use acreta_text::Fnv;
use acreta_types::{MEMORY_TYPES, MemoryType, locked};
use camino::{Utf8Path, Utf8PathBuf};

use crate::schema::MemoryFingerprint;

/// The open folder of a scope.
pub(crate) struct MemoryFiles {
    layout: Layout,
    words: WordsFile,
    pub(crate) base: Directory,
    /// The folders that were looked into. To look at a file, no folder above it is looked at again.
    opened: Mutex<HashMap<Utf8PathBuf, Directory>>,
}

/// Listing of all memory files and sidecars with their stamps.
#[derive(Default)]
pub(crate) struct MemoryListing {
    /// Sorted by folder and name, like in the store.
    pub(crate) files: Vec<MemoryFile>,
    pub(crate) problems: Vec<Problem>,
    sidecars: HashMap<Utf8PathBuf, Stamp>,
}

pub(crate) struct MemoryFile {
    /// Relative to the memory root.
    pub(crate) path: Utf8PathBuf,
    pub(crate) memory_type: MemoryType,
    stamp: Stamp,
}

/// Stamps of a memory file and of the files of its sidecar.
struct MemoryFileStamps([Option<Stamp>; 1 + SIDECAR_FOLDERS.len()]);

/// Result of reading a memory file.
pub(crate) enum MemoryFileContent {
    Memory(Box<Memory>, MemoryFingerprint),
    Gone,
    Unusable(Problem),
}

const SIDECAR_BYTES: u64 = 64 * 1024 * 1024;
const FOLDER_FILES: u64 = 10_000_000;

impl MemoryFiles {
    /// Opens a scope's folder; returns `None` if it does not exist yet.
    pub(crate) fn open(layout: &Layout, faults: &Arc<dyn Faults>) -> Result<Option<Self>, FsError> {
        let base = layout.open(faults)?;
        Ok(base.map(|base| Self {
            layout: layout.clone(),
            words: WordsFile::new(layout),
            base,
            opened: Mutex::default(),
        }))
    }

    /// Lists every memory file and sidecar without reading them.
    pub(crate) fn list(&self) -> MemoryListing {
        let mut listing = MemoryListing::default();
        for (memory_type, folder) in folders() {
            let in_base = self.layout.memory_path(&folder);
            match self.base.list(&in_base, FOLDER_FILES) {
                Ok(entries) => listing
                    .files
                    .extend(entries.into_iter().filter_map(|entry| {
                        let name = entry.path.file_name()?;
                        let is_memory = entry.metadata.kind == EntryKind::File
                            && name.ends_with(".md")
                            && !name.starts_with('.');
                        is_memory.then(|| MemoryFile {
                            path: folder.join(name),
                            memory_type,
                            stamp: entry.metadata.stamp(),
                        })
                    })),
                Err(error) if error.is_not_found() => {}
                Err(error) => listing.problems.push(problem(in_base, &error)),
            }
        }
        for folder in SIDECAR_FOLDERS {
            // Without a listing of sidecars, every memory that has one looks changed and is reread.
            for entry in self.base.list(folder, FOLDER_FILES).unwrap_or_default() {
                listing.sidecars.insert(entry.path, entry.metadata.stamp());
            }
        }
        listing
    }

    /// Returns every folder of memories or sidecars, relative to the base, with its stamp.
    pub(crate) fn folders(&self) -> impl Iterator<Item = (Utf8PathBuf, Option<Stamp>)> {
        let memory = folders().map(|(_, folder)| self.layout.memory_path(folder));
        let sidecars = SIDECAR_FOLDERS.into_iter().map(Utf8PathBuf::from);
        memory.chain(sidecars).map(|folder| {
            let stamp = self.stamp(&folder);
            (folder, stamp)
        })
    }

    /// Converts a path relative to the base to a memory path relative to the memory root.
    pub(crate) fn in_memory<'a>(&self, path: &'a Utf8Path) -> Option<&'a Utf8Path> {
        let path = self.layout.in_memory(path)?;
        type_of(path).map(|_| path)
    }

    /// Returns the id of the memory if a path relative to the base is its sidecar.
    pub(crate) fn sidecar_of<'a>(&self, path: &'a Utf8Path) -> Option<&'a str> {
        let id = path.file_stem()?;
        self.layout
            .sidecar_paths(id)
            .iter()
            .any(|sidecar| sidecar == path)
            .then_some(id)
    }

    /// Converts a path relative to the memory root to the form used in problems.
    pub(crate) fn in_base(&self, path: &Utf8Path) -> Utf8PathBuf {
        self.layout.memory_path(path)
    }

    /// Returns a fingerprint of one memory's files; `None` if it is gone.
    pub(crate) fn fingerprint(&self, path: &Utf8Path, id: &str) -> Option<u64> {
        let file = self.stamp(&self.layout.memory_path(path))?;
        let sidecars = self.layout.sidecar_paths(id);
        let stamps = MemoryFileStamps::new(file, sidecars.map(|path| self.stamp(&path)));
        Some(stamps.fingerprint(self.words_about(id)))
    }

    /// Returns the stamp of a file or folder, relative to the base; `None` if it cannot be looked at.
    fn stamp(&self, path: &Utf8Path) -> Option<Stamp> {
        let folder = self.folder(path.parent()?)?;
        Some(folder.metadata(path.file_name()?).ok()?.stamp())
    }

    /// Opens a folder, or returns it if it is open. A missing one is looked for each time, since it may be made.
    fn folder(&self, path: &Utf8Path) -> Option<Directory> {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Some(self.base.clone());
        };
        if let Some(known) = locked(&self.opened).get(path) {
            return Some(known.clone());
        }
        let folder = self.folder(parent)?.subdirectory(name).ok()?;
        locked(&self.opened).insert(path.to_owned(), folder.clone());
        Some(folder)
    }

    /// Returns the fingerprint of a listed memory's files, given its id.
    pub(crate) fn listed_fingerprint(
        &self,
        listing: &MemoryListing,
        listed: &MemoryFile,
        id: &str,
    ) -> u64 {
        let sidecar = |path: Utf8PathBuf| listing.sidecars.get(&path).copied();
        let sidecars = self.layout.sidecar_paths(id).map(sidecar);
        let stamps = MemoryFileStamps::new(listed.stamp, sidecars);
        stamps.fingerprint(self.words_about(id))
    }

    /// Hashes the user's trust words about a memory, because adding one changes none of its files.
    fn words_about(&self, id: &str) -> u64 {
        let known = self.words.about_id(id);
        let mut words = Fnv::default();
        words.add_number(known.learnt_about(id));
        words.add_number(known.repository().map_or(0, |policy| 1 + policy as u64));
        for word in known.about(id) {
            words.add_number(Fnv::of(as_line(word)));
        }
        words.finish()
    }

    /// Reads a memory and its sidecars.
    pub(crate) fn read(
        &self,
        path: &Utf8Path,
        memory_type: MemoryType,
        now_ms: i64,
    ) -> MemoryFileContent {
        let in_base = self.layout.memory_path(path);
        let unusable = |line, column, message: String| {
            MemoryFileContent::Unusable(Problem {
                path: in_base.clone(),
                line,
                column,
                message,
            })
        };
        // Stat before reading: a change in between is then noticed next time.
        let looked = match self.base.metadata(&in_base) {
            Ok(metadata) => metadata.stamp(),
            Err(error) if error.is_not_found() => return MemoryFileContent::Gone,
            Err(error) => return MemoryFileContent::Unusable(problem(in_base, &error)),
        };
        let text = match self.base.read_to_string(&in_base, MEMORY_BYTES) {
            Ok(text) => text,
            Err(error) if error.is_not_found() => return MemoryFileContent::Gone,
            Err(error) => return MemoryFileContent::Unusable(problem(in_base, &error)),
        };
        let mut memory = match Memory::parse(memory_type, path.to_owned(), text) {
            Ok(memory) => memory,
            Err(error) => return unusable(error.line, error.column, error.message),
        };
        if !is_id(&memory.id) {
            let id = acreta_text::visible(&memory.id);
            return unusable(1, 1, format!("id `{id}` is not a plain name"));
        }
        let parts = self.layout.sidecar_paths(&memory.id).map(|path| {
            let looked = self.base.metadata(&path).ok()?.stamp();
            let bytes = self.base.read(&path, SIDECAR_BYTES).unwrap_or_default();
            Some((looked, bytes))
        });
        let looked_at = parts.each_ref().map(|part| Some(part.as_ref()?.0));
        let stamps = MemoryFileStamps::new(looked, looked_at);
        let parts: Vec<&[u8]> = parts
            .iter()
            .flatten()
            .map(|part| part.1.as_slice())
            .collect();
        let digests: Vec<String> = parts.iter().map(digest).collect();
        let seen = MemoryFingerprint {
            fingerprint: stamps.fingerprint(self.words_about(&memory.id)),
            is_racy: stamps.is_racy(now_ms),
            digest: digest(format!("{} {}", memory.digest, digests.join(" "))),
        };
        // An unusable sidecar counts as missing; loading memory reports it.
        let sidecar = Sidecar::read(&memory.id, parts);
        memory.state = sidecar.state;
        memory.evidence = sidecar.evidence;
        memory.hear_from(&self.words);
        MemoryFileContent::Memory(Box::new(memory), seen)
    }
}

impl MemoryFileStamps {
    fn new(file: Stamp, sidecars: [Option<Stamp>; SIDECAR_FOLDERS.len()]) -> Self {
        let mut stamps = [Some(file); 1 + SIDECAR_FOLDERS.len()];
        stamps[1..].copy_from_slice(&sidecars);
        Self(stamps)
    }

    /// Combines all stamps and the hash of the trust words.
    fn fingerprint(&self, words: u64) -> u64 {
        let mut number = Fnv::default();
        number.add_number(words);
        for stamp in &self.0 {
            let Some(stamp) = stamp else {
                number.add_number(0);
                continue;
            };
            number.add_number(1);
            number.add_number(stamp.bytes);
            number.add_number(stamp.modified_ns.cast_unsigned());
            number.add_number(stamp.changed_ns.cast_unsigned());
            number.add_number(stamp.inode);
        }
        number.finish()
    }

    fn is_racy(&self, looked_ms: i64) -> bool {
        let looked_ns = looked_ms.saturating_mul(1_000_000);
        self.0
            .iter()
            .flatten()
            .any(|stamp| stamp.is_racy(looked_ns))
    }
}

/// Returns the type of the memories in a path's folder; `None` outside of memory folders.
pub(crate) fn type_of(path: &Utf8Path) -> Option<MemoryType> {
    folders()
        .find(|(_, folder)| path.parent() == Some(folder))
        .map(|(memory_type, _)| memory_type)
}

/// Returns the memory folders in the store's order.
fn folders() -> impl Iterator<Item = (MemoryType, Utf8PathBuf)> {
    let active = MEMORY_TYPES
        .iter()
        .map(|entry| (entry.memory_type, Utf8PathBuf::from(entry.folder)));
    let archived = MEMORY_TYPES
        .iter()
        .filter(|entry| entry.extractable)
        .filter_map(|entry| {
            let path = Layout::archived_path(entry.memory_type, "any");
            Some((entry.memory_type, path.parent()?.to_owned()))
        });
    active.chain(archived)
}

fn problem(path: Utf8PathBuf, error: &FsError) -> Problem {
    let message = match std::error::Error::source(error) {
        Some(cause) => format!("cannot be read: {cause}"),
        None => error.to_string(),
    };
    Problem {
        path,
        line: 0,
        column: 0,
        message,
    }
}
