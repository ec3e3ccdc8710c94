//! Every operation, succeeding and failing.

use std::io::{Read, Write};
use std::sync::Arc;
use std::time::Duration;

use acreta_fs::faults::{Errno, Failure, Image, Recorder, Times};
use acreta_fs::{
    Directory, EntryKind, Faults, FsError, Limits, LockError, NoFaults, OperationKind,
    StagingMethod, scratch, stage_file,
};
use camino::{Utf8Path, Utf8PathBuf};

fn folder() -> (tempfile::TempDir, Utf8PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
    (folder, path)
}

fn open(path: &Utf8Path) -> Directory {
    Directory::open(path, NoFaults::shared()).unwrap()
}

fn failing(kind: OperationKind, errno: Errno) -> Arc<Recorder> {
    Arc::new(Recorder::failing(Failure {
        kind: Some(kind),
        nth: 0,
        errno,
        times: Times::Once,
    }))
}

#[test]
fn a_replaced_file_has_the_new_content_and_nothing_is_left_beside_it() {
    let (_guard, path) = folder();
    let directory = open(&path);
    directory.create_dir_all("a/b").unwrap();
    directory.replace("a/b/c.txt", b"one").unwrap();
    directory.replace("a/b/c.txt", b"two").unwrap();
    assert_eq!(directory.read("a/b/c.txt", 3).unwrap(), b"two");
    assert_eq!(directory.read_to_string("a/b/c.txt", 3).unwrap(), "two");
    assert_eq!(Image::read(&path).unwrap().files().len(), 1);
    assert!(matches!(
        directory.read("a/b/c.txt", 2),
        Err(FsError::TooLarge { limit: 2, .. })
    ));
    assert!(matches!(
        directory.replace("a/b", b"x"),
        Err(FsError::NotRegular { .. })
    ));
    assert!(matches!(
        directory.create_dir_all("a/b/c.txt/d"),
        Err(FsError::NotDirectory { .. })
    ));
    assert!(directory.read("a/none", 2).unwrap_err().is_not_found());
}

#[test]
fn a_pending_file_is_seen_when_committed_and_gone_when_dropped() {
    let (_guard, path) = folder();
    let directory = open(&path);
    let mut dropped = directory.pending("dropped").unwrap();
    dropped.write_all(&[b'x'; 200_000]).unwrap();
    drop(dropped);
    let mut kept = directory.pending("kept").unwrap();
    for _ in 0..1_000 {
        kept.write_all(b"0123456789").unwrap();
    }
    assert!(!directory.exists("kept").unwrap());
    kept.commit().unwrap();
    let image = Image::read(&path).unwrap();
    assert_eq!(image.nodes.len(), 1);
    assert_eq!(image.file("kept").unwrap().len(), 10_000);
}

#[test]
fn readers_read_and_logs_grow() {
    let (_guard, path) = folder();
    let directory = open(&path);
    directory.append("log", b"one\n").unwrap();
    directory.append("log", b"two\n").unwrap();
    let mut reader = directory.open_reader("log").unwrap();
    assert_eq!(reader.size(), 8);
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    assert_eq!(text, "one\ntwo\n");
    directory.write_synced_new("new", b"1").unwrap();
    assert!(matches!(
        directory.write_synced_new("new", b"2"),
        Err(FsError::AlreadyExists { .. })
    ));
    directory.rename("new", "newer").unwrap();
    directory.remove_file("newer").unwrap();
    assert!(directory.remove_file("newer").unwrap_err().is_not_found());
}

#[cfg(unix)]
#[test]
fn private_means_for_the_owner_only_and_stays_so() {
    let (_guard, path) = folder();
    let directory = open(&path);
    let mode = |name: &str| directory.metadata(name).unwrap().mode.unwrap();
    directory.private().create_dir_all("secret").unwrap();
    directory.private().replace("secret/token", b"1").unwrap();
    assert_eq!(mode("secret"), 0o700);
    assert_eq!(mode("secret/token"), 0o600);
    directory.replace("secret/token", b"2").unwrap();
    assert_eq!(mode("secret/token"), 0o600);
    directory.replace("open", b"1").unwrap();
    assert_eq!(mode("open") & 0o600, 0o600);
}

