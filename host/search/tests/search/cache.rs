//! The index as a cache: it may be missing, damaged, outdated or written by another process; answers always match the
//! files.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use acreta_fs::{Faults, NoFaults, Operation, OperationKind};
use acreta_search::{Hit, MemoryIndex, Query, RefreshOutcome, Source};
use acreta_store::{Change, FileChange, Store};
use camino::Utf8PathBuf;

use crate::support::{MINUTE, MemorySpec, NOW, Project, ids, ids_of};

const INDEX: &str = ".acreta/index";

fn birds() -> Project {
    let long = "The heron stood in the water and waited for a fish to come by. ".repeat(20);
    let project = Project::with(&[
        MemorySpec {
            id: "heron",
            title: "Heron",
            body: &long,
            tags: "bird",
            ..MemorySpec::default()
        },
        MemorySpec {
            id: "wren",
            title: "Wren",
            body: "A small bird with a loud voice.",
            ..MemorySpec::default()
        },
        MemorySpec {
            id: "owl",
            folder: "decisions",
            title: "Owl",
            body: "A bird of the night.",
            ..MemorySpec::default()
        },
    ]);
    project.set_state("wren", |_| {});
    project
}

const QUESTIONS: [(&str, &[&str]); 3] = [
    ("heron fish", &["heron"]),
    ("loud voice", &["wren"]),
    ("bird", &["heron", "owl", "wren"]),
];

fn check(project: &Project, now: i64, case: &str) {
    let index = project.index();
    for (text, expected) in QUESTIONS {
        let mut found = ids(&index, text, now);
        found.sort();
        assert_eq!(found, expected, "{case}: {text}");
    }
}

#[test]
fn any_file_of_the_index_may_be_damaged_or_gone() {
    let project = birds();
    check(&project, NOW, "built");
    let memory = project.files(".acreta/memory");
    let whole = project.files(INDEX);
    assert!(whole.len() > 8, "{:?}", whole.keys());
    for (path, bytes) in &whole {
        let relative = path.strip_prefix(&project.root).unwrap().as_str();
        let middle = bytes.len() / 2;
        let mut flipped = bytes.clone();
        let mut last = bytes.clone();
        if let Some(byte) = flipped.get_mut(middle) {
            *byte ^= 0xff;
        }
        if let Some(byte) = last.last_mut() {
            *byte ^= 0x01;
        }
        let damages: [(&str, Option<Vec<u8>>); 6] = [
            ("gone", None),
            ("empty", Some(Vec::new())),
            ("cut", Some(bytes[..middle].to_vec())),
            ("flipped", Some(flipped)),
            ("last", Some(last)),
            ("noise", Some(vec![0x5a; bytes.len().max(7)])),
        ];
        for (name, damage) in damages {
            project.remove(INDEX);
            for (path, bytes) in &whole {
                project.put(path.strip_prefix(&project.root).unwrap().as_str(), bytes);
            }
            match damage {
                Some(damage) => project.put(relative, damage),
                None => project.remove(relative),
            }
            let case = format!("{relative} {name}");
            check(&project, NOW + 1, &case);
            check(&project, NOW + 2 * MINUTE, &case);
        }
    }
    assert_eq!(project.files(".acreta/memory"), memory);
}

#[test]
fn an_unverified_index_may_be_damaged_and_tells_nothing_false() {
    let project = birds();
    check(&project, NOW, "built");
    let whole = project.files(INDEX);
    let mut answers = 0;
    for (path, bytes) in &whole {
        let relative = path.strip_prefix(&project.root).unwrap().as_str();
        let mut flipped = bytes.clone();
        if let Some(byte) = flipped.get_mut(bytes.len() / 2) {
            *byte ^= 0xff;
        }
        project.put(relative, flipped);
        for (text, expected) in QUESTIONS {
            let ask = |is_verified: bool| {
                let index = project.index().verified(is_verified);
                index.peek(&Query::new(text.to_owned()), NOW + 1).unwrap()
            };
            let (verified, unverified) = (ask(true), ask(false));
            // A byte of an address may make another memory of the project out of a hit.
            let is_known = |hit: &Hit| ["heron", "owl", "wren"].contains(&hit.id.as_str());
            assert!(unverified.hits.iter().all(is_known), "{relative}: {text}");
            let missed = verified.hits.is_empty() && unverified.hits.len() == expected.len();
            answers += usize::from(missed);
        }
        project.put(relative, bytes);
    }
    assert!(answers > 0, "no checksum was left out");
}

