//! Memory opened for writing by one holder: locked, recovered from interrupted commits, and with sidecars that agree
//! with the locations of the files. Every change of memory other than a run starts here.

use std::sync::Arc;
use std::time::Duration;

use acreta_fs::{Directory, Faults};
use acreta_redact::Redactor;
use acreta_store::{
    ArchivedBy, Change, DraftLimits, EditConflict, KnownFiles, Layout, Memory, ProjectLock,
    Proposal, ProposalOperation, RepositoryPolicy, Sidecar, Snapshot, Status, Store, Word, Words,
};
use acreta_types::{Job, MemoryWriter, PluginLog, WriteContext};
use camino::Utf8PathBuf;

use crate::error::RunError;
use crate::memory::files::ChangeCollector;
use crate::memory::ids::IdGenerator;
use crate::memory::planned::{PlannedMemory, body_of, state_of};
use crate::memory::workspace::ignore_what_is_not_shared;
use crate::memory::write::{PreparedChange, WriteJob, prepare};

/// Environment for writing memory. The clock and random numbers come from outside.
#[derive(Clone)]
pub struct WritableOptions {
    pub layout: Layout,
    /// Files that were read before; other files are read again.
    pub known: KnownFiles,
    pub repo_name: String,
    pub writer: Arc<dyn MemoryWriter>,
    pub redactor: Arc<Redactor>,
    /// Folder for temporary drafts; outside every memory.
    pub scratch: Utf8PathBuf,
    pub draft_limits: DraftLimits,
    pub lock_wait: Duration,
    /// Overlap from which two texts count as about the same.
    pub update_overlap: f64,
    pub now_ms: u64,
    pub seed: u64,
    pub faults: Arc<dyn Faults>,
}

/// One scope's memory, held by its only writer.
pub struct WritableMemory {
    pub(crate) options: WritableOptions,
    pub(crate) store: Store,
    /// `None` for a preview, which commits nothing.
    lock: Option<ProjectLock>,
    pub(crate) snapshot: Snapshot,
    pub(crate) ids: IdGenerator,
}

impl WritableMemory {
    pub fn open(options: WritableOptions) -> Result<Self, RunError> {
        let store = Store::open(options.layout.clone(), Arc::clone(&options.faults))?;
        let lock = store.lock(options.lock_wait)?;
        ignore_what_is_not_shared(&options.layout, None, &options.faults)?;
        let memory = MemoryJob {
            known: &options.known,
            now_ms: options.now_ms,
            seed: options.seed,
            faults: &options.faults,
        };
        let opened = open_memory(&store, &lock, &memory)?;
        Ok(Self {
            ids: IdGenerator::new(options.now_ms, options.seed, &opened.snapshot),
            snapshot: opened.snapshot,
            options,
            store,
            lock: Some(lock),
        })
    }

    /// Opens memory to preview a change. Neither waits for other writers nor writes anything.
    pub fn preview(options: WritableOptions) -> Result<Self, RunError> {
        let store = Store::open(options.layout.clone(), Arc::clone(&options.faults))?;
        let snapshot = store.load_again(&options.known, options.now_ms)?;
        Ok(Self {
            ids: IdGenerator::new(options.now_ms, options.seed, &snapshot),
            snapshot,
            options,
            store,
            lock: None,
        })
    }

    /// Releases memory for as long as `work` takes, because it asks a model, then opens it as others left it.
    pub(crate) fn released<T>(&mut self, work: impl FnOnce(&Snapshot) -> T) -> Result<T, RunError> {
        self.lock = None;
        let done = work(&self.snapshot);
        *self = Self::open(self.options.clone())?;
        Ok(done)
    }

    pub(crate) fn lock(&self) -> Result<&ProjectLock, RunError> {
        self.lock.as_ref().ok_or_else(|| RunError::Refused {
            message: "a preview cannot change memory".to_owned(),
        })
    }

    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Returns the id of this change in the journal and in the evidence.
    pub(crate) fn run_id(&self, what: &str) -> String {
        change_id(what, self.options.now_ms, self.options.seed)
    }

