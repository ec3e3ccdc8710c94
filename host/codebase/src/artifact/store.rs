//! The directory of artifacts: one tables file and one facts file per project. Readers never wait, because files are
//! replaced as a whole. One writer at a time holds the project's lock. A file torn by a crash fails its checksums and
//! is rebuilt.

use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use acreta_fs::{Directory, EntryKind, Faults, Lock, LockError, Reader};
use camino::Utf8Path;
use xxhash_rust::xxh3::xxh3_64;

use crate::ContextError;
use crate::artifact::format::{Artifact, UnusableArtifact};
use crate::scan::tree::FactsAt;

const TREE: &str = "tree";
const FACTS: &str = "facts";

#[derive(Debug, Clone)]
pub(crate) struct ArtifactStore {
    directory: Directory,
}

/// Content of the cache for a project.
#[derive(Debug)]
pub(crate) enum StoredArtifact {
    Nothing,
    /// Of another version, or damaged.
    Unusable,
    Artifact(Box<Artifact>),
}

impl ArtifactStore {
    pub(crate) fn open(path: &Utf8Path, faults: Arc<dyn Faults>) -> Result<Self, ContextError> {
        let directory = Directory::open_or_create_private(path, faults)?;
        Ok(Self { directory })
    }

    pub(crate) fn directory(&self) -> &Directory {
        &self.directory
    }

    /// Returns the id of a project in this store.
    pub(crate) fn id(project: &Utf8Path) -> String {
        format!("{:016x}", xxh3_64(project.as_str().as_bytes()))
    }

    pub(crate) fn load(&self, id: &str, project: &Utf8Path) -> StoredArtifact {
        match self.directory.open_reader(format!("{id}.{TREE}")) {
            Ok(reader) => match Artifact::read(reader) {
                // Two paths may have the same hash.
                Ok(artifact) if artifact.meta.root == project => {
                    StoredArtifact::Artifact(Box::new(artifact))
                }
                Ok(_) | Err(UnusableArtifact) => StoredArtifact::Unusable,
            },
            Err(error) if error.is_not_found() => StoredArtifact::Nothing,
            Err(_) => StoredArtifact::Unusable,
        }
    }

    /// Acquires the project's write lock, waiting at most `wait`.
    pub(crate) fn lock(&self, id: &str, wait: Duration) -> Result<Lock, ContextError> {
        self.directory
            .lock(format!("{id}.lock"), wait)
            .map_err(ContextError::Busy)
    }

    /// Reports whether another process holds this lock, without taking it.
    pub(crate) fn is_held(&self, name: &str) -> bool {
        if !matches!(self.directory.exists(name), Ok(true)) {
            return false;
        }
        matches!(
            self.directory.lock(name, Duration::ZERO),
            Err(LockError::Busy { .. })
        )
    }

    /// Replaces the project's artifact. The file is not synced: after a crash of the machine its checksums do not match
    /// and it is rebuilt.
    pub(crate) fn save(&self, id: &str, bytes: &[u8]) -> Result<(), ContextError> {
        self.directory
            .replace_unsynced(format!("{id}.{TREE}"), bytes)?;
        Ok(())
    }

    pub(crate) fn facts_name(id: &str, generation: u64) -> String {
        format!("{id}-{generation:x}.{FACTS}")
    }

    pub(crate) fn append_facts(&self, name: &str, bytes: &[u8]) -> Result<(), ContextError> {
        self.directory.append(name, bytes)?;
        Ok(())
    }

    /// Returns the size of a facts file; 0 if there is none.
    pub(crate) fn facts_bytes(&self, name: &str) -> u64 {
        self.directory
            .metadata(name)
            .map_or(0, |metadata| metadata.bytes)
    }

    pub(crate) fn facts(&self, name: &str) -> Option<FactsReader> {
        let reader = self.directory.open_reader(name).ok()?;
        Some(FactsReader {
            reader,
            is_damaged: false,
        })
    }