#[test]
fn the_index_may_be_deleted_at_any_time() {
    let project = birds();
    let index = project.index();
    for round in 0..3 {
        for (text, expected) in QUESTIONS {
            let mut found = ids(&index, text, NOW + round);
            found.sort();
            assert_eq!(found, expected);
            project.remove(INDEX);
        }
    }
}

#[test]
fn an_index_of_another_version_is_built_anew() {
    let project = birds();
    check(&project, NOW, "built");
    let meta = format!("{INDEX}/memory/meta.json");
    let text = std::fs::read_to_string(project.root.join(&meta)).unwrap();
    assert!(text.contains("\\\"version\\\":"), "{text}");
    let other = text.replace("{\\\"version\\\":", "{\\\"version\\\":9");
    assert_ne!(text, other);
    project.put(&meta, &other);
    check(&project, NOW + 1, "another version");
    assert!(
        !std::fs::read_to_string(project.root.join(&meta))
            .unwrap()
            .contains("\\\"version\\\":9")
    );
}

#[test]
fn hits_are_compared_with_the_disk_before_they_are_given() {
    let project = birds();
    check(&project, NOW, "built");
    let wren = MemorySpec {
        id: "wren",
        title: "Wren",
        body: "Now it is about a kite.",
        ..MemorySpec::default()
    };
    project.add(&wren);
    let index = project.index();
    assert_eq!(ids(&index, "loud voice", NOW + 1), [""; 0]);
    assert_eq!(ids(&index, "kite", NOW + 2), ["wren"]);
    project.remove(&wren.path());
    assert_eq!(ids(&index, "kite", NOW + 3), [""; 0]);
    // A sidecar counts like the file: a superseded memory is excluded at once.
    project.set_state("owl", |state| state.superseded_by = Some("wren".to_owned()));
    assert_eq!(ids(&index, "owl", NOW + 4), [""; 0]);
}

#[test]
fn new_files_are_found_at_once() {
    let project = birds();
    let index = project.index();
    assert_eq!(ids(&index, "magpie", NOW), [""; 0]);
    let magpie = MemorySpec {
        id: "magpie",
        title: "Magpie",
        ..MemorySpec::default()
    };
    project.add(&magpie);
    assert_eq!(ids(&project.index(), "magpie", NOW + 1), ["magpie"]);
    project.add(&MemorySpec {
        id: "jay",
        title: "Jay",
        ..MemorySpec::default()
    });
    let refreshed = index.refresh(NOW + MINUTE + 1).unwrap();
    assert_eq!(refreshed.outcome, RefreshOutcome::Current);
    assert_eq!(
        (refreshed.added, refreshed.changed, refreshed.removed),
        (1, 0, 0)
    );
    assert_eq!(refreshed.unchanged, 4);
    assert_eq!(ids(&index, "jay", NOW + MINUTE + 2), ["jay"]);
    // A clock that was set back does not prevent a comparison.
    project.add(&MemorySpec {
        id: "rook",
        title: "Rook",
        ..MemorySpec::default()
    });
    assert_eq!(ids(&project.index(), "rook", NOW - 1_000), ["rook"]);
}

#[test]
fn only_what_changed_is_read_again() {
    let project = birds();
    let index = project.index();
    let first = index.refresh(NOW).unwrap();
    assert_eq!((first.outcome, first.added), (RefreshOutcome::Rebuilt, 3));
    let second = index.refresh(NOW + 1).unwrap();
    assert_eq!(
        (second.outcome, second.unchanged),
        (RefreshOutcome::Current, 3)
    );
    project.add(&MemorySpec {
        id: "wren",
        title: "Wren",
        body: "Changed.",
        ..MemorySpec::default()
    });
    project.remove(
        &MemorySpec {
            id: "owl",
            folder: "decisions",
            ..MemorySpec::default()
        }
        .path(),
    );
    let third = index.refresh(NOW + 2).unwrap();
    assert_eq!((third.changed, third.removed, third.unchanged), (1, 1, 1));
}