#[test]
fn a_walk_is_sorted_and_knows_its_limits() {
    let (_guard, path) = folder();
    let directory = open(&path);
    directory.create_dir_all("b/c").unwrap();
    for file in ["b/c/2", "b/c/1", "a", "z", "b.txt"] {
        directory.append(file, b"12345").unwrap();
    }
    let limits = Limits {
        files: 7,
        bytes: 25,
        depth: 3,
    };
    let names = |entries: Vec<acreta_fs::Entry>| -> Vec<String> {
        entries
            .into_iter()
            .map(|entry| entry.path.into_string())
            .collect()
    };
    let all = names(directory.walk(".", limits).unwrap());
    assert_eq!(all, ["a", "b", "b/c", "b/c/1", "b/c/2", "b.txt", "z"]);
    assert_eq!(
        names(directory.walk("b/c", limits).unwrap()),
        ["b/c/1", "b/c/2"]
    );
    assert_eq!(names(directory.list("b", 1).unwrap()), ["b/c"]);
    for (limits, what) in [
        (Limits { files: 6, ..limits }, "entries"),
        (
            Limits {
                bytes: 24,
                ..limits
            },
            "bytes",
        ),
        (Limits { depth: 2, ..limits }, "levels of directories"),
    ] {
        match directory.walk(".", limits) {
            Err(FsError::OverLimit { limit, .. }) => assert_eq!(limit, what),
            other => panic!("{what}: {other:?}"),
        }
    }
}

