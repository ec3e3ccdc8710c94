//! A disk that fails at any operation of a run: a clear error, memory old or new, the next run finishes.

use std::collections::BTreeMap;
use std::sync::Arc;

use acreta_fs::OperationKind;
use acreta_fs::faults::{Errno, Failure, Recorder, Times};

use crate::fakes::{Project, ScriptedSession};

const BEFORE: (&str, &str) = ("Port 8080 is taken", "Use 8090 for the test server.");
const AFTER: (&str, &str) = (
    "Port 8080 is taken",
    "Use 8090 for the test server; the proxy holds 8080.",
);
const NEW: (&str, &str) = ("Tag releases by hand", "The robot has no key.");

fn first() -> ScriptedSession {
    ScriptedSession::new("one", 10, &[BEFORE])
}

fn second() -> ScriptedSession {
    ScriptedSession::new("two", 20, &[AFTER, NEW])
}

fn expected(statements: &[(&str, &str)]) -> BTreeMap<String, String> {
    statements
        .iter()
        .map(|(title, body)| {
            (
                (*title).to_owned(),
                format!("# {title}\n\n> {title}.\n\n> {body}"),
            )
        })
        .collect()
}

#[test]
fn a_failure_at_any_operation_leaves_old_or_new() {
    // Nearly all of the time is spent waiting for the disk, so the threads overlap it.
    let counts: Vec<(u64, u64)> = std::thread::scope(|scope| {
        let errors = [
            Errno::NoSpace,
            Errno::InputOutput,
            Errno::ReadOnly,
            Errno::TooManyOpen,
        ];
        let threads = errors.map(|errno| scope.spawn(move || every_operation(errno)));
        threads.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let tried: u64 = counts.iter().map(|(tried, _)| tried).sum();
    let failed: u64 = counts.iter().map(|(_, failed)| failed).sum();
    println!("{tried} failing disks, {failed} failed runs, 0 mixed memories");
    assert!(failed > 100);
}

/// Returns how many operations were tried, and how many runs failed.
fn every_operation(errno: Errno) -> (u64, u64) {
    let (old, new) = (expected(&[BEFORE]), expected(&[AFTER, NEW]));
    let (mut tried, mut failed) = (0, 0);
    for nth in 0.. {
        let project = Project::new();
        project.run(&first());
        let recorder = Arc::new(Recorder::failing(Failure {
            kind: None,
            nth,
            errno,
            times: Times::Always,
        }));
        let result = project.run_with(&second(), recorder.clone());
        let reached = recorder.failed();
        tried += 1;
        if let Err(error) = &result {
            failed += 1;
            assert!(!error.to_string().is_empty());
        }
        let statements = project.statements();
        assert!(
            statements == old || statements == new,
            "{errno:?} at {nth}: {statements:?}"
        );
        if result.is_ok() {
            assert_eq!(statements, new, "{errno:?} at {nth}");
        }
        project.run(&second());
        assert_eq!(
            project.statements(),
            new,
            "{errno:?} at {nth}: the next run finishes"
        );
        if reached == 0 {
            break;
        }
    }
    (tried, failed)
}

#[test]
fn a_failed_sync_ends_the_run() {
    for kind in [OperationKind::SyncFile, OperationKind::SyncDirectory] {
        let project = Project::new();
        project.run(&first());
        let recorder = Arc::new(Recorder::failing(Failure {
            kind: Some(kind),
            nth: 0,
            errno: Errno::InputOutput,
            times: Times::Once,
        }));
        project.run_with(&second(), recorder).unwrap_err();
        assert_eq!(project.statements(), expected(&[BEFORE]), "{kind:?}");
    }
}
