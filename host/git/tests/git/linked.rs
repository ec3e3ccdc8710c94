//! Asserts that gix crates that can run a program are not linked.

use std::process::Command;

/// Crates that run filters, hooks, helpers or commands, or depend on those that do.
const REFUSED: [&str; 12] = [
    "gix",
    "gix-command",
    "gix-credentials",
    "gix-filter",
    "gix-merge",
    "gix-prompt",
    "gix-protocol",
    "gix-status",
    "gix-submodule",
    "gix-transport",
    "gix-worktree-state",
    "gix-worktree-stream",
];

#[test]
fn no_crate_that_runs_programs_is_linked() {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "--package", "acreta"])
        .args(["--edges", "normal,build", "--prefix", "none"])
        .args(["--format", "{p}"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let tree = String::from_utf8(output.stdout).unwrap();
    let mut names: Vec<&str> = tree
        .lines()
        .filter_map(|line| line.split(' ').next())
        .collect();
    names.sort_unstable();
    names.dedup();
    assert!(names.contains(&"gix-pack"), "the tree is not the product's");
    for refused in REFUSED {
        assert!(!names.contains(&refused), "{refused} is linked");
    }
}

/// The lock file covers all systems and all features.
#[test]
fn no_crate_that_runs_programs_is_locked() {
    let lock = camino::Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
    let lock = std::fs::read_to_string(lock).unwrap();
    assert!(lock.contains("name = \"gix-pack\""), "another lock file");
    for refused in REFUSED {
        assert!(
            !lock.contains(&format!("name = \"{refused}\"\n")),
            "{refused} is locked"
        );
    }
}

/// Only this crate uses gix, and no product crate starts git.
#[test]
fn no_other_crate_names_gix_or_starts_git() {
    let host = camino::Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    // Benches compare with git.
    let is_bench = |name: &str| name.starts_with("bench");
    let mut read = 0;
    for entry in host.read_dir_utf8().unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().to_owned();
        let manifest = entry.path().join("Cargo.toml");
        if !manifest.is_file() || name == "git" {
            continue;
        }
        let manifest = std::fs::read_to_string(manifest).unwrap();
        assert!(!manifest.contains("gix"), "host/{name} names gix");
        if is_bench(&name) {
            continue;
        }
        let mut open = vec![entry.path().join("src")];
        while let Some(folder) = open.pop() {
            for entry in folder.read_dir_utf8().into_iter().flatten() {
                let path = entry.unwrap().into_path();
                if path.is_dir() {
                    open.push(path);
                } else if path.extension() == Some("rs") {
                    read += 1;
                    let text = std::fs::read_to_string(&path).unwrap();
                    assert!(!text.contains("Command::new(\"git\""), "{path} starts git");
                }
            }
        }
    }
    assert!(read > 300, "only {read} files were read");
}
