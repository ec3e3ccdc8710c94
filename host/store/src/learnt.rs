//! The ledger of what this machine wrote itself: digests of the texts and contributions that its own commits added, in
//! the user's file of endorsements. Everything else in a project's folder came by git, or by hand, and its evidence is a
//! claim: a checked-out branch can bring a memory together with the quotes that would ground it.
//!
//! A commit adds a contribution only if no file on disk had it before, and a text only if all its contributions and the
//! text that it replaces are in the ledger. So nothing that came by git gets in by being carried along, merged or moved.
//! Digests are added before the files are written: a crash in between leaves a digest of a text that nobody has.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use acreta_fs::{Directory, FsError, NoFaults};
use acreta_types::MemoryType;
use camino::Utf8Path;

use crate::layout::Layout;
use crate::load::{MEMORY_BYTES, SIDECAR_BYTES, folders};
use crate::words::{self, LearntLine, RepositoryPolicy};
use crate::{Change, EvidenceFile, Memory, ProjectLock, Sidecar, Store, StoreError, Words};

/// Starts the ledger of a project that a person registers: what is in its folder already came with it.
pub fn start_ledger(layout: &Layout) -> Result<(), StoreError> {
    words::change_file(layout, NoFaults::shared(), |words| {
        if words.repository().is_none() {
            words.set_repository(RepositoryPolicy::Ask);
        }
    })?;
    Ok(())
}

/// Starts the ledger of a project that was registered before there were ledgers: what is in its folder counts as
/// learnt here, as it did until now. Does nothing if there is a ledger.
pub fn adopt_ledger(layout: &Layout) -> Result<(), StoreError> {
    if Words::has_ledger(layout) {
        return Ok(());
    }
    let snapshot = Store::open(layout.clone(), NoFaults::shared())?.load()?;
    words::change_file(layout, NoFaults::shared(), |words| {
        for memory in snapshot.iter() {
            words.learn(lines_of(memory));
        }
        words.set_repository(RepositoryPolicy::Ask);
    })?;
    Ok(())
}

impl Store {
    /// Accepts everything in this project's folder as if this machine had learnt it; with a policy, also sets what
    /// holds for what comes later. Returns the number of memories that were not accepted before.
    pub fn accept_repository(
        &self,
        _lock: &ProjectLock,
        policy: Option<RepositoryPolicy>,
    ) -> Result<u64, StoreError> {
        let snapshot = self.load()?;
        let accepted = snapshot.iter().filter(|memory| memory.is_foreign()).count();
        self.change_words(|words| {
            for memory in snapshot.iter() {
                words.learn(lines_of(memory));
            }
            if let Some(policy) = policy {
                words.set_repository(policy);
            }
        })?;
        Ok(accepted as u64)
    }

    /// Adds what a change writes to the ledger, if there is one.
    pub(crate) fn note_learnt(
        &self,
        directory: &Directory,
        change: &Change,
    ) -> Result<(), FsError> {
        let layout = self.layout();
        let known = words::read(layout, self.faults().clone())?;
        if known.repository().is_none() {
            return Ok(());
        }
        let lines = ChangedMemory::all(layout, directory, change, &known);
        words::append(layout, self.faults().clone(), &known, lines)
    }

    /// Adds those memories of an export to the ledger that this user's machine learnt, in whatever project.
    pub(crate) fn note_restored(&self, memories: &[Memory]) -> Result<(), FsError> {
        let layout = self.layout();
        let everywhere = words::learnt_everywhere(layout)?;
        let lines = memories.iter().map(lines_of);
        let is_learnt =
            |lines: &Vec<LearntLine>| lines.iter().all(|line| everywhere.contains(&line.learnt));
        let lines = lines.filter(is_learnt).flatten().collect();
        let known = words::read(layout, self.faults().clone())?;
        words::append(layout, self.faults().clone(), &known, lines)
    }
}

/// Texts and contributions of a change, compared with the files on disk.
#[derive(Default)]
struct ChangedMemory {
    /// Memory and digest of each text that is written.
    texts: Vec<(String, String)>,
    /// Memories whose text on disk is not in the ledger.
    foreign: BTreeSet<String>,
    /// Evidence after the change, by memory.
    evidence: BTreeMap<String, EvidenceFile>,
    /// Digests of contributions on disk.
    on_disk: HashSet<String>,
}