    /// Removes all facts files of this project except `keep`.
    pub(crate) fn drop_facts(&self, id: &str, keep: &str) {
        for name in self.names() {
            if name.starts_with(&format!("{id}-")) && name.ends_with(FACTS) && name != keep {
                // Best effort: the next writer tries again.
                let _ = self.directory.remove_file(&name);
            }
        }
    }

    /// Marks a project as used now, for eviction.
    pub(crate) fn touch(&self, id: &str, now: SystemTime) {
        const OFTEN_ENOUGH: Duration = Duration::from_secs(600);
        let path = self.directory.path().join(format!("{id}.{TREE}"));
        let is_recent = std::fs::metadata(&path)
            .and_then(|metadata| metadata.modified())
            .is_ok_and(|used| now.duration_since(used).unwrap_or_default() < OFTEN_ENOUGH);
        if !is_recent && let Ok(file) = std::fs::File::options().append(true).open(&path) {
            // Best effort: at worst the project is evicted too early and rebuilt.
            let _ = file.set_modified(now);
        }
    }

    /// Removes the least recently used projects until `most` are left.
    pub(crate) fn evict(&self, most: usize) {
        let mut projects: Vec<(i64, String)> = self
            .names()
            .filter_map(|name| {
                let id = name.strip_suffix(&format!(".{TREE}"))?;
                let metadata = self.directory.metadata(&name).ok()?;
                Some((metadata.modified_ns, id.to_owned()))
            })
            .collect();
        projects.sort();
        let surplus = projects.len().saturating_sub(most);
        for (_, id) in projects.into_iter().take(surplus) {
            // A locked project is being written.
            let Ok(_lock) = self.directory.lock(format!("{id}.lock"), Duration::ZERO) else {
                continue;
            };
            for name in self.names() {
                if name.starts_with(&id) && !name.ends_with(".lock") {
                    let _ = self.directory.remove_file(&name);
                }
            }
        }
    }

    fn names(&self) -> impl Iterator<Item = String> + use<> {
        let entries = self.directory.list(".", MOST_NAMES).unwrap_or_default();
        entries
            .into_iter()
            .filter(|entry| entry.metadata.kind == EntryKind::File)
            .filter_map(|entry| entry.path.file_name().map(ToOwned::to_owned))
    }
}

/// Larger than any cache within its limits.
const MOST_NAMES: u64 = 100_000;

/// An open facts file.
#[derive(Debug)]
pub(crate) struct FactsReader {
    reader: Reader,
    /// Some requested facts did not match their checksum.
    pub(crate) is_damaged: bool,
}

impl FactsReader {
    /// Reads facts; returns `None` if they are damaged.
    pub(crate) fn read(&mut self, at: FactsAt) -> Option<Vec<u8>> {
        let read = self.read_whole(at);
        self.is_damaged |= read.is_none();
        read
    }

    fn read_whole(&mut self, at: FactsAt) -> Option<Vec<u8>> {
        if at.offset.checked_add(u64::from(at.bytes))? > self.reader.size() {
            return None;
        }
        let mut bytes = vec![0; at.bytes as usize];
        self.reader.seek(SeekFrom::Start(at.offset)).ok()?;
        self.reader.read_exact(&mut bytes).ok()?;
        is_whole(&bytes, at).then_some(bytes)
    }

    /// Reads the whole file, for questions that concern every file.
    pub(crate) fn read_all(mut self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.reader.size() as usize);
        match self
            .reader
            .seek(SeekFrom::Start(0))
            .and_then(|_| self.reader.read_to_end(&mut bytes))
        {
            Ok(_) => bytes,
            Err(_) => Vec::new(),
        }
    }
}

/// Reports whether facts match their checksum.
pub(crate) fn is_whole(bytes: &[u8], at: FactsAt) -> bool {
    xxh3_64(bytes) as u32 == at.check
}
