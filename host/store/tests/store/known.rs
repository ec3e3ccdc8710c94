//! Reloading memory: changes are seen, unchanged files are not read.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, UNIX_EPOCH};

use acreta_fs::{Directory, Faults, NoFaults, Operation, OperationKind};
use acreta_store::{EvidenceFile, KnownFiles, Snapshot, StateFile};
use proptest::prelude::*;

use crate::support::{Project, decision};

const FILE: &str = "memory/decisions/20260101-a.md";

/// A moment long after all files of these tests were written, in milliseconds.
const LATER: u64 = 2_000_000_000_000;

/// Counts how often [`FILE`] is opened.
#[derive(Debug, Default)]
struct ReadCounter(AtomicUsize);

impl Faults for ReadCounter {
    fn before(&self, operation: &Operation<'_>) -> io::Result<()> {
        if operation.kind == OperationKind::Read && operation.path.as_str().ends_with(FILE) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }
}

impl Project {
    fn again(&self, known: &KnownFiles, now_ms: u64) -> Snapshot {
        let store = self.store(NoFaults::shared());
        store.load_again(known, now_ms).unwrap()
    }

    /// Reloads memory and counts how often [`FILE`] was opened.
    fn reads_again(&self, known: &KnownFiles, now_ms: u64) -> (Snapshot, usize) {
        let reads = Arc::new(ReadCounter::default());
        let store = self.store(Arc::clone(&reads) as Arc<dyn Faults>);
        let snapshot = store.load_again(known, now_ms).unwrap();
        (snapshot, reads.0.load(Ordering::Relaxed))
    }

    /// Sets the modification time of a file, in milliseconds since 1970.
    fn date(&self, path: &str, ms: u64) {
        let file = std::fs::File::options()
            .write(true)
            .open(self.base().join(path))
            .unwrap();
        let time = UNIX_EPOCH + Duration::from_millis(ms);
        file.set_modified(time).unwrap();
    }

    /// Returns when a file changed last by the disk's clock, in milliseconds since 1970.
    fn changed_ms(&self, path: &str) -> u64 {
        let base = Directory::open(&self.base(), NoFaults::shared()).unwrap();
        let metadata = base.metadata(path).unwrap();
        let latest_ns = metadata.changed_ns.max(metadata.modified_ns);
        u64::try_from(latest_ns / 1_000_000).unwrap()
    }
}

fn titles(snapshot: &Snapshot) -> Vec<&str> {
    snapshot.iter().map(|memory| memory.title()).collect()
}

#[test]
fn a_file_that_looks_the_same_is_read_once() {
    let project = Project::new();
    project.put(FILE, decision("01A", "Before", "x"));
    let known = KnownFiles::default();
    let look = || {
        let (snapshot, reads) = project.reads_again(&known, LATER);
        (titles(&snapshot).join(" "), reads)
    };
    assert_eq!(look(), ("Before".to_owned(), 1));
    assert_eq!(look(), ("Before".to_owned(), 0), "it was not read");
    // A new time alone causes a read.
    project.date(FILE, 1_000_001);
    assert_eq!(look(), ("Before".to_owned(), 1));
    // Another file of the same length and the same time of modification.
    project.put(FILE, decision("01A", "Behind", "x"));
    project.date(FILE, 1_000_001);
    assert_eq!(look(), ("Behind".to_owned(), 1));
    assert_eq!(look(), ("Behind".to_owned(), 0));
    project.remove(FILE);
    assert_eq!(look(), (String::new(), 0));
}

#[test]
fn a_file_of_just_now_is_read_again() {
    let project = Project::new();
    project.put(FILE, decision("01A", "Before", "x"));
    let changed_ms = project.changed_ms(FILE);
    for (age_ms, reads_later) in [(0, 1), (1, 1), (2_100, 0)] {
        let known = KnownFiles::default();
        let (_, reads) = project.reads_again(&known, changed_ms + age_ms);
        assert_eq!(reads, 1);
        let (found, reads) = project.reads_again(&known, LATER);
        assert_eq!(titles(&found), ["Before"]);
        assert_eq!(reads, reads_later, "{age_ms} ms old when it was read");
    }
}