impl ChangedMemory {
    /// Returns the lines that a change adds to the ledger.
    fn all(
        layout: &Layout,
        directory: &Directory,
        change: &Change,
        known: &Words,
    ) -> Vec<LearntLine> {
        let mut changed = Self::default();
        let mut ids = BTreeSet::new();
        for file in &change.files {
            let Some(memory_type) = type_of(layout, &file.path) else {
                ids.extend(file.path.file_stem().map(str::to_owned));
                continue;
            };
            let old = file.old.as_ref();
            let old = old.and_then(|_| directory.read_to_string(&file.path, MEMORY_BYTES).ok());
            if let Some(old) = old.and_then(|text| parsed(memory_type, &file.path, text)) {
                if !known.has_learnt(&old.content_digest()) {
                    changed.foreign.insert(old.id.clone());
                }
                ids.insert(old.id);
            }
            let new = file.new.clone().and_then(|new| String::from_utf8(new).ok());
            if let Some(new) = new.and_then(|text| parsed(memory_type, &file.path, text)) {
                let digest = new.content_digest();
                ids.insert(new.id.clone());
                changed.texts.push((new.id, digest));
            }
        }
        for id in ids {
            let paths = layout.sidecar_paths(&id);
            let on_disk = paths
                .iter()
                .map(|path| directory.read(path, SIDECAR_BYTES).ok());
            let on_disk: Vec<Option<Vec<u8>>> = on_disk.collect();
            let read = |parts: &[Option<Vec<u8>>]| {
                let parts = parts.iter().filter_map(|part| part.as_deref());
                Sidecar::read(&id, parts).evidence
            };
            let old = read(&on_disk);
            let contributions = old.iter().flat_map(|old| &old.contributions);
            changed
                .on_disk
                .extend(contributions.map(|contribution| contribution.digest()));
            let files = change.files.iter();
            let after = paths.iter().zip(on_disk).map(|(path, old)| {
                match files.clone().find(|file| file.path == *path) {
                    Some(file) => file.new.clone(),
                    None => old,
                }
            });
            let after = read(&after.collect::<Vec<_>>());
            changed
                .evidence
                .extend(after.map(|evidence| (id, evidence)));
        }
        changed.lines(known)
    }

    fn lines(self, known: &Words) -> Vec<LearntLine> {
        let mut lines = Vec::new();
        for (id, evidence) in &self.evidence {
            let digests = evidence.contributions.iter().map(|one| one.digest());
            let new = digests.filter(|digest| !self.on_disk.contains(digest));
            lines.extend(new.map(|digest| LearntLine::new(id, digest)));
        }
        let added: HashSet<String> = lines.iter().map(|line| line.learnt.clone()).collect();
        let is_own = |digest: &String| known.has_learnt(digest) || added.contains(digest);
        for (id, text) in self.texts {
            let evidence = self.evidence.get(&id);
            let mut digests = evidence
                .into_iter()
                .flat_map(|evidence| evidence.contributions.iter().map(|one| one.digest()));
            if !self.foreign.contains(&id) && digests.all(|digest| is_own(&digest)) {
                lines.push(LearntLine::new(&id, text));
            }
        }
        lines
    }
}

/// Returns the lines with which a memory counts as learnt here.
fn lines_of(memory: &Memory) -> Vec<LearntLine> {
    let evidence = memory.evidence.iter();
    let contributions = evidence.flat_map(|evidence| &evidence.contributions);
    let digests = contributions.map(|contribution| contribution.digest());
    let digests = digests.chain([memory.content_digest()]);
    digests
        .map(|digest| LearntLine::new(&memory.id, digest))
        .collect()
}

fn parsed(memory_type: MemoryType, path: &Utf8Path, text: String) -> Option<Memory> {
    Memory::parse(memory_type, path.to_owned(), text).ok()
}

/// Returns the type of the memories at a path relative to the base; `None` if it is not a memory file.
fn type_of(layout: &Layout, path: &Utf8Path) -> Option<MemoryType> {
    let path = layout.in_memory(path)?;
    let mut folders = folders();
    let found = folders.find(|(_, folder)| path.parent() == Some(folder.as_path()));
    found.map(|(memory_type, _)| memory_type)
}
