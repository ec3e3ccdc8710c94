//! Any sequence of changes to files and index: afterwards both agree.

use acreta_fs::NoFaults;
use acreta_search::{Filter, MemoryIndex, Query};
use acreta_store::{Status, Store};
use proptest::prelude::*;

use crate::support::{MINUTE, MemorySpec, Project, ids_of};

const IDS: [&str; 5] = ["ant", "bee", "cat", "dog", "elk"];
const BODIES: [&str; 4] = [
    "common alpha text.",
    "common gamma text.",
    "common delta text, and a good deal longer than the others, too.",
    "common omega text.",
];

#[derive(Debug, Clone)]
enum IndexStep {
    /// Write a file, new or in place.
    Put(usize, usize),
    Delete(usize),
    Archive(usize),
    Restore(usize),
    Supersede(usize),
    Break(usize),
    Ask(usize),
    Refresh,
    DeleteIndex,
    DamageIndex(usize),
    Reopen,
}

fn step() -> impl Strategy<Value = IndexStep> {
    let id = 0..IDS.len();
    prop_oneof![
        4 => (id.clone(), 0..BODIES.len()).prop_map(|(id, body)| IndexStep::Put(id, body)),
        1 => id.clone().prop_map(IndexStep::Delete),
        1 => id.clone().prop_map(IndexStep::Archive),
        1 => id.clone().prop_map(IndexStep::Restore),
        1 => id.clone().prop_map(IndexStep::Supersede),
        1 => id.prop_map(IndexStep::Break),
        3 => (0..BODIES.len()).prop_map(IndexStep::Ask),
        2 => Just(IndexStep::Refresh),
        1 => Just(IndexStep::DeleteIndex),
        1 => (0..40usize).prop_map(IndexStep::DamageIndex),
        1 => Just(IndexStep::Reopen),
    ]
}

fn made(id: usize, folder: &'static str, body: usize) -> MemorySpec<'static> {
    MemorySpec {
        id: IDS[id],
        folder,
        title: "Animal",
        body: BODIES[body],
        ..MemorySpec::default()
    }
}

fn moved(project: &Project, id: usize, from: &'static str, to: &'static str) {
    let (from, to) = (made(id, from, 0).path(), made(id, to, 0).path());
    if let Ok(text) = std::fs::read(project.root.join(&from)) {
        project.put(&to, text);
        project.remove(&from);
    }
}

fn take(project: &Project, index: &mut MemoryIndex, step: &IndexStep, now: i64) {
    match *step {
        IndexStep::Put(id, body) => project.add(&made(id, "learnings", body)),
        IndexStep::Delete(id) => {
            let path = made(id, "learnings", 0).path();
            if project.root.join(&path).exists() {
                project.remove(&path);
            }
        }
        IndexStep::Archive(id) => moved(project, id, "learnings", "archived/learnings"),
        IndexStep::Restore(id) => moved(project, id, "archived/learnings", "learnings"),
        IndexStep::Supersede(id) => {
            project.set_state(IDS[id], |state| state.status = Status::Superseded)
        }
        IndexStep::Break(id) => {
            project.put(&made(id, "learnings", 0).path(), "<<<<<<< common alpha")
        }
        IndexStep::Ask(body) => {
            // A hit always matches its file, however old the index is.
            let word = BODIES[body].split(' ').nth(1).unwrap();
            let expected = truth(project, word);
            for id in ids_of(&index.search(&Query::new(word), now).unwrap()) {
                assert!(expected.contains(&id), "{id} for {word}, not {expected:?}");
            }
        }
        IndexStep::Refresh => drop(index.refresh(now).unwrap()),
        IndexStep::DeleteIndex => {
            if project.root.join(".acreta/index").exists() {
                project.remove(".acreta/index");
            }
        }
        IndexStep::DamageIndex(number) => {
            // Not while the index is open: damage to mapped files would abort the process.
            *index = project.index();
            let files: Vec<_> = project.files(".acreta/index").into_iter().collect();
            if let Some((path, bytes)) = files.get(number % files.len().max(1)) {
                let half = &bytes[..bytes.len() / 2];
                project.put(path.strip_prefix(&project.root).unwrap().as_str(), half);
            }
        }
        IndexStep::Reopen => *index = project.index(),
    }
}

/// Returns the expected hits, from the files as the store reads them.
fn truth(project: &Project, word: &str) -> Vec<String> {
    let store = Store::open(project.layout(), std::sync::Arc::new(NoFaults)).unwrap();
    let mut ids: Vec<String> = store
        .load()
        .unwrap()
        .memories
        .iter()
        .filter(|memory| memory.body().contains(word) && !memory.is_archived())
        .filter(|memory| {
            let state = memory.state.as_ref();
            state.is_none_or(|state| state.status == Status::Active)
        })
        .map(|memory| memory.id.clone())
        .collect();
    ids.sort();
    ids
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn files_and_index_agree(steps in prop::collection::vec(step(), 1..24)) {
        let project = Project::new();
        let mut index = project.index();
        // By this clock every stamp is racy, so not even a change within one tick is missed.
        let mut now = 1_000;
        for step in &steps {
            take(&project, &mut index, step, now);
            now += 1_000;
        }
        now += 2 * MINUTE;
        for word in ["common", "alpha", "gamma", "delta", "omega"] {
            let mut found = ids_of(&index.search(&Query::new(word), now).unwrap());
            found.sort();
            prop_assert_eq!(found, truth(&project, word), "{}", word);
        }
        let all = Query {
            filter: Filter { statuses: Status::ALL.into(), ..Filter::default() },
            ..Query::new("common")
        };
        for hit in index.search(&all, now).unwrap().hits {
            let archived = hit.path.starts_with("archived");
            prop_assert_eq!(archived, hit.status == Status::Archived);
        }
    }
}
