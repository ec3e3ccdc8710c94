//! Any sequence of sessions, notes, amendments, hand edits, checkouts, maintenance and crashes: afterwards files,
//! sidecars and index agree, ids are unique, and nothing is lost that a person did not remove.

#![expect(
    clippy::disallowed_methods,
    reason = "people, editors and git do not go through the store"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use acreta_fs::faults::{Errno, Failure, Recorder, Times};
use acreta_fs::{Faults, NoFaults};
use acreta_pipeline::{Amendment, Edit, Note, NoteSource, WritableMemory};
use acreta_search::{MemoryIndex, Query};
use acreta_store::{Memory, Snapshot, Status};
use acreta_types::MemoryType;
use camino::Utf8PathBuf;
use proptest::prelude::*;

use crate::fakes::{FakeRepository, Project, ScriptedSession};

const NOW: u64 = 1_800_000_000_000;

const STATEMENTS: &[(&str, &str)] = &[
    (
        "Run the tests with cargo nextest",
        "Plain `cargo test` is too slow here; use cargo nextest.",
    ),
    (
        "Run tests with cargo nextest",
        "Plain `cargo test` is too slow; use cargo nextest.",
    ),
    (
        "Always squash commits before merging",
        "Squash commits before merging into main.",
    ),
    (
        "Never squash commits before merging",
        "Never squash commits before merging into main.",
    ),
    (
        "Staging resets every Sunday night",
        "Do not leave data on staging over the weekend.",
    ),
    (
        "The queue lives in src/queue.rs",
        "See `claim_next_job` in src/queue.rs.",
    ),
];

const SESSIONS: [&str; 3] = ["one", "two", "three"];

#[derive(Debug, Clone)]
enum SequenceStep {
    Session {
        session: usize,
        from: usize,
        count: usize,
    },
    Note(usize),
    Amend {
        memory: usize,
        how: usize,
    },
    HandEdit(usize),
    HandRemove(usize),
    HandMove(usize),
    Save,
    Checkout,
    Maintain,
    /// The disk fails from the nth operation of a note on.
    Crash {
        statement: usize,
        nth: usize,
    },
    /// The disk fails from the nth operation of an archiving on.
    CrashedAmend {
        memory: usize,
        nth: usize,
    },
}

fn step() -> impl Strategy<Value = SequenceStep> {
    prop_oneof![
        3 => (0..3usize, 0..6usize, 0..3usize)
            .prop_map(|(session, from, count)| SequenceStep::Session { session, from, count }),
        2 => (0..6usize).prop_map(SequenceStep::Note),
        3 => (any::<usize>(), 0..5usize).prop_map(|(memory, how)| SequenceStep::Amend { memory, how }),
        2 => any::<usize>().prop_map(SequenceStep::HandEdit),
        1 => any::<usize>().prop_map(SequenceStep::HandRemove),
        1 => any::<usize>().prop_map(SequenceStep::HandMove),
        1 => Just(SequenceStep::Save),
        1 => Just(SequenceStep::Checkout),
        2 => Just(SequenceStep::Maintain),
        2 => (0..6usize, 0..120usize).prop_map(|(statement, nth)| SequenceStep::Crash { statement, nth }),
        2 => (any::<usize>(), 0..120usize).prop_map(|(memory, nth)| SequenceStep::CrashedAmend { memory, nth }),
    ]
}

type SavedFiles = BTreeMap<Utf8PathBuf, Vec<u8>>;

struct SequenceWorld {
    project: Project,
    index: MemoryIndex,
    clock: u64,
    /// Every memory that must still exist.
    kept: BTreeSet<String>,
    saved: (SavedFiles, BTreeSet<String>),
}

impl SequenceWorld {
    fn new() -> Self {
        let project = Project::new();
        Self {
            index: MemoryIndex::new(project.layout(), NoFaults::shared()),
            project,
            clock: NOW,
            kept: BTreeSet::new(),
            saved: (SavedFiles::new(), BTreeSet::new()),
        }
    }

