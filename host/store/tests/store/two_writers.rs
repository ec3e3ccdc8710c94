//! Two processes write to one memory at the same time: whoever read something old is refused and tries again, and no
//! update is lost.

use std::process::Command;
use std::time::Duration;

use acreta_store::{Change, CommitError, FileChange, Layout, Store, StoreError, digest};
use camino::{Utf8Path, Utf8PathBuf};

use crate::support::Project;

/// Names the project in a process that this test starts.
const PROJECT: &str = "ACRETA_TEST_TWO_WRITERS_IN";
const COUNTER: &str = "memory/decisions/20260101-counter.md";
const WRITERS: usize = 2;

/// `ACRETA_TEST_WRITES` sets the number of commits of each process.
#[test]
fn two_processes_lose_no_update() {
    let writes = acreta_testing::count("ACRETA_TEST_WRITES", 500);
    #[expect(clippy::disallowed_methods, reason = "the test starts itself")]
    if let Ok(root) = std::env::var(PROJECT) {
        return write(Utf8Path::new(&root), writes);
    }
    let project = Project::new();
    project.put(COUNTER, "0");
    let writers: Vec<_> = (0..WRITERS)
        .map(|_| {
            Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "two_writers::two_processes_lose_no_update"])
                .arg("--nocapture")
                .env(PROJECT, &project.root)
                .spawn()
                .unwrap()
        })
        .collect();
    for mut writer in writers {
        assert!(writer.wait().unwrap().success());
    }
    let files = project.files();
    let counted = String::from_utf8(files[COUNTER].clone()).unwrap();
    assert_eq!(counted, (WRITERS * writes).to_string());
    assert_eq!(files.len(), 1 + WRITERS * writes, "a file for each commit");
    println!("{WRITERS} processes with {writes} commits each: 0 lost updates");
}

/// Adds one to the counter and adds a file, again and again. The counter is read without the lock, so that it is often
/// too old.
fn write(root: &Utf8Path, writes: usize) {
    let recorder = std::sync::Arc::new(acreta_fs::faults::Recorder::new());
    let store = Store::open(Layout::for_project(root), recorder).unwrap();
    let counter = root.join(".acreta").join(COUNTER);
    let process = std::process::id();
    let (mut done, mut refused) = (0, 0);
    while done < writes {
        let old = std::fs::read_to_string(&counter).unwrap();
        let lock = match store.lock(Duration::from_secs(30)) {
            Ok(lock) => lock,
            Err(StoreError::Busy { .. }) => continue,
            Err(error) => panic!("{error}"),
        };
        store.recover(&lock).unwrap();
        let next = old.parse::<usize>().unwrap() + 1;
        let own = format!("memory/learnings/20260101-{process}-{done:06}.md");
        let changed = |path: &str, old: Option<&String>, new: String| FileChange {
            path: Utf8PathBuf::from(path),
            old: old.map(digest),
            new: Some(new.into_bytes()),
        };
        let change = Change {
            run_id: format!("run-{process}-{done}"),
            files: vec![
                changed(COUNTER, Some(&old), next.to_string()),
                changed(&own, None, format!("{process} {done}")),
            ],
        };
        match store.commit(&lock, &change) {
            Ok(_) => {
                done += 1;
                drop(lock);
                // Lets the other one in.
                std::thread::sleep(Duration::from_millis(1));
            }
            Err(CommitError::Stale { .. }) => refused += 1,
            Err(error) => panic!("{error}"),
        }
    }
    println!("process {process}: {done} commits, {refused} refused as stale");
}