    /// Drafts, checks and assembles a change; does not write to memory yet.
    pub(crate) fn prepare(
        &self,
        run_id: &str,
        source: &str,
        planned: &[PlannedMemory],
        log: Arc<dyn PluginLog>,
        used: &mut dyn FnMut(&acreta_types::Usage),
    ) -> Result<PreparedChange, RunError> {
        let options = &self.options;
        let scratch =
            Directory::open_or_create_private(&options.scratch, Arc::clone(&options.faults))?;
        let job = Job {
            now_ms: options.now_ms,
            seed: options.seed,
            log,
            models: None,
        };
        let write = WriteJob {
            writer: options.writer.as_ref(),
            job: &job,
            run_id,
            context: WriteContext {
                run_id: run_id.to_owned(),
                now_ms: options.now_ms,
                repo_name: options.repo_name.clone(),
                raw_trace_path: String::new(),
                coding_agent: source.to_owned(),
            },
            session: None,
            limits: options.draft_limits,
            scratch: &scratch,
            faults: Arc::clone(&options.faults),
        };
        prepare(
            &write,
            &self.store,
            &self.snapshot.memories,
            planned,
            None,
            &mut |call| used(&call.usage),
        )
    }

    /// Commits a prepared change, records the user's endorsements and reloads memory. Endorsements come last: if the
    /// change is interrupted before, it leaves an unconfirmed memory.
    pub(crate) fn commit(&mut self, prepared: &PreparedChange) -> Result<(), RunError> {
        if !prepared.change.files.is_empty() {
            self.store.commit(self.lock()?, &prepared.change)?;
        }
        let words = prepared.words.iter();
        let words: Vec<(&str, Option<&Word>)> = words
            .map(|(memory, word)| (memory.as_str(), word.as_ref()))
            .collect();
        if !words.is_empty() {
            self.store.put_back_words(self.lock()?, &words)?;
        }
        match prepared.changes_something() {
            true => self.read_again(),
            false => Ok(()),
        }
    }

    /// Like [`WritableMemory::commit`], for a change without endorsements.
    pub(crate) fn commit_change(&mut self, change: &Change) -> Result<(), RunError> {
        if !change.files.is_empty() {
            self.store.commit(self.lock()?, change)?;
        }
        self.read_again()
    }

    /// Records a reviewer's confirmations as reviewed; replaces all their earlier ones.
    pub fn accept_review(&mut self, reviewer: &str, words: &[Word]) -> Result<(), RunError> {
        self.store.accept_review(self.lock()?, reviewer, words)?;
        self.read_again()
    }

    /// Accepts all memory that came by git; returns the number of memories that were not accepted before.
    pub fn accept_repository(&mut self, later: Option<RepositoryPolicy>) -> Result<u64, RunError> {
        let accepted = self.store.accept_repository(self.lock()?, later)?;
        self.read_again()?;
        Ok(accepted)
    }

    /// Returns what holds for memory that comes by git.
    pub fn repository_policy(&self) -> RepositoryPolicy {
        let words = Words::load(self.store.layout());
        words.repository().unwrap_or(RepositoryPolicy::Accept)
    }

    /// Records the user's endorsements from an earlier record of theirs.
    pub fn give_words(&mut self, words: &[Word]) -> Result<(), RunError> {
        self.store.give_words(self.lock()?, words)?;
        self.read_again()
    }

    pub(crate) fn read_again(&mut self) -> Result<(), RunError> {
        let options = &self.options;
        self.snapshot = self.store.load_again(&options.known, options.now_ms)?;
        Ok(())
    }
}

/// Parameters for opening memory.
pub(crate) struct MemoryJob<'a> {
    pub(crate) known: &'a KnownFiles,
    pub(crate) now_ms: u64,
    pub(crate) seed: u64,
    pub(crate) faults: &'a Arc<dyn Faults>,
}