    fn memory(&self, index: usize) -> Option<Memory> {
        let memories: Vec<Memory> = self
            .project
            .memories()
            .into_iter()
            .filter(|memory| memory.memory_type != MemoryType::Summary)
            .collect();
        (!memories.is_empty()).then(|| memories[index % memories.len()].clone())
    }

    fn file(&self, memory: &Memory) -> Utf8PathBuf {
        self.project.layout().memory_root().join(&memory.path)
    }

    fn take(&mut self, step: &SequenceStep) {
        self.clock += 60_000;
        let now = self.clock;
        match step {
            SequenceStep::Session {
                session,
                from,
                count,
            } => {
                let said: Vec<_> = (0..*count)
                    .map(|offset| STATEMENTS[(from + offset * 2) % STATEMENTS.len()])
                    .collect();
                self.project.run(&ScriptedSession {
                    events: 3 + (now - NOW) / 60_000,
                    ..ScriptedSession::new(SESSIONS[*session], now, &said)
                });
            }
            SequenceStep::Note(index) => {
                self.remember(*index, NoFaults::shared()).unwrap();
            }
            SequenceStep::Amend { memory, how } => {
                if let Some(memory) = self.memory(*memory) {
                    let edit = Edit {
                        body: Some(format!("Edited at {now}.")),
                        ..Edit::default()
                    };
                    let amendment = match how {
                        0 => Amendment::Edit(edit),
                        1 => Amendment::Archive,
                        2 => Amendment::Restore,
                        3 => Amendment::Confirm,
                        _ => Amendment::Reject,
                    };
                    self.project
                        .writable(now)
                        .amend(&memory.id, &amendment)
                        .unwrap();
                }
            }
            SequenceStep::HandEdit(index) => {
                if let Some(memory) = self.memory(*index) {
                    let title = memory.title().to_owned();
                    self.project
                        .edit_by_hand(&memory.id, &title, &format!("{title} indeed"));
                }
            }
            SequenceStep::HandRemove(index) => {
                if let Some(memory) = self.memory(*index) {
                    std::fs::remove_file(self.file(&memory)).unwrap();
                    self.kept.remove(&memory.id);
                }
            }
            SequenceStep::HandMove(index) => {
                if let Some(memory) = self.memory(*index) {
                    let folder = if memory.is_archived() {
                        "learnings"
                    } else {
                        "archived/learnings"
                    };
                    let folder = self.project.layout().memory_root().join(folder);
                    std::fs::create_dir_all(&folder).unwrap();
                    let target = folder.join(format!("20260101-moved-{now}.md"));
                    std::fs::rename(self.file(&memory), target).unwrap();
                }
            }
            SequenceStep::Save => self.saved = (self.project.bytes(), self.kept.clone()),
            SequenceStep::Checkout => self.checkout(),
            SequenceStep::Maintain => {
                let has = FakeRepository {
                    present: vec!["src/queue.rs"],
                    deleted: Vec::new(),
                };
                self.project
                    .maintain(&self.project.maintain_options(now, has));
                let has = FakeRepository {
                    present: vec!["src/queue.rs"],
                    deleted: Vec::new(),
                };
                let again = self
                    .project
                    .maintain(&self.project.maintain_options(now + 1, has));
                assert!(again.actions.is_empty(), "{:?}", again.actions);
            }
            SequenceStep::Crash { statement, nth } => {
                // It may fail or complete before the failure; either way memory is intact.
                let _ = self.remember(*statement, failing(*nth));
            }
            SequenceStep::CrashedAmend { memory, nth } => {
                if let Some(memory) = self.memory(*memory) {
                    let options = self.project.writable_options(now, failing(*nth));
                    let _ = WritableMemory::open(options)
                        .and_then(|mut writable| writable.amend(&memory.id, &Amendment::Archive));
                }
            }
        }
    }

