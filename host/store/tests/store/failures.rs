//! The disk fails at every operation of a commit, with every error: the error message is clear, and after recovery
//! memory is old or new without leftovers.

use std::sync::Arc;
use std::time::Duration;

use acreta_fs::faults::{Errno, Failure, Recorder, Times};
use acreta_fs::{Faults, FsError, OperationKind};
use acreta_store::{CommitError, StoreError};

use crate::support::{FileContents, Project, before_and_after, change};

#[derive(Debug, PartialEq)]
enum StateAfterFailure {
    /// The failure is after the commit's last operation.
    NotReached,
    Old,
    New,
}

/// Runs one commit with a failure, then a recovery on an intact disk.
fn commit_with(failure: Failure, before: &FileContents, after: &FileContents) -> StateAfterFailure {
    let project = Project::with_files(before);
    let recorder = Arc::new(Recorder::failing(failure));
    let store = project.store(Arc::clone(&recorder) as Arc<dyn Faults>);
    let result = match store.lock(Duration::ZERO) {
        Ok(lock) => store.commit(&lock, &change("run-1", before, after)),
        Err(StoreError::Fs(error)) => Err(error.into()),
        Err(error) => panic!("{error}"),
    };
    if recorder.failed() == 0 {
        result.unwrap();
        assert_eq!(project.files(), *after);
        return StateAfterFailure::NotReached;
    }
    let error = result.as_ref().err();
    if let Some(error) = error {
        assert_clear(error, &project);
    }
    let may_be_new = matches!(
        error,
        None | Some(CommitError::Interrupted { .. } | CommitError::Sync(_))
    );
    drop(store);

    let (store, lock) = project.locked();
    store.recover(&lock).unwrap();
    let files = project.files();
    let outcome = if files == *after {
        StateAfterFailure::New
    } else {
        StateAfterFailure::Old
    };
    assert!(
        files == *after || files == *before,
        "mixed after {failure:?}: {files:#?}"
    );
    assert!(
        outcome == StateAfterFailure::Old || may_be_new,
        "{failure:?}: {error:?}"
    );
    assert!(
        outcome == StateAfterFailure::New || error.is_some(),
        "{failure:?} was hidden"
    );
    assert!(store.recover(&lock).unwrap().is_empty());
    outcome
}

/// Checks that an error names the problem, the file and the cause.
fn assert_clear(error: &CommitError, project: &Project) {
    let mut chain = vec![error.to_string()];
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        chain.push(cause.to_string());
        source = cause.source();
    }
    let all = chain.join(": ");
    assert!(all.contains(project.root.as_str()), "{all}");
    assert!(all.contains("os error"), "{all}");
    assert!(
        !chain[0].ends_with('.') && !chain[0].starts_with(char::is_uppercase),
        "{all}"
    );
}

#[test]
fn any_error_at_any_operation_leaves_old_or_new() {
    let (before, after) = before_and_after();
    let (mut tried, mut new) = (0, 0);
    for errno in Errno::ALL {
        for times in [Times::Once, Times::Always] {
            for nth in 0.. {
                let failure = Failure {
                    kind: None,
                    nth,
                    errno,
                    times,
                };
                match commit_with(failure, &before, &after) {
                    StateAfterFailure::NotReached => break,
                    StateAfterFailure::Old => {}
                    StateAfterFailure::New => new += 1,
                }
                tried += 1;
            }
        }
    }
    println!("{tried} failures: {} old, {new} new, 0 mixed", tried - new);
}

#[test]
fn a_read_that_fails_leaves_old_or_new() {
    let (before, after) = before_and_after();
    let mut tried = 0;
    for nth in 0.. {
        let failure = Failure {
            kind: Some(OperationKind::Read),
            nth,
            errno: Errno::TooManyOpen,
            times: Times::Once,
        };
        // The first operations open the store itself.
        if nth < 4 {
            continue;
        }
        if commit_with(failure, &before, &after) == StateAfterFailure::NotReached {
            break;
        }
        tried += 1;
    }
    assert!(tried > 20);
}

#[test]
fn a_failed_sync_stops_all_writing_until_the_next_start() {
    let (before, after) = before_and_after();
    let mut tried = 0;
    for kind in [OperationKind::SyncFile, OperationKind::SyncDirectory] {
        for nth in 0.. {
            let project = Project::with_files(&before);
            let failure = Failure {
                kind: Some(kind),
                nth,
                errno: Errno::InputOutput,
                times: Times::Once,
            };
            let recorder = Arc::new(Recorder::failing(failure));
            let store = project.store(Arc::clone(&recorder) as Arc<dyn Faults>);
            let lock = store.lock(Duration::ZERO).unwrap();
            let result = store.commit(&lock, &change("run-1", &before, &after));
            if recorder.failed() == 0 {
                result.unwrap();
                break;
            }
            let error = result.unwrap_err();
            assert!(error.is_sync(), "{error}");
            let writes = recorder.log().len();
            let other =
                FileContents::from([("memory/decisions/20260101-x.md".to_owned(), Vec::new())]);
            let again = store.commit(&lock, &change("run-2", &FileContents::new(), &other));
            assert!(matches!(again, Err(CommitError::Sync(_))), "{again:?}");
            let left = store.recover(&lock);
            assert!(matches!(left, Err(CommitError::Sync(_))), "{left:?}");
            assert_eq!(recorder.log().len(), writes, "written after a failed sync");
            drop((lock, store));

            let (store, lock) = project.locked();
            store.recover(&lock).unwrap();
            let files = project.files();
            assert!(files == before || files == after);
            tried += 1;
        }
    }
    println!("{tried} failed syncs, nothing written after any of them");
}

#[test]
fn errors_of_the_disk_keep_their_kind() {
    let (before, after) = before_and_after();
    let project = Project::with_files(&before);
    let failure = Failure {
        kind: Some(OperationKind::Write),
        nth: 3,
        errno: Errno::NoSpace,
        times: Times::Once,
    };
    let store = project.store(Arc::new(Recorder::failing(failure)));
    let lock = store.lock(Duration::ZERO).unwrap();
    let change = change("run-1", &before, &after);
    match store.commit(&lock, &change) {
        Err(CommitError::Fs(FsError::NoSpace { path, .. })) => {
            assert!(path.starts_with(project.base().join("meta/commit/run-1")));
        }
        other => panic!("{other:?}"),
    }
    // There is space again: the same commit succeeds without a restart.
    store.commit(&lock, &change).unwrap();
    assert_eq!(project.files(), after);
}
