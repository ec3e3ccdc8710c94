//! Commits without a crash: refusals before anything is written, concurrent edits by a person, and the commit hook.

use std::sync::Arc;
use std::time::Duration;

use acreta_fs::faults::Recorder;
use acreta_store::{Change, CommitError, FileChange, StoreError, digest};

use crate::support::{FileContents, Project, before_and_after, change};

fn write(path: &str, old: Option<&str>, new: &str) -> FileChange {
    FileChange {
        path: path.into(),
        old: old.map(digest),
        new: Some(new.as_bytes().to_vec()),
    }
}

fn of(files: Vec<FileChange>) -> Change {
    Change {
        run_id: "run-1".to_owned(),
        files,
    }
}

#[test]
fn what_may_not_be_changed_is_refused_before_anything_is_written() {
    let long = "x".repeat(200);
    for run_id in ["", ".", "..", "a/b", ".hidden", "-x", long.as_str()] {
        let project = Project::new();
        let (store, lock) = project.locked();
        let change = Change {
            run_id: run_id.to_owned(),
            files: Vec::new(),
        };
        assert!(
            matches!(
                store.commit(&lock, &change),
                Err(CommitError::InvalidRun { .. })
            ),
            "{run_id}"
        );
    }
    let cases: [&[&str]; 12] = [
        &["../outside"],
        &["/etc/passwd"],
        &["memory/decisions/"],
        &["memory//x.md"],
        &[""],
        &["meta/commit/run/manifest.json"],
        &["Meta/Commit/run"],
        &["meta/lock"],
        &["a.md", "a.md"],
        &["a.md", "A.md"],
        &["a", "a/b"],
        &["a/b", "A"],
    ];
    for paths in cases {
        let project = Project::new();
        let (store, lock) = project.locked();
        let before = project.image();
        let change = of(paths.iter().map(|path| write(path, None, "x")).collect());
        let error = store.commit(&lock, &change).unwrap_err();
        assert!(
            matches!(error, CommitError::InvalidPath { .. }),
            "{paths:?}: {error}"
        );
        assert_eq!(project.image(), before, "{paths:?}");
    }
    let project = Project::new();
    let (store, lock) = project.locked();
    let nothing = FileChange {
        path: "a".into(),
        old: None,
        new: None,
    };
    assert!(matches!(
        store.commit(&lock, &of(vec![nothing])),
        Err(CommitError::InvalidPath { .. })
    ));
}

#[test]
fn a_file_that_changed_since_it_was_read_stops_the_commit() {
    let (before, after) = before_and_after();
    let mut edits: Vec<(&str, Option<&str>)> = Vec::new();
    edits.push(("memory/decisions/20260101-updated.md", Some("edited")));
    edits.push(("memory/decisions/20260101-updated.md", None));
    edits.push(("memory/learnings/20260102-one.md", Some("made meanwhile")));
    edits.push(("memory/summaries/20260101-000000-old.md", Some("edited")));
    for (path, edit) in edits {
        let project = Project::with_files(&before);
        let change = change("run-1", &before, &after);
        let (store, lock) = project.locked();
        match edit {
            Some(text) => project.put(path, text),
            None => project.remove(path),
        }
        let expected = project.files();
        match store.commit(&lock, &change) {
            Err(CommitError::Stale { path: stale }) => assert_eq!(stale, path),
            other => panic!("{path}: {other:?}"),
        }
        assert_eq!(project.files(), expected);
        assert!(store.recover(&lock).unwrap().is_empty());
    }
}

#[test]
fn a_file_where_a_folder_must_be_stops_the_commit() {
    let project = Project::new();
    project.put("memory/decisions", "a file");
    let (store, lock) = project.locked();
    let before = project.files();
    let change = of(vec![write("memory/decisions/20260101-x.md", None, "x")]);
    assert!(matches!(
        store.commit(&lock, &change),
        Err(CommitError::Fs(_))
    ));
    assert_eq!(project.files(), before);
}