/// Loaded memory, and whether something was finished or repaired first.
pub(crate) struct OpenedMemory {
    pub(crate) snapshot: Snapshot,
    pub(crate) recovered: bool,
    /// Number of sidecars that did not match the location of their file.
    pub(crate) repaired: usize,
}

/// Finishes an interrupted commit, then loads memory. A file that was edited before an interrupted change reached it
/// keeps its text, and its new text becomes a proposal; a file that was moved into or out of the archive by hand stays
/// there.
pub(crate) fn open_memory(
    store: &Store,
    lock: &ProjectLock,
    job: &MemoryJob<'_>,
) -> Result<OpenedMemory, RunError> {
    let recovery = store.recover(lock)?;
    for (run_id, reason) in &recovery.set_aside {
        tracing::warn!(run_id, reason, "a journal was set aside: `acreta doctor`");
    }
    let mut snapshot = store.load_again(job.known, job.now_ms)?;
    let mut planned: Vec<PlannedMemory> = recovery
        .conflicts()
        .filter_map(|conflict| proposed(store.layout(), &snapshot.memories, conflict))
        .collect();
    let proposed = planned.len();
    planned.extend(
        snapshot
            .iter()
            .filter(|memory| !is_placed_well(memory))
            .map(replaced),
    );
    let repaired = planned.len() - proposed;
    if !planned.is_empty() {
        let mut files = ChangeCollector::open(store.layout(), &snapshot.memories, job.faults)?;
        for one in &planned {
            let known = snapshot.iter().find(|memory| memory.id == one.id);
            let sidecar = Sidecar {
                id: one.id.clone(),
                state: Some(one.state.clone()),
                evidence: known.and_then(|memory| memory.evidence.clone()),
            };
            files.put_sidecar(one.memory_type, &sidecar)?;
        }
        let change = Change {
            run_id: change_id("repair", job.now_ms, job.seed),
            files: files.into_changes(),
        };
        if !change.files.is_empty() {
            store.commit(lock, &change)?;
            snapshot = store.load_again(job.known, job.now_ms)?;
        }
    }
    Ok(OpenedMemory {
        snapshot,
        recovered: !recovery.is_empty(),
        repaired,
    })
}

fn is_placed_well(memory: &Memory) -> bool {
    memory
        .state
        .as_ref()
        .is_none_or(|state| (state.status == Status::Archived) == memory.is_archived())
}

fn replaced(memory: &Memory) -> PlannedMemory {
    let mut planned = PlannedMemory::of(memory);
    if memory.is_archived() {
        planned.state.status = Status::Archived;
        planned.state.archived_by = Some(ArchivedBy::Person);
    } else {
        planned.activate();
    }
    planned
}

fn proposed(
    layout: &Layout,
    memories: &[Arc<Memory>],
    conflict: &EditConflict,
) -> Option<PlannedMemory> {
    let path = layout.in_memory(&conflict.path)?;
    let memory = memories.iter().find(|memory| memory.path == path)?;
    let text = String::from_utf8(conflict.wanted.clone()?).ok()?;
    let wanted = Memory::parse(memory.memory_type, path.to_owned(), text).ok()?;
    let mut planned = PlannedMemory::of(memory);
    planned.state = state_of(memory);
    planned.propose(Proposal {
        run_id: conflict.run_id.clone(),
        operation: ProposalOperation::Update,
        title: wanted.title().to_owned(),
        body: body_of(&wanted).to_owned(),
        kind: wanted.kind().to_owned(),
        tags: wanted.front_matter.tags.clone(),
        confidence: wanted.front_matter.confidence.unwrap_or_default(),
        reason: "the file was edited during this change".to_owned(),
    });
    Some(planned)
}

fn change_id(what: &str, now_ms: u64, seed: u64) -> String {
    format!("{what}-{now_ms}-{seed:016x}")
}
