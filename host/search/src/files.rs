//! The files of a scope as the index sees them: what is there, what it looks like from outside, and
//! reading one. Reads only.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use acreta_fs::{Directory, EntryKind, Faults, FsError, Metadata};
use acreta_model::{MEMORY_TYPES, MemoryType};
use acreta_store::{
    EvidenceFile, Layout, MEMORY_BYTES, Memory, Problem, StateFile, Words, as_line, digest, is_id,
};
use camino::{Utf8Path, Utf8PathBuf};
use serde::de::DeserializeOwned;

use crate::fnv::Fnv;
use crate::schema::Seen;

/// The folder of a scope, open.
pub(crate) struct Files {
    layout: Layout,
    words: Words,
    pub(crate) base: Directory,
}

/// Everything there is, looked at from outside.
#[derive(Default)]
pub(crate) struct Listing {
    /// By folder and name, as the store orders them.
    pub(crate) files: Vec<Listed>,
    pub(crate) problems: Vec<Problem>,
    sidecars: HashMap<Utf8PathBuf, Metadata>,
}

pub(crate) struct Listed {
    /// Relative to the memory root.
    pub(crate) path: Utf8PathBuf,
    pub(crate) memory_type: MemoryType,
    metadata: Metadata,
}

/// Size, time and identity of a memory's files and the words about it, as one number, and when the
/// newest file changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(crate) stamp: u64,
    pub(crate) newest_ms: i64,
}

/// What reading a memory's file gave.
pub(crate) enum Read {
    Memory(Box<Memory>, Seen),
    Gone,
    Unusable(Problem),
}

const SIDECAR_BYTES: u64 = 64 * 1024 * 1024;
const FOLDER_FILES: u64 = 10_000_000;

impl Files {
    /// Opens a scope's folder; `None` when there is none yet.
    pub(crate) fn open(layout: &Layout, faults: &Arc<dyn Faults>) -> Result<Option<Self>, FsError> {
        let base = layout.open(faults)?;
        Ok(base.map(|base| Self {
            layout: layout.clone(),
            words: Words::load(layout),
            base,
        }))
    }

