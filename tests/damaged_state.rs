//! A state database with a flipped byte: commands work or say what is damaged, and memory files stay as they are.

#![expect(clippy::disallowed_methods, reason = "a test damages a file")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::support::{Project, files, fixture};

/// Bytes that are flipped in an ordinary run; `ACRETA_TEST_FLIPS` sets another number.
const FLIPS: usize = 6;

const SEED: u64 = 0x0dd_b17e5;

fn memory(project: &Project) -> BTreeMap<PathBuf, Vec<u8>> {
    let folders = [
        project.root().join(".acreta/memory"),
        project.root().join(".acreta/meta/memories"),
    ];
    let found = folders.iter().filter(|folder| folder.is_dir());
    found
        .flat_map(|folder| files(folder))
        .map(|path| (path.clone(), std::fs::read(&path).unwrap()))
        .collect()
}

/// Returns the next number of a xorshift generator.
fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// Writes the database without its log.
fn put(home: &Path, bytes: &[u8]) {
    for log in ["state.db-wal", "state.db-shm"] {
        let _ = std::fs::remove_file(home.join(log));
    }
    std::fs::write(home.join("state.db"), bytes).unwrap();
}

#[test]
fn a_flipped_byte_of_the_state_costs_no_memory_and_is_named() {
    let project = Project::new();
    let demo = fixture("claude/demo-queue-retries.jsonl");
    project.run(&demo);
    project
        .acreta(&["add", "Deploys happen on Tuesday"])
        .succeeded();
    let home = project.home();
    let database = rusqlite::Connection::open(home.join("state.db")).unwrap();
    database
        .pragma_update(None, "wal_checkpoint", "TRUNCATE")
        .unwrap();
    drop(database);
    let whole = std::fs::read(home.join("state.db")).unwrap();
    let expected = memory(&project);
    assert!(expected.len() >= 2, "{expected:?}");
    let used: Vec<usize> = (0..whole.len()).filter(|at| whole[*at] != 0).collect();
    let flips = acreta_testing::count("ACRETA_TEST_FLIPS", FLIPS).min(used.len());
    let mut state = SEED;
    let (mut tried, mut refused) = (0, 0);
    for number in 0..flips {
        // The header and the first page first: most of what is refused is there.
        let at = match number % 2 {
            0 => used[(next(&mut state) % 200) as usize],
            _ => used[(next(&mut state) % used.len() as u64) as usize],
        };
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (next(&mut state) % 8);
        for command in [["status"].as_slice(), &["memory", "list"], &["sync"]] {
            put(&home, &bytes);
            let ran = project.acreta(command);
            let said = format!("byte {at}, `{command:?}`: {}", ran.stderr);
            assert!(matches!(ran.code, 0 | 1 | 3), "{said}");
            assert!(!ran.stderr.contains("panicked"), "{said}");
            if ran.code == 1 {
                refused += 1;
                let cause = match ran.stderr.contains("has schema version") {
                    true => "has schema version",
                    false => "caused by: ",
                };
                for part in ["state.db`", cause, "hint: "] {
                    assert!(ran.stderr.contains(part), "no `{part}`: {said}");
                }
            }
            assert!(memory(&project) == expected, "{said}");
            tried += 1;
        }
    }
    println!(
        "{tried} commands on {flips} flipped bytes: {refused} refused, 0 panics, 0 memory files changed"
    );
    assert!(refused > 0);
}