    fn remember(
        &self,
        index: usize,
        faults: Arc<dyn Faults>,
    ) -> Result<(), acreta_pipeline::RunError> {
        let (title, body) = STATEMENTS[index];
        let note = Note {
            memory_type: MemoryType::Learning,
            kind: "convention".to_owned(),
            title: title.to_owned(),
            body: body.to_owned(),
            tags: Vec::new(),
            confidence: 0.9,
            at_ms: None,
            quote: body.to_owned(),
            place: String::new(),
        };
        let mut writable = WritableMemory::open(self.project.writable_options(self.clock, faults))?;
        writable.remember(vec![note], &NoteSource::Person, false)?;
        Ok(())
    }

    /// Restores every committed file and removes others, like git.
    fn checkout(&mut self) {
        let base = self.project.layout().base().to_owned();
        for path in self.project.bytes().keys() {
            std::fs::remove_file(base.join(path)).unwrap();
        }
        for (path, bytes) in &self.saved.0 {
            std::fs::create_dir_all(base.join(path).parent().unwrap()).unwrap();
            std::fs::write(base.join(path), bytes).unwrap();
        }
        self.kept = self.saved.1.clone();
    }

    fn check(&mut self, step: &SequenceStep) {
        // The next writer recovers and repairs first.
        drop(self.project.writable(self.clock + 1));
        let snapshot = self.project.load();
        assert!(
            snapshot.problems.is_empty(),
            "{step:?}: {:?}",
            snapshot.problems
        );
        let mut ids = BTreeSet::new();
        for memory in &snapshot.memories {
            assert!(
                ids.insert(memory.id.clone()),
                "{step:?}: {} twice",
                memory.id
            );
            if let Some(state) = &memory.state {
                assert_eq!(
                    state.status == Status::Archived,
                    memory.is_archived(),
                    "{step:?}: {}",
                    memory.path
                );
            }
        }
        for id in &self.kept {
            assert!(ids.contains(id), "{step:?}: {id} is lost");
        }
        self.kept = ids;
        self.check_index(step, &snapshot);
    }

    fn check_index(&self, step: &SequenceStep, snapshot: &Snapshot) {
        let now = i64::try_from(self.clock).unwrap();
        self.index.refresh(now).unwrap();
        let by_id: BTreeMap<&str, &Memory> = snapshot
            .iter()
            .map(|memory| (memory.id.as_str(), memory))
            .collect();
        for memory in snapshot.iter() {
            let query = Query {
                limit: 100,
                ..Query::new(memory.title())
            };
            let hits = self.index.search(&query, now).unwrap().hits;
            for hit in &hits {
                let found = by_id
                    .get(hit.id.as_str())
                    .unwrap_or_else(|| panic!("{step:?}: {} is not on disk", hit.id));
                assert_eq!(
                    (found.title(), &found.path),
                    (hit.title.as_str(), &hit.path),
                    "{step:?}"
                );
            }
            let state = memory.state.as_ref();
            // A moved file may come from a checkout, so it does not take back that the user rejected its text.
            let in_use = !memory.is_archived()
                && !memory.is_rejected()
                && state.is_none_or(|state| state.status == Status::Active && !state.rejected);
            let is_found = hits.iter().any(|hit| hit.id == memory.id);
            assert_eq!(
                is_found,
                in_use,
                "{step:?}: {} {:?}",
                memory.path,
                memory.title()
            );
        }
    }
}

fn failing(nth: usize) -> Arc<dyn Faults> {
    Arc::new(Recorder::failing(Failure {
        kind: None,
        nth,
        errno: Errno::InputOutput,
        times: Times::Always,
    }))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, max_shrink_iters: 20, ..ProptestConfig::default() })]

    #[test]
    fn files_sidecars_and_index_agree_after_anything(steps in proptest::collection::vec(step(), 1..10)) {
        let mut world = SequenceWorld::new();
        for step in &steps {
            world.take(step);
            world.check(step);
        }
    }
}