    /// Looks at every memory file and sidecar, and reads none.
    pub(crate) fn list(&self) -> Listing {
        let mut listing = Listing::default();
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
                        is_memory.then(|| Listed {
                            path: folder.join(name),
                            memory_type,
                            metadata: entry.metadata,
                        })
                    })),
                Err(error) if error.is_not_found() => {}
                Err(error) => listing.problems.push(problem(in_base, &error)),
            }
        }
        for folder in [self.layout.state_path(""), self.layout.evidence_path("")] {
            let folder = folder.parent().unwrap_or(Utf8Path::new("."));
            // Without a list of sidecars every memory that has one looks changed, and is read.
            for entry in self.base.list(folder, FOLDER_FILES).unwrap_or_default() {
                listing.sidecars.insert(entry.path, entry.metadata);
            }
        }
        listing
    }

    /// A path relative to the memory root, as problems name it.
    pub(crate) fn in_base(&self, path: &Utf8Path) -> Utf8PathBuf {
        self.layout.memory_path(path)
    }

    /// What one memory's files look like now; `None` when it is gone.
    pub(crate) fn stamp(&self, path: &Utf8Path, id: &str) -> Option<Stamp> {
        let memory = self.base.metadata(self.layout.memory_path(path)).ok()?;
        let sidecar = |path: Utf8PathBuf| self.base.metadata(path).ok();
        let state = sidecar(self.layout.state_path(id));
        let evidence = sidecar(self.layout.evidence_path(id));
        let words = self.words_about(id);
        Some(Stamp::new(
            &memory,
            state.as_ref(),
            evidence.as_ref(),
            words,
        ))
    }

    /// What a listed memory's files look like, when its id is known.
    pub(crate) fn listed_stamp(&self, listing: &Listing, listed: &Listed, id: &str) -> Stamp {
        let sidecar = |path: Utf8PathBuf| listing.sidecars.get(&path);
        Stamp::new(
            &listed.metadata,
            sidecar(self.layout.state_path(id)),
            sidecar(self.layout.evidence_path(id)),
            self.words_about(id),
        )
    }

    /// Stands for the user's words about a memory: giving one changes none of its files.
    fn words_about(&self, id: &str) -> u64 {
        let mut words = Fnv::default();
        for word in self.words.about(id) {
            words.add_number(Fnv::of(as_line(word).as_bytes()));
        }
        words.number()
    }

    /// Reads a memory and its sidecars.
    pub(crate) fn read(&self, path: &Utf8Path, memory_type: MemoryType, now_ms: i64) -> Read {
        let in_base = self.layout.memory_path(path);
        let unusable = |line, column, message: String| {
            Read::Unusable(Problem {
                path: in_base.clone(),
                line,
                column,
                message,
            })
        };
        // Looked at before it is read: a change in between is seen the next time.
        let looked = match self.base.metadata(&in_base) {
            Ok(metadata) => metadata,
            Err(error) if error.is_not_found() => return Read::Gone,
            Err(error) => return Read::Unusable(problem(in_base, &error)),
        };
        let text = match self.base.read_to_string(&in_base, MEMORY_BYTES) {
            Ok(text) => text,
            Err(error) if error.is_not_found() => return Read::Gone,
            Err(error) => return Read::Unusable(problem(in_base, &error)),
        };
        let mut memory = match Memory::parse(memory_type, path.to_owned(), text) {
            Ok(memory) => memory,
            Err(error) => return unusable(error.line, error.column, error.message),
        };
        if !is_id(&memory.id) {
            let id = acreta_text::visible(&memory.id);
            return unusable(1, 1, format!("id `{id}` is not a plain name"));
        }
        let state = self.sidecar(self.layout.state_path(&memory.id), |file: &StateFile| {
            file.id == memory.id
        });
        let evidence = self.sidecar(
            self.layout.evidence_path(&memory.id),
            |file: &EvidenceFile| file.id == memory.id,
        );
        let stamp = Stamp::new(
            &looked,
            state.looked.as_ref(),
            evidence.looked.as_ref(),
            self.words_about(&memory.id),
        );
        let seen = Seen {
            stamp: stamp.stamp,
            newest_ms: stamp.newest_ms,
            seen_ms: now_ms,
            digest: digest(format!(
                "{} {} {}",
                memory.digest, state.digest, evidence.digest
            )),
        };
        memory.state = state.content;
        memory.evidence = evidence.content;
        memory.hear(&self.words);
        Read::Memory(Box::new(memory), seen)
    }

    /// A sidecar that cannot be used is as good as none; reading memory reports it.
    fn sidecar<T: DeserializeOwned>(
        &self,
        path: Utf8PathBuf,
        fits: impl FnOnce(&T) -> bool,
    ) -> Sidecar<T> {
        let looked = self.base.metadata(&path).ok();
        let bytes = match &looked {
            Some(_) => self.base.read(&path, SIDECAR_BYTES).unwrap_or_default(),
            None => Vec::new(),
        };
        Sidecar {
            looked,
            digest: digest(&bytes),
            content: serde_json::from_slice(&bytes).ok().filter(fits),
        }
    }
}

struct Sidecar<T> {
    looked: Option<Metadata>,
    digest: String,
    content: Option<T>,
}

impl Stamp {
    fn new(
        memory: &Metadata,
        state: Option<&Metadata>,
        evidence: Option<&Metadata>,
        words: u64,
    ) -> Self {
        let mut stamp = Fnv::default();
        stamp.add_number(words);
        let mut newest_ms = i64::MIN;
        for file in [Some(memory), state, evidence] {
            let Some(file) = file else {
                stamp.add_number(0);
                continue;
            };
            let modified = file
                .modified
                .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
                .unwrap_or_default();
            stamp.add_number(1);
            stamp.add_number(file.bytes);
            stamp.add_number(modified.as_nanos() as u64);
            stamp.add_number(file.identity.map_or(0, |(_, inode)| inode));
            newest_ms = newest_ms.max(modified.as_millis() as i64);
        }
        Self {
            stamp: stamp.number(),
            newest_ms,
        }
    }
}

/// The type of the memories in a path's folder; `None` when memory does not lie there.
pub(crate) fn type_of(path: &Utf8Path) -> Option<MemoryType> {
    folders()
        .find(|(_, folder)| path.parent() == Some(folder))
        .map(|(memory_type, _)| memory_type)
}

/// The folders memory lies in, in the store's order.
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