#[test]
fn files_that_cannot_be_used_are_told_about() {
    let project = birds();
    project.put(
        ".acreta/memory/learnings/20260101-broken.md",
        "---\nid: [\n---\nheron",
    );
    project.put(
        ".acreta/memory/learnings/20260102-twin.md",
        MemorySpec {
            id: "WREN",
            ..MemorySpec::default()
        }
        .text(),
    );
    let index = project.index();
    for now in [NOW, NOW + 1] {
        let problems = index.refresh(now).unwrap().problems;
        let mut paths: Vec<&str> = problems
            .iter()
            .map(|problem| problem.path.as_str())
            .collect();
        paths.sort_unstable();
        let folder = "memory/learnings/20260";
        assert_eq!(
            paths,
            [
                format!("{folder}101-broken.md"),
                format!("{folder}102-twin.md")
            ]
        );
    }
    // When the file with the same id is gone, the other one is used.
    project.remove(".acreta/memory/learnings/20260101-wren.md");
    assert_eq!(index.refresh(NOW + 2).unwrap().problems.len(), 1);
    assert_eq!(ids(&index, "title", NOW + 3), ["WREN"]);
}

#[test]
fn a_search_writes_nothing_but_the_index() {
    let project = birds();
    let before = project.files("");
    check(&project, NOW, "first");
    check(&project, NOW + 2 * MINUTE, "later");
    let mut after = project.files("");
    after.retain(|path, _| !path.starts_with(project.root.join(INDEX)));
    assert_eq!(after, before);
}

#[test]
fn where_no_index_can_be_the_answer_is_the_same() {
    let project = birds();
    // A file in place of the folder has the same effect as an unwritable disk.
    project.put(INDEX, "in the way");
    check(&project, NOW, "no index");
    let index = project.index();
    let found = index.search(&Query::new("bird"), NOW).unwrap();
    assert_eq!((found.hits.len(), found.source), (3, Source::Memory));
    project.add(&MemorySpec {
        id: "wren",
        title: "Wren",
        body: "Gone silent.",
        ..MemorySpec::default()
    });
    assert_eq!(ids(&index, "loud voice", NOW + 1), [""; 0]);
    project.add(&MemorySpec {
        id: "jay",
        title: "Jay",
        ..MemorySpec::default()
    });
    assert_eq!(ids(&index, "jay", NOW + MINUTE), ["jay"]);
    project.remove(INDEX);
    let found = index.search(&Query::new("bird"), NOW + 2 * MINUTE).unwrap();
    assert_eq!(found.source, Source::Disk);
}

/// A read-only disk.
#[derive(Debug)]
struct ReadOnly;

impl Faults for ReadOnly {
    fn before(&self, operation: &Operation<'_>) -> std::io::Result<()> {
        match operation.kind {
            OperationKind::Read => Ok(()),
            _ => Err(std::io::ErrorKind::ReadOnlyFilesystem.into()),
        }
    }
}

#[test]
fn on_a_disk_that_cannot_be_written_new_files_are_found_too() {
    let project = birds();
    check(&project, NOW, "built");
    let before = project.files("");
    let index = MemoryIndex::new(project.layout(), Arc::new(ReadOnly));
    let found = index.search(&Query::new("bird"), NOW + 1).unwrap();
    assert_eq!((found.hits.len(), found.source), (3, Source::Disk));
    assert_eq!(project.files(""), before);
    project.add(&MemorySpec {
        id: "jay",
        title: "Jay",
        ..MemorySpec::default()
    });
    let found = index.search(&Query::new("jay"), NOW + MINUTE).unwrap();
    assert_eq!(
        (ids_of(&found), found.source),
        (vec!["jay".to_owned()], Source::Memory)
    );
    assert_eq!(
        index.refresh(NOW + MINUTE).unwrap().outcome,
        RefreshOutcome::InMemory
    );
}

#[test]
fn without_memory_there_is_nothing() {
    let project = Project::new();
    let found = project.index().search(&Query::new("bird"), NOW).unwrap();
    assert_eq!((found.hits.len(), found.source), (0, Source::Nothing));
    assert_eq!(
        project.index().refresh(NOW).unwrap().outcome,
        RefreshOutcome::NoMemory
    );
    assert_eq!(project.files("").len(), 0);
}