#[test]
fn what_has_a_problem_is_never_known() {
    let project = Project::new();
    project.put(FILE, "---\nid: [\n---\n");
    project.date(FILE, 1_000_000);
    let known = KnownFiles::default();
    for _ in 0..2 {
        let snapshot = project.again(&known, LATER);
        assert!(snapshot.memories.is_empty());
        assert_eq!(snapshot.problems.len(), 1, "{:?}", snapshot.problems);
    }
}

/// A change of one file by a person, a run or another process.
#[derive(Debug, Clone)]
enum FileEdit {
    Memory {
        file: usize,
        id: usize,
        title: String,
    },
    Evidence(usize),
    State(usize, bool),
    Broken(usize),
    Removed(usize),
}

const FILES: [&str; 6] = [
    "memory/decisions/20260101-a.md",
    "memory/decisions/20260102-b.md",
    "memory/learnings/20260101-c.md",
    "memory/archived/decisions/20260101-a.md",
    "meta/evidence/01B.json",
    "meta/state/01B.json",
];
const IDS: [&str; 3] = ["01A", "01B", "01b"];

fn edit() -> impl Strategy<Value = FileEdit> {
    prop_oneof![
        4 => (0..4_usize, 0..IDS.len(), "[a-z]{1,3}")
            .prop_map(|(file, id, title)| FileEdit::Memory { file, id, title }),
        1 => (0..IDS.len()).prop_map(FileEdit::Evidence),
        1 => (0..IDS.len(), any::<bool>()).prop_map(|(id, stale)| FileEdit::State(id, stale)),
        1 => (0..FILES.len()).prop_map(FileEdit::Broken),
        2 => (0..FILES.len()).prop_map(FileEdit::Removed),
    ]
}

fn make(project: &Project, edit: &FileEdit) {
    match edit {
        FileEdit::Memory { file, id, title } => {
            project.put(FILES[*file], decision(IDS[*id], title, "x"))
        }
        FileEdit::Evidence(id) => {
            let path = format!("meta/evidence/{}.json", IDS[*id]);
            project.put(&path, EvidenceFile::new(IDS[*id]).to_json());
        }
        FileEdit::State(id, stale) => {
            let state = StateFile {
                stale: *stale,
                ..StateFile::new(IDS[*id], "d")
            };
            let path = format!("meta/state/{}.json", IDS[*id]);
            project.put(&path, state.to_json());
        }
        FileEdit::Broken(file) => project.put(FILES[*file], "{ no file of ours"),
        FileEdit::Removed(file) => {
            if project.base().join(FILES[*file]).is_file() {
                project.remove(FILES[*file]);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// After any change of memory, reloading gives the same result as loading for the first time.
    #[test]
    fn reading_again_is_reading(steps in proptest::collection::vec((edit(), any::<bool>()), 1..12)) {
        let project = Project::new();
        let known = KnownFiles::default();
        for (step, (edit, looks)) in steps.iter().enumerate() {
            make(&project, edit);
            // Every change has its own time, as on a disk with a fine clock.
            for path in FILES.into_iter().filter(|path| project.base().join(path).is_file()) {
                let changed = match edit {
                    FileEdit::Memory { file, .. } | FileEdit::Broken(file) => FILES[*file] == path,
                    _ => path.starts_with("meta"),
                };
                if changed {
                    project.date(path, 1_000_000 + 10_000 * step as u64);
                }
            }
            if *looks {
                let again = project.again(&known, LATER);
                let anew = project.store(NoFaults::shared()).load().unwrap();
                prop_assert_eq!(format!("{again:?}"), format!("{anew:?}"));
            }
        }
    }
}