/// A commit that stops after its commit point, then a person's edit, then recovery.
#[test]
fn what_a_person_edited_after_a_crash_is_left_and_reported() {
    // Columns: the file, its edited content (`None` removes it), and whether that is a conflict.
    let cases = [
        ("memory/decisions/20260101-updated.md", Some("edited"), true),
        ("memory/decisions/20260101-updated.md", None, true),
        (
            "memory/learnings/20260102-one.md",
            Some("made meanwhile"),
            true,
        ),
        (
            "memory/learnings/20260102-one.md",
            Some("learning one"),
            false,
        ),
        (
            "memory/summaries/20260101-000000-old.md",
            Some("edited"),
            true,
        ),
        ("memory/summaries/20260101-000000-old.md", None, false),
    ];
    let (before, after) = before_and_after();
    for (path, edit, is_conflict) in cases {
        let project = Project::with_files(&before);
        let change = change("run-1", &before, &after);
        {
            // The first rename of a commit is that of its manifest; the next one fails.
            let recorder = Arc::new(Recorder::failing(acreta_fs::faults::Failure {
                kind: Some(acreta_fs::OperationKind::Rename),
                nth: 1,
                errno: acreta_fs::faults::Errno::InputOutput,
                times: acreta_fs::faults::Times::Once,
            }));
            let store = project.store(recorder);
            let lock = store.lock(Duration::ZERO).unwrap();
            let error = store.commit(&lock, &change).unwrap_err();
            assert!(matches!(error, CommitError::Interrupted { .. }), "{error}");
            // Nothing else can be committed in between.
            let other = of(vec![write("memory/x.md", None, "x")]);
            assert!(matches!(
                store.commit(&lock, &other),
                Err(CommitError::Unfinished { .. })
            ));
        }
        match edit {
            Some(text) => project.put(path, text),
            None if project.files().contains_key(path) => project.remove(path),
            None => {}
        }
        let (store, lock) = project.locked();
        let recovery = store.recover(&lock).unwrap();
        let conflicts: Vec<_> = recovery.conflicts().cloned().collect();
        let mut expected = after.clone();
        if is_conflict {
            assert_eq!(conflicts.len(), 1, "{path}");
            assert_eq!(conflicts[0].path, path);
            assert_eq!(conflicts[0].run_id, "run-1");
            assert_eq!(conflicts[0].wanted.as_ref(), after.get(path));
            expected.remove(path);
            expected.extend(edit.map(|text| (path.to_owned(), text.as_bytes().to_vec())));
        } else {
            assert!(conflicts.is_empty(), "{path}");
        }
        assert_eq!(project.files(), expected, "{path}");
        assert!(store.recover(&lock).unwrap().is_empty());
    }
}

#[test]
fn the_hook_runs_when_the_files_are_in_place_and_again_if_it_failed() {
    let (before, after) = before_and_after();
    let project = Project::with_files(&before);
    let change = change("run-1", &before, &after);
    let (store, lock) = project.locked();
    let failed = store.commit_with(&lock, &change, || {
        let in_place = project.files();
        assert!(
            after
                .iter()
                .all(|(path, bytes)| in_place.get(path) == Some(bytes))
        );
        Err(CommitError::Hook("database is gone".into()))
    });
    assert!(matches!(failed, Err(CommitError::Interrupted { .. })));

    let failed = store.recover_with(&lock, |_| Err(CommitError::Hook("still gone".into())));
    assert!(matches!(failed, Err(CommitError::Hook(_))));
    let mut runs = Vec::new();
    let recovery = store
        .recover_with(&lock, |run_id| {
            runs.push(run_id.to_owned());
            Ok(())
        })
        .unwrap();
    assert_eq!(runs, ["run-1"]);
    assert_eq!(recovery.rolled_forward.len(), 1);
    assert_eq!(recovery.rolled_forward[0].committed.written.len(), 10);
    assert_eq!(project.files(), after);
    assert!(store.recover(&lock).unwrap().is_empty());
}