#[test]
fn whoever_cannot_write_reads_what_is_there() {
    let project = birds();
    check(&project, NOW, "built");
    let base = acreta_fs::Directory::open(
        &project.root.join(".acreta"),
        std::sync::Arc::new(acreta_fs::NoFaults),
    )
    .unwrap();
    let lock = base.lock("index/lock", std::time::Duration::ZERO).unwrap();
    // Another process holds the write lock: the due comparison is left to it, and hits are still verified.
    check(&project, NOW + 5 * MINUTE, "locked");
    assert_eq!(
        project.index().refresh(NOW).unwrap().outcome,
        RefreshOutcome::Busy
    );
    project.add(&MemorySpec {
        id: "wren",
        title: "Wren",
        body: "Now it is a kite with a voice.",
        ..MemorySpec::default()
    });
    let found = project
        .index()
        .search(&Query::new("voice"), NOW + 6 * MINUTE)
        .unwrap();
    assert_eq!(ids_of(&found), ["wren"]);
    assert!(found.hits[0].snippet.text.contains("kite"));
    // No index at all: one in memory is used.
    project.remove(".acreta/index/memory");
    let found = project.index().search(&Query::new("bird"), NOW).unwrap();
    assert_eq!((found.hits.len(), found.source), (2, Source::Memory));
    drop(lock);
    let found = project.index().search(&Query::new("bird"), NOW).unwrap();
    assert_eq!((found.hits.len(), found.source), (2, Source::Disk));
}

#[test]
fn several_at_once_all_get_answers() {
    let project = birds();
    std::thread::scope(|scope| {
        for worker in 0..4 {
            let project = &project;
            scope.spawn(move || {
                let index = project.index();
                for round in 0..8 {
                    let now = NOW + i64::from(round) * MINUTE;
                    if worker == 0 {
                        index.refresh(now).unwrap();
                        let body = format!("A bird of the night, seen {round} times.");
                        project.add(&MemorySpec {
                            id: "owl",
                            folder: "decisions",
                            title: "Owl",
                            body: &body,
                            ..MemorySpec::default()
                        });
                    }
                    assert_eq!(ids(&index, "heron fish", now), ["heron"]);
                    assert_eq!(ids(&index, "loud voice", now), ["wren"]);
                }
            });
        }
    });
    check(&project, NOW + 100 * MINUTE, "after");
}

/// Another process commits a memory while this one compares files and index.
#[derive(Debug)]
struct Meanwhile {
    base: Utf8PathBuf,
    is_over: AtomicBool,
}

impl Faults for Meanwhile {
    #[expect(clippy::disallowed_methods, reason = "another process does it")]
    fn before(&self, operation: &Operation<'_>) -> std::io::Result<()> {
        let ends_comparison = operation.kind == OperationKind::Rename
            && operation.to == Some(&self.base.join("index/checked"));
        if ends_comparison && !self.is_over.swap(true, Ordering::SeqCst) {
            let memory = MemorySpec {
                id: "crane",
                title: "Crane",
                body: "A tall bird.",
                ..MemorySpec::default()
            };
            std::fs::write(
                self.base.join("memory/learnings/20260101-crane.md"),
                memory.text(),
            )?;
            std::fs::remove_file(self.base.join("index/checking"))?;
        }
        Ok(())
    }
}

#[test]
fn a_commit_is_known_to_the_next_search() {
    let project = birds();
    let meanwhile = Arc::new(Meanwhile {
        base: project.layout().base().to_owned(),
        is_over: AtomicBool::new(false),
    });
    let index = MemoryIndex::new(project.layout(), meanwhile.clone());
    assert_eq!(ids(&index, "tall", NOW), [""; 0], "it came too late");
    assert!(meanwhile.is_over.load(Ordering::SeqCst));
    assert_eq!(ids(&index, "tall", NOW), ["crane"]);
    // A commit leaves a note; the open index looks for it, and for changes by others.
    project.add(&MemorySpec {
        id: "stork",
        title: "Stork",
        body: "A bird with red legs.",
        ..MemorySpec::default()
    });
    let store = Store::open(project.layout(), NoFaults::shared()).unwrap();
    let lock = store.lock(std::time::Duration::ZERO).unwrap();
    let change = Change {
        run_id: "one".to_owned(),
        files: vec![FileChange {
            path: "memory/learnings/20260101-swan.md".into(),
            old: None,
            new: Some(
                MemorySpec {
                    id: "swan",
                    title: "Swan",
                    body: "A bird with black legs.",
                    ..MemorySpec::default()
                }
                .text()
                .into(),
            ),
        }],
    };
    store.commit(&lock, &change).unwrap();
    let mut found = ids(&index, "legs", NOW);
    found.sort();
    assert_eq!(found, ["stork", "swan"]);
}

