//! Failing disks: after any failure, every file is unchanged or the receipt restores it.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use acreta_agent_setup::{Agent, ApplyError, Receipt, apply, undo};
use acreta_fs::faults::{Errno, Failure, Recorder, Times};
use acreta_fs::{Faults, Operation};
use camino::Utf8PathBuf;

use crate::support::{Home, Node, Unsynced};

fn prepared() -> Home {
    Home::with(&[
        (".claude.json", "{\n  \"a\": 1\n}\n"),
        (".codex/config.toml", "model = \"m\"\n"),
    ])
}

/// A recorder that does not wait for the disk; a sync can still fail.
#[derive(Debug)]
struct Failing(Recorder);

impl Faults for Failing {
    fn before(&self, operation: &Operation<'_>) -> io::Result<()> {
        self.0.before(operation)
    }

    fn after(&self, operation: &Operation<'_>) {
        self.0.after(operation);
    }

    fn passes_syncs(&self) -> bool {
        false
    }
}

fn failing(nth: usize, errno: Errno, times: Times) -> Arc<Failing> {
    Arc::new(Failing(Recorder::failing(Failure {
        kind: None,
        nth,
        errno,
        times,
    })))
}

fn files(home: &Home) -> BTreeMap<Utf8PathBuf, Node> {
    files_of(home.snapshot())
}

/// Returns only the files. A disk on which a write cannot be completed may also refuse to remove the file: it keeps its
/// temporary name, and its folder stays.
fn files_of(mut nodes: BTreeMap<Utf8PathBuf, Node>) -> BTreeMap<Utf8PathBuf, Node> {
    nodes.retain(|path, node| *node != Node::Folder && path.extension() != Some("tmp"));
    nodes
}

#[test]
fn a_failure_at_any_step_leaves_every_file_as_it_was() {
    for errno in Errno::ALL {
        let mut rolled_back = 0;
        for nth in 0.. {
            let home = prepared();
            let start = home.snapshot();
            let plan = home.plan(&[Agent::Claude, Agent::Codex]);
            let faults = failing(nth, errno, Times::Once);
            let result = apply(&plan, &home.backups(0), faults.clone());
            if faults.0.failed() == 0 {
                result.unwrap();
                break;
            }
            match result {
                Err(ApplyError::Backup(_)) => {}
                Err(ApplyError::RolledBack { .. }) => rolled_back += 1,
                // A single failure may be harmless.
                Ok(receipt) => assert!(undo(&receipt, Unsynced::shared()).is_complete()),
                Err(error) => panic!("{errno:?} at {nth}: {error}"),
            }
            assert_eq!(files(&home), files_of(start), "{errno:?} at {nth}");
        }
        assert!(rolled_back > 10, "{errno:?}: {rolled_back}");
    }
}

#[test]
fn what_a_disk_that_went_away_has_left_is_undone_with_the_receipt() {
    let mut partial = 0;
    for nth in 0.. {
        let home = prepared();
        let start = home.snapshot();
        let plan = home.plan(&[Agent::Claude, Agent::Codex]);
        let faults = failing(nth, Errno::ReadOnly, Times::Always);
        let result = apply(&plan, &home.backups(0), faults.clone());
        if faults.0.failed() == 0 {
            break;
        }
        match result {
            Err(ApplyError::Partial { folder, .. }) => {
                partial += 1;
                let receipt = Receipt::read(&folder).unwrap();
                let undone = undo(&receipt, Unsynced::shared());
                assert!(undone.is_complete(), "at {nth}: {:?}", undone.refused);
            }
            Err(ApplyError::Backup(_) | ApplyError::RolledBack { .. }) => {}
            other => panic!("at {nth}: {other:?}"),
        }
        assert_eq!(files(&home), files_of(start), "at {nth}");
    }
    assert!(partial > 10, "{partial}");
}

#[test]
fn an_undo_that_fails_says_so_and_can_be_repeated() {
    for nth in 0.. {
        let home = prepared();
        let start = home.snapshot();
        let receipt = home.connect(&[Agent::Claude, Agent::Codex]);
        let faults = failing(nth, Errno::InputOutput, Times::Always);
        let undone = undo(&receipt, faults.clone());
        if faults.0.failed() == 0 {
            break;
        }
        let again = undo(&receipt, Unsynced::shared());
        assert!(
            again.is_complete(),
            "at {nth}: {:?} {:?}",
            undone,
            again.refused
        );
        assert_eq!(files(&home), files_of(start), "at {nth}");
    }
}

#[test]
fn a_file_that_changed_since_the_plan_stops_it() {
    let home = prepared();
    let plan = home.plan(&[Agent::Claude]);
    home.write(".claude.json", "{}");
    let start = home.snapshot();
    let error = apply(&plan, &home.backups(0), Unsynced::shared()).unwrap_err();
    assert!(matches!(&error, ApplyError::Stale { path } if *path == home.path(".claude.json")));
    assert!(error.hint().is_some());
    assert_eq!(home.snapshot(), start);
}

#[test]
fn backups_are_never_written_over() {
    let home = prepared();
    home.connect(&[Agent::Claude]);
    let before = home.snapshot();
    let plan = home.plan(&[Agent::Codex]);
    let error = apply(&plan, &home.backups(0), Unsynced::shared()).unwrap_err();
    assert!(matches!(error, ApplyError::FolderTaken { .. }));
    assert_eq!(home.snapshot(), before);
}

#[cfg(unix)]
#[test]
fn backups_are_for_their_owner_alone_and_modes_are_kept() {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = |path: Utf8PathBuf| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let home = prepared();
    let state = home.path(".claude.json");
    std::fs::set_permissions(&state, std::fs::Permissions::from_mode(0o600)).unwrap();
    let receipt = home.connect(&[Agent::Claude]);
    assert_eq!(mode(state.clone()), 0o600);
    let backup = receipt.written.iter().find_map(|file| file.before.as_ref());
    for name in ["receipt.json", backup.unwrap().backup.as_str()] {
        assert_eq!(mode(home.backups(0).join(name)), 0o600, "{name}");
    }
    undo(&receipt, Unsynced::shared());
    assert_eq!(mode(state), 0o600);
}