#[test]
fn a_lock_is_one_at_a_time_and_waits_no_longer_than_asked() {
    let (_guard, path) = folder();
    let directory = open(&path);
    let held = directory.lock("lock", Duration::ZERO).unwrap();
    let mut slept = Duration::ZERO;
    let refused = directory.lock_with("lock", Duration::from_millis(95), |pause| slept += pause);
    match refused {
        Err(LockError::Busy { holder, path }) => {
            assert_eq!(holder, Some(std::process::id()));
            assert_eq!(path, directory.path().join("lock"));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(slept, Duration::from_millis(95));

    let mut held = Some(held);
    let mut pauses = 0;
    directory
        .lock_with("lock", Duration::from_secs(5), |_| {
            pauses += 1;
            if pauses == 3 {
                held.take();
            }
        })
        .unwrap();
    assert_eq!(pauses, 3);
}

#[test]
fn a_lock_file_that_was_removed_meanwhile_protects_nobody() {
    let (_guard, path) = folder();
    let directory = open(&path);
    let first = directory.lock("lock", Duration::ZERO).unwrap();
    directory.remove_file("lock").unwrap();
    let second = directory.lock("lock", Duration::ZERO).unwrap();
    assert!(directory.lock("lock", Duration::ZERO).is_err());
    drop(first);
    assert!(directory.lock("lock", Duration::ZERO).is_err());
    drop(second);
    directory.lock("lock", Duration::ZERO).unwrap();
}

#[test]
fn scratch_is_private_and_cleans_up_however_deep() {
    let (_guard, path) = folder();
    let directory = open(&path);
    let first = scratch(&directory, "draft").unwrap();
    let second = scratch(&directory, "draft").unwrap();
    assert_ne!(first.path(), second.path());
    #[cfg(unix)]
    assert_eq!(
        directory
            .metadata(first.path().file_name().unwrap())
            .unwrap()
            .mode,
        Some(0o700)
    );
    let mut deep = second.directory().clone();
    for _ in 0..3_000 {
        deep.create_dir("d").unwrap();
        deep.append("file", b"x").unwrap();
        deep = deep.subdirectory("d").unwrap();
    }
    drop(first);
    second.close().unwrap();
    assert!(directory.list(".", 10).unwrap().is_empty());
}

#[test]
fn files_are_staged_by_link_or_copy() {
    let (_guard, path) = folder();
    let directory = open(&path);
    directory.append("source", b"content").unwrap();
    let into = scratch(&directory, "stage").unwrap();
    assert_eq!(
        stage_file(&path.join("source"), into.directory(), "linked").unwrap(),
        StagingMethod::Linked
    );
    let faults = failing(OperationKind::Link, Errno::InputOutput);
    let copying = Directory::open(into.path(), faults as Arc<dyn Faults>).unwrap();
    assert_eq!(
        stage_file(&path.join("source"), &copying, "copied").unwrap(),
        StagingMethod::Copied
    );
    for name in ["linked", "copied"] {
        assert_eq!(into.directory().read(name, 100).unwrap(), b"content");
    }
    assert!(stage_file(&path.join("source"), into.directory(), "copied").is_err());
    assert!(stage_file(&path, into.directory(), "folder").is_err());
    assert!(stage_file(&path.join("none"), into.directory(), "none").is_err());
}

#[test]
fn a_directory_is_made_with_its_ancestors() {
    let (_guard, path) = folder();
    let made = Directory::open_or_create(&path.join("a/b/c"), NoFaults::shared()).unwrap();
    made.append("file", b"x").unwrap();
    let again = Directory::open_or_create(&path.join("a/b/c"), NoFaults::shared()).unwrap();
    assert!(again.exists("file").unwrap());
    assert_eq!(again.metadata(".").unwrap().kind, EntryKind::Directory);
    assert!(
        Directory::open(&path.join("none"), NoFaults::shared())
            .unwrap_err()
            .is_not_found()
    );
}

#[test]
fn each_error_of_the_disk_has_its_own_kind() {
    type Check = fn(&FsError) -> bool;
    let cases: [(Errno, Check); 4] = [
        (Errno::NoSpace, |error| {
            matches!(error, FsError::NoSpace { .. })
        }),
        (Errno::ReadOnly, |error| {
            matches!(error, FsError::ReadOnly { .. })
        }),
        (Errno::InputOutput, |error| {
            matches!(error, FsError::Io { .. })
        }),
        (Errno::TooManyOpen, |error| {
            matches!(error, FsError::Io { .. })
        }),
    ];
    for (errno, expected) in cases {
        for kind in [
            OperationKind::CreateFile,
            OperationKind::Write,
            OperationKind::Rename,
        ] {
            let (_guard, path) = folder();
            let faults = failing(kind, errno);
            let directory = Directory::open(&path, Arc::clone(&faults) as Arc<dyn Faults>).unwrap();
            let error = directory.replace("file", b"x").unwrap_err();
            assert!(expected(&error), "{error:?}");
            assert!(std::error::Error::source(&error).is_some());
            assert_eq!(faults.failed(), 1);
            // No partial result, and a retry succeeds.
            assert!(directory.list(".", 10).unwrap().is_empty());
            directory.replace("file", b"x").unwrap();
        }
    }
}

#[test]
fn after_a_failed_sync_nothing_more_is_written() {
    for kind in [OperationKind::SyncFile, OperationKind::SyncDirectory] {
        let (_guard, path) = folder();
        let faults = failing(kind, Errno::InputOutput);
        let directory = Directory::open(&path, faults as Arc<dyn Faults>).unwrap();
        directory.create_dir("sub").unwrap();
        directory.append("old", b"old").unwrap();
        let sub = directory.subdirectory("sub").unwrap();
        assert!(directory.replace("new", b"new").unwrap_err().is_sync());
        let later: [Result<(), FsError>; 7] = [
            directory.replace("old", b"new"),
            directory.rename("old", "older"),
            directory.remove_file("old"),
            directory.create_dir_all("a/b"),
            sub.append("log", b"x"),
            sub.private().sync_directory("."),
            directory
                .lock("lock", Duration::ZERO)
                .map(drop)
                .map_err(|error| match error {
                    LockError::Fs(error) => error,
                    busy => panic!("{busy}"),
                }),
        ];
        for result in later {
            assert!(result.unwrap_err().is_sync());
        }
        assert_eq!(directory.read("old", 10).unwrap(), b"old");
    }
}