/// More memories than are compared on every search.
fn flock() -> Project {
    let project = Project::with(&[]);
    for number in 0..520 {
        project.add(&MemorySpec {
            id: &format!("bird{number}"),
            title: "Bird",
            body: "One of many.",
            ..MemorySpec::default()
        });
    }
    project
}

fn commit(project: &Project, run_id: &str, id: &str, body: &str) {
    let store = Store::open(project.layout(), NoFaults::shared()).unwrap();
    let lock = store.lock(std::time::Duration::ZERO).unwrap();
    let made = MemorySpec {
        id,
        title: "Bird",
        body,
        ..MemorySpec::default()
    };
    let path = Utf8PathBuf::from(made.path().strip_prefix(".acreta/").unwrap());
    let old = std::fs::read(project.root.join(made.path())).ok();
    let change = Change {
        run_id: run_id.to_owned(),
        files: vec![FileChange {
            old: old.map(acreta_store::digest),
            path,
            new: Some(made.text().into()),
        }],
    };
    store.commit(&lock, &change).unwrap();
}

fn compared_ms(project: &Project) -> i64 {
    let text = std::fs::read(project.root.join(INDEX).join("checked")).unwrap();
    let checked: serde_json::Value = serde_json::from_slice(&text).unwrap();
    checked["at_ms"].as_i64().unwrap()
}

#[test]
fn what_the_store_tells_is_read_and_nothing_else() {
    let project = flock();
    let index = project.index();
    assert_eq!(ids(&index, "teal", NOW), [""; 0]);
    commit(&project, "first", "bird7", "Now it is a teal.");
    commit(&project, "second", "new", "Also a teal.");
    let mut found = ids(&index, "teal", NOW + 1);
    found.sort();
    assert_eq!(found, ["bird7", "new"]);
    assert_eq!(compared_ms(&project), NOW, "nothing else was compared");
    assert!(project.files(&format!("{INDEX}/changes")).is_empty());
    // Another process finds it applied.
    assert_eq!(ids(&project.index(), "teal", NOW + 2).len(), 2);
    assert_eq!(compared_ms(&project), NOW);
}

#[test]
fn what_others_do_beside_the_store_is_found() {
    let project = flock();
    let index = project.index();
    assert_eq!(ids(&index, "teal", NOW), [""; 0]);
    let by_hand = MemorySpec {
        id: "coot",
        title: "Bird",
        body: "Like a teal.",
        ..MemorySpec::default()
    };
    project.add(&by_hand);
    assert_eq!(ids(&index, "teal", NOW + 1), ["coot"], "a new file");
    project.add(&MemorySpec {
        id: "rail",
        ..by_hand.clone()
    });
    commit(&project, "first", "bird7", "Now it is a teal.");
    assert_eq!(ids(&index, "teal", NOW + 2).len(), 3, "both at once");
    project.remove(&by_hand.path());
    assert_eq!(ids(&index, "teal", NOW + 3).len(), 2, "a file that is gone");
    // Written in place: no folder changed, but the next full comparison finds it.
    project.add(&MemorySpec {
        id: "bird9",
        ..by_hand
    });
    assert_eq!(ids(&index, "teal", NOW + 3 + MINUTE).len(), 3);
}

#[test]
fn in_a_small_store_a_file_written_in_place_is_found_at_once() {
    let project = birds();
    let index = project.index();
    assert_eq!(ids(&index, "kite", NOW), [""; 0]);
    project.add(&MemorySpec {
        id: "wren",
        title: "Wren",
        body: "Now it is about a kite.",
        ..MemorySpec::default()
    });
    assert_eq!(ids(&index, "kite", NOW + 1), ["wren"]);
}

#[test]
fn notes_that_cannot_be_read_cost_a_comparison() {
    let project = flock();
    let index = project.index();
    assert_eq!(ids(&index, "teal", NOW), [""; 0]);
    project.put(&format!("{INDEX}/changes/odd"), "no note");
    project.add(&MemorySpec {
        id: "bird3",
        title: "Bird",
        body: "A teal, written in place.",
        ..MemorySpec::default()
    });
    assert_eq!(ids(&index, "teal", NOW + 1), ["bird3"]);
    assert_eq!(compared_ms(&project), NOW + 1);
    assert!(project.files(&format!("{INDEX}/changes")).is_empty());
}