#[test]
fn a_damaged_journal_changes_nothing_and_is_set_aside() {
    let (before, after) = before_and_after();
    let damages: [(&str, &str); 6] = [
        (
            "meta/commit/run-1/manifest.json/x",
            "a folder in the place of the manifest",
        ),
        ("meta/commit/run-1/manifest.json", "not json"),
        (
            "meta/commit/run-1/manifest.json",
            r#"{"files":[{"target":"../x","old":null,"new":"a","staged":"000000"}]}"#,
        ),
        (
            "meta/commit/run-1/manifest.json",
            r#"{"files":[{"target":"x","old":null,"new":"a","staged":"../../x"}]}"#,
        ),
        (
            "meta/commit/run-1/manifest.json",
            r#"{"files":[{"target":"x","old":null,"new":"a","staged":null}]}"#,
        ),
        ("meta/commit/run-1/000003", "not what was committed"),
    ];
    for (path, damage) in damages {
        let project = Project::with_files(&before);
        let (store, lock) = project.locked();
        let failed = store.commit_with(&lock, &change("run-1", &before, &after), || {
            Err(CommitError::Hook("stop here".into()))
        });
        assert!(failed.is_err());
        // Back to the moment after the commit point.
        for (path, bytes) in &before {
            project.put(path, bytes);
        }
        for path in after.keys().filter(|path| !before.contains_key(*path)) {
            project.remove(path);
        }
        for number in 0..12 {
            project.put(&format!("meta/commit/run-1/{number:06}"), "staged");
        }
        if path.ends_with("/x") {
            project.remove("meta/commit/run-1/manifest.json");
        }
        project.put(path, damage);
        // An earlier one has the name.
        project.put("meta/commit/.damaged-run-1/x", "earlier");
        let disk = project.files();
        let recovery = store.recover(&lock).unwrap();
        assert_eq!(recovery.set_aside[0].0, "run-1", "{damage}");
        let renamed = disk.into_iter().map(|(path, bytes)| {
            let path = path.replace("commit/run-1/", "commit/.damaged-run-1-2/");
            (path, bytes)
        });
        let expected: FileContents = renamed.collect();
        assert_eq!(project.files(), expected, "{damage}");
        let aside = store.journals_set_aside().unwrap();
        let names = ["meta/commit/.damaged-run-1", "meta/commit/.damaged-run-1-2"];
        assert_eq!(aside, names, "{damage}");
        // It holds nothing up.
        let next = change("run-2", &before, &after);
        store.commit(&lock, &next).unwrap();
        assert!(store.recover(&lock).unwrap().is_empty());
    }
}

#[test]
fn leftovers_without_a_manifest_are_discarded() {
    let project = Project::new();
    project.put("meta/commit/run-1/000000", "staged");
    project.put("meta/commit/run-1/deep/er/file", "x");
    project.put("meta/commit/stray", "x");
    let (store, lock) = project.locked();
    let recovery = store.recover(&lock).unwrap();
    assert_eq!(recovery.discarded, ["run-1"]);
    assert_eq!(project.files(), FileContents::new());
}

#[test]
fn only_one_holds_the_lock() {
    let project = Project::new();
    let (store, lock) = project.locked();
    let other = project.store(Arc::new(Recorder::new()));
    match other.lock(Duration::from_millis(15)) {
        Err(StoreError::Busy { path, holder }) => {
            assert_eq!(path, project.base().join("meta/lock"));
            assert_eq!(holder, Some(std::process::id()));
        }
        other => panic!("{other:?}"),
    }
    drop((store, lock));
    other.lock(Duration::ZERO).unwrap();
}

#[test]
fn a_memory_root_given_by_hand_is_all_that_is_written_to() {
    let project = Project::new();
    let root = project.root.join("elsewhere");
    let layout = acreta_store::Layout::new(Some(&root), None, &project.root);
    let store = acreta_store::Store::open(layout, Arc::new(Recorder::new())).unwrap();
    let lock = store.lock(Duration::ZERO).unwrap();
    let path = store.layout().memory_path("decisions/20260101-x.md");
    let sidecar = store
        .layout()
        .sidecar_path(acreta_types::MemoryType::Decision, "x");
    store
        .commit(
            &lock,
            &of(vec![
                write(path.as_str(), None, "x"),
                write(sidecar.as_str(), None, "{}"),
            ]),
        )
        .unwrap();
    let files: Vec<_> = project
        .image()
        .files()
        .into_keys()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        files,
        [
            "elsewhere/decisions/20260101-x.md",
            "elsewhere/meta/lock",
            "elsewhere/meta/memories/x.json"
        ]
    );
}

#[test]
fn a_file_in_the_place_of_the_journals_holds_nothing_up() {
    let (before, after) = before_and_after();
    let project = Project::with_files(&before);
    project.put("meta/commit", "committed by somebody");
    let (store, lock) = project.locked();
    assert!(store.recover(&lock).unwrap().is_empty());
    let next = change("run-1", &before, &after);
    store.commit(&lock, &next).unwrap();
    assert_eq!(project.files(), after);
}
