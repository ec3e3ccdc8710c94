//! Power failures at every point of a commit and of its recovery: memory is old or new, never mixed.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use acreta_fs::Faults;
use acreta_fs::faults::{Crash, Errno, Failure, Image, Recorded, Recorder, Times};
use camino::Utf8Path;

use crate::support::{FileContents, Project, before_and_after, change};

/// Runs a commit and records its operations.
pub(crate) fn recorded_commit(
    before: &FileContents,
    after: &FileContents,
) -> (Image, Project, Vec<Recorded>) {
    let project = Project::with_files(before);
    let image = project.image();
    let recorder = Arc::new(Recorder::new());
    let store = project.store(Arc::clone(&recorder) as Arc<dyn Faults>);
    let lock = store.lock(Duration::ZERO).unwrap();
    let change = change("run-1", before, after);
    let committed = store.commit(&lock, &change).unwrap();
    assert_eq!(
        committed.written.len() + committed.removed.len(),
        change.files.len()
    );
    assert!(committed.conflicts.is_empty());
    assert_eq!(project.files(), *after);
    (image, project, recorder.log())
}

/// Recovers on a disk and returns the result, and the log of the recovery.
fn recover(image: &Image) -> (Project, FileContents, Vec<Recorded>) {
    let project = Project::from_image(image);
    let recorder = Arc::new(Recorder::new());
    let store = project.store(Arc::clone(&recorder) as Arc<dyn Faults>);
    let lock = store.lock(Duration::ZERO).unwrap();
    let recovery = store.recover(&lock).unwrap();
    assert_eq!(recovery.conflicts().count(), 0);
    let files = project.files();
    let log = recorder.log();

    assert!(store.recover(&lock).unwrap().is_empty());
    assert_eq!(
        recorder.log().len(),
        log.len(),
        "a second recovery changes nothing"
    );
    (project, files, log)
}

/// Returns the possible disks after a crash at each point of a log.
fn crashes(before: &Image, root: &Utf8Path, log: &[Recorded], window: usize) -> Vec<Vec<Image>> {
    (0..=log.len())
        .map(|length| Crash::after(before, root, &log[..length]).images(window))
        .collect()
}

/// Crashes at every point and checks that recovery gives the old or the new state, and the new one from some point on.
fn check_every_crash(before: &FileContents, after: &FileContents) {
    let (image, project, log) = recorded_commit(before, after);
    let (mut old, mut new) = (0, 0);
    let mut decided = false;
    for (length, images) in crashes(&image, &project.root, &log, 3).iter().enumerate() {
        let mut all_new = true;
        for image in images {
            let (_, files, _) = recover(image);
            if files == *after {
                new += 1;
            } else {
                assert_eq!(files, *before, "mixed after {length} operations");
                old += 1;
                all_new = false;
            }
        }
        assert!(all_new || !decided, "undone after {length} operations");
        decided = all_new;
    }
    assert!(decided && old > 0);
    // A finished commit leaves no journal that could be replayed.
    for image in Crash::after(&image, &project.root, &log).images(3) {
        assert!(
            !image
                .nodes
                .keys()
                .any(|path| path.ends_with("manifest.json"))
        );
    }
    println!(
        "{} crash points, {} disks: {old} old, {new} new, 0 mixed",
        log.len() + 1,
        old + new
    );
}

#[test]
fn a_commit_is_old_or_new_after_a_crash_at_any_point() {
    let (before, after) = before_and_after();
    check_every_crash(&before, &after);
}

#[test]
fn a_commit_into_an_empty_project_is_nothing_or_all() {
    let (_, after) = before_and_after();
    check_every_crash(&FileContents::new(), &after);
}

#[test]
fn a_recovery_that_crashes_too_is_finished_by_the_next() {
    let (before, after) = small_change();
    let (image, project, log) = recorded_commit(&before, &after);
    let (mut first, mut second) = (HashSet::new(), HashSet::new());
    let mut points = 0;
    for image in crashes(&image, &project.root, &log, 3)
        .into_iter()
        .flatten()
    {
        if first.contains(&image) {
            continue;
        }
        let (recovering, expected, log) = recover(&image);
        assert!(expected == before || expected == after);
        points += log.len() + 1;
        // The first crash settled the outcome.
        for image in crashes(&image, &recovering.root, &log, 2)
            .into_iter()
            .flatten()
        {
            if second.insert((image.clone(), expected == after)) {
                let (_, files, _) = recover(&image);
                assert_eq!(files, expected);
            }
        }
        first.insert(image);
    }
    println!(
        "{points} crash points in {} recoveries, {} disks, 0 mixed",
        first.len(),
        second.len()
    );
}

/// The process is killed at every point, the next one recovers and makes another commit, and then the power fails:
/// unsynced effects of the first process must not affect the second commit.
#[test]
fn a_kill_before_the_crash_changes_nothing() {
    let (before, after) = small_change();
    check_kills(&before, &after);
    check_kills(&FileContents::new(), &after);
}

fn check_kills(before: &FileContents, after: &FileContents) {
    // Reverts everything, so that a replayed journal would find its old contents; and adds a file.
    let mut last = before.clone();
    last.insert(
        "memory/learnings/20260103-three.md".to_owned(),
        b"three".to_vec(),
    );
    last.insert(
        "memory/decisions/20260103-three.md".to_owned(),
        b"3".to_vec(),
    );
    let (mut disks, mut points) = (HashSet::new(), 0);
    for first_fails in 0.. {
        let project = Project::with_files(before);
        let image = project.image();
        let killed = Arc::new(Recorder::failing(Failure {
            kind: None,
            nth: first_fails,
            errno: Errno::InputOutput,
            times: Times::Always,
        }));
        let store = project.store(Arc::clone(&killed) as Arc<dyn Faults>);
        if let Ok(lock) = store.lock(Duration::ZERO) {
            let _ = store.commit(&lock, &change("run-1", before, after));
        }
        drop(store);

        let next = Arc::new(Recorder::new());
        let store = project.store(Arc::clone(&next) as Arc<dyn Faults>);
        let lock = store.lock(Duration::ZERO).unwrap();
        store.recover(&lock).unwrap();
        let recovered = project.files();
        assert!(recovered == *before || recovered == *after);
        let mut log = killed.log();
        let settled = log.len() + next.log().len();
        store
            .commit(&lock, &change("run-2", &recovered, &last))
            .unwrap();
        log.extend(next.log());

        for length in settled..=log.len() {
            points += 1;
            for image in Crash::after(&image, &project.root, &log[..length]).images(3) {
                let finished = length == log.len();
                if !disks.insert((image.clone(), recovered == *after, finished)) {
                    continue;
                }
                let (_, files, _) = recover(&image);
                assert!(
                    files == recovered || files == last,
                    "mixed after {length}: {files:#?}"
                );
                assert!(
                    !finished || files == last,
                    "lost after {length}: {files:#?}"
                );
            }
        }
        if killed.failed() == 0 {
            break;
        }
    }
    println!(
        "{points} crash points after kills, {} disks, 0 mixed",
        disks.len()
    );
}

/// Returns a change with the same kinds of steps as the large one, one of each.
pub(crate) fn small_change() -> (FileContents, FileContents) {
    let (mut before, mut after) = before_and_after();
    for path in [
        "memory/learnings/20260102-two.md",
        "memory/decisions/20260101-kept.md",
        "meta/evidence/updated.json",
        "meta/evidence/one.json",
        "meta/state/one.json",
        "meta/state/archived.json",
        "memory/archived/decisions/20260101-archived.md",
        "memory/decisions/20260101-archived.md",
    ] {
        before.remove(path);
        after.remove(path);
    }
    (before, after)
}
