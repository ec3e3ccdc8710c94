//! Hostile repositories: every query is answered or refused in bounded time and without a panic.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use acreta_git::{GitRepository, HistoryEnd, HistoryOptions};
use camino::Utf8Path;

use crate::support::{Chance, ScratchRepository};

/// Runs every query and ignores the results.
fn ask_everything(root: &Utf8Path) {
    let Ok(repository) = GitRepository::at(root) else {
        return;
    };
    let _ = (repository.branch(), repository.remote_url());
    let _ = (repository.root_commit(), repository.tracked());
    let _ = (repository.files(None), repository.removed_paths(1_000));
    let _ = repository.resolve("HEAD~1");
    if let Some(head) = repository.head() {
        let _ = repository.tree(&head);
        let _ = repository.changes_since(&head, "", None);
        let _ = repository.changed_between(&head, &head);
    }
}

fn soon(what: &str, work: impl FnOnce()) {
    let start = Instant::now();
    work();
    let taken = start.elapsed();
    assert!(taken < Duration::from_secs(120), "{what} took {taken:?}");
}

fn repository() -> ScratchRepository {
    let scratch = ScratchRepository::repository();
    for step in 0..8 {
        for file in 0..6 {
            scratch.write(
                &format!("d{}/f{file}.txt", file % 3),
                format!("{step} {file}\n").repeat(9),
            );
        }
        scratch.commit("step");
    }
    scratch
}

/// Creates an object without validation.
fn object(scratch: &ScratchRepository, kind: &str, bytes: &[u8]) -> String {
    use std::io::Write;
    let mut child = Command::new("git")
        .args(["hash-object", "-w", "--literally", "-t", kind, "--stdin"])
        .current_dir(&scratch.root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(bytes).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn tree_entry(mode: &str, name: &[u8], id: &str) -> Vec<u8> {
    let id: Vec<u8> = (0..id.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&id[at..at + 2], 16).unwrap())
        .collect();
    [mode.as_bytes(), b" ", name, b"\0", &id].concat()
}

fn head_to(scratch: &ScratchRepository, tree: &str, parent: Option<&str>) -> String {
    let mut text = format!("tree {tree}\n");
    if let Some(parent) = parent {
        text.push_str(&format!("parent {parent}\n"));
    }
    text.push_str("author A <a> 1 +0000\ncommitter A <a> 1 +0000\n\nm\n");
    let commit = object(scratch, "commit", text.as_bytes());
    scratch.write(".git/refs/heads/main", format!("{commit}\n"));
    commit
}

/// Randomly changes bits, lengths and whole files of a repository, loose and packed.
#[test]
fn damage_at_random_is_survived() {
    for packed in [false, true] {
        let scratch = repository();
        if packed {
            scratch.git(&["gc", "-q"]);
        }
        let mut files = Vec::new();
        let mut open = vec![scratch.root.join(".git")];
        while let Some(folder) = open.pop() {
            for entry in folder.read_dir_utf8().unwrap() {
                let path = entry.unwrap().into_path();
                if path.is_dir() {
                    open.push(path);
                } else if !path.as_str().contains("/hooks/") {
                    files.push(path);
                }
            }
        }
        files.sort();
        let mut chance = Chance(11);
        for round in 0..150 {
            let path = &files[chance.below(files.len())];
            let whole = std::fs::read(path).unwrap();
            let mut bytes = whole.clone();
            match chance.below(4) {
                0 => bytes.truncate(chance.below(bytes.len())),
                1 => bytes.clear(),
                2 => bytes.extend(vec![b'x'; 1 + chance.below(500)]),
                _ => {
                    for _ in 0..=chance.below(8) {
                        let at = chance.below(bytes.len());
                        if let Some(byte) = bytes.get_mut(at) {
                            *byte ^= 1 << chance.below(8);
                        }
                    }
                }
            }
            replace(path, &bytes);
            soon(&format!("round {round}, {path}"), || {
                ask_everything(&scratch.root);
            });
            replace(path, &whole);
        }
        assert!(scratch.open().root_commit().is_some(), "all is as it was");
    }
}

#[expect(clippy::disallowed_methods, reason = "the disk is the input of tests")]
fn replace(path: &Utf8Path, bytes: &[u8]) {
    let _ = std::fs::remove_file(path);
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn names_that_lead_out_of_a_tree_are_left_out() {
    let scratch = repository();
    let outside = ScratchRepository::new();
    outside.write("secret.txt", "secret\n");
    let blob = object(&scratch, "blob", b"x\n");
    let inner = object(
        &scratch,
        "tree",
        &tree_entry("100644", b"secret.txt", &blob),
    );
    let mut bytes = Vec::new();
    for (mode, name, id) in [
        ("100644", &b".."[..], &blob),
        ("40000", b"..", &inner),
        ("40000", b".git", &inner),
        ("40000", b".GIT", &inner),
        ("100644", b"", &blob),
        ("100644", b"a/../../b", &blob),
        ("100644", b"/etc/passwd", &blob),
        ("100644", b"good.txt", &blob),
    ] {
        bytes.extend(tree_entry(mode, name, id));
    }
    let tree = object(&scratch, "tree", &bytes);
    let commit = head_to(&scratch, &tree, None);
    let repository = scratch.open();
    let paths: Vec<String> = repository
        .tree(&commit)
        .unwrap()
        .into_iter()
        .map(|file| file.path)
        .collect();
    assert_eq!(paths, ["good.txt"]);
    let mut told = BTreeSet::new();
    repository.history(&HistoryOptions::default(), &mut |commit| {
        told.extend(commit.changes.into_iter().map(|(path, _)| path));
        ControlFlow::Continue(())
    });
    assert_eq!(told, BTreeSet::from(["good.txt".to_owned()]));

    // A tracked path behind a link is not examined.
    let scratch = ScratchRepository::repository();
    scratch.write("d/secret.txt", "secret\n");
    scratch.commit("first");
    rename(&scratch.root.join("d"), &outside.root.join("moved"));
    std::os::unix::fs::symlink(&outside.root, scratch.root.join("d")).unwrap();
    assert_eq!(scratch.changes("HEAD"), ["A d", "D d/secret.txt"]);
}

/// Ten folders that are all the same folder, ten levels deep: ten billion files in eleven objects.
#[test]
fn a_tree_that_explodes_is_refused() {
    let scratch = repository();
    let bomb = |leaf: &[u8]| {
        let mut below = object(&scratch, "blob", leaf);
        let mut mode = "100644";
        for _ in 0..10 {
            let entries = (b'a'..=b'j').map(|name| tree_entry(mode, &[name], &below));
            let bytes = entries.collect::<Vec<_>>().concat();
            below = object(&scratch, "tree", &bytes);
            mode = "40000";
        }
        below
    };
    let (one, two) = (bomb(b"1"), bomb(b"2"));
    let first = head_to(&scratch, &one, None);
    let second = head_to(&scratch, &two, Some(&first));
    soon("a bomb", || {
        let repository = scratch.open();
        let refused = repository.tree(&second).unwrap_err();
        assert!(refused.to_string().contains("limit"), "{refused}");
        assert!(repository.changed_between(&first, &second).is_err());
        let options = HistoryOptions {
            paths: Some(60),
            ..HistoryOptions::default()
        };
        let mut cut = 0;
        let end = repository.history(&options, &mut |commit| {
            cut += usize::from(commit.is_cut);
            ControlFlow::Continue(())
        });
        assert_eq!((end, cut), (HistoryEnd::Complete, 2));
    });
}

#[test]
fn a_tree_that_is_too_deep_is_refused() {
    let scratch = repository();
    let mut below = object(&scratch, "blob", b"x");
    let mut mode = "100644";
    for _ in 0..400 {
        below = object(&scratch, "tree", &tree_entry(mode, b"d", &below));
        mode = "40000";
    }
    let commit = head_to(&scratch, &below, None);
    soon("a deep tree", || {
        assert!(scratch.open().tree(&commit).is_err());
        ask_everything(&scratch.root);
    });
}

/// Fifos, endless devices, folders and links in place of a repository's files; cyclic refs.
#[test]
fn odd_things_in_the_place_of_files_are_no_trouble() {
    let cases: &[(&str, &[&str])] = &[
        (
            "fifo",
            &[
                "HEAD",
                "config",
                "index",
                "packed-refs",
                "refs/heads/main",
                "info/exclude",
            ],
        ),
        (
            "endless",
            &[
                "HEAD",
                "config",
                "index",
                "packed-refs",
                "shallow",
                "commondir",
                "refs/heads/main",
                "objects/info/alternates",
            ],
        ),
        (
            "folder",
            &[
                "HEAD",
                "config",
                "index",
                "packed-refs",
                "refs/heads/main",
                "objects/pack",
            ],
        ),
        ("circle", &["HEAD", "refs/heads/main", "config", "objects"]),
    ];
    for (kind, paths) in cases {
        for path in *paths {
            let scratch = repository();
            let target = scratch.root.join(".git").join(path);
            let aside = scratch.root.join(".git/aside");
            rename(&target, &aside);
            match *kind {
                "fifo" => {
                    let made = Command::new("mkfifo").arg(&target).status().unwrap();
                    assert!(made.success());
                }
                "endless" => std::os::unix::fs::symlink("/dev/zero", &target).unwrap(),
                "folder" => std::fs::create_dir_all(&target).unwrap(),
                _ => std::os::unix::fs::symlink(&target, &target).unwrap(),
            }
            soon(&format!("{kind} at {path}"), || {
                ask_everything(&scratch.root)
            });
        }
    }
    // Objects and ignore files as well.
    let scratch = repository();
    let head = scratch.open().head().unwrap();
    let object = scratch
        .root
        .join(".git/objects")
        .join(&head[..2])
        .join(&head[2..]);
    let aside = scratch.root.join(".git/aside");
    rename(&object, &aside);
    for path in [
        object,
        scratch.root.join(".gitignore"),
        scratch.root.join(".gitattributes"),
    ] {
        assert!(
            Command::new("mkfifo")
                .arg(&path)
                .status()
                .unwrap()
                .success()
        );
    }
    soon("fifos", || ask_everything(&scratch.root));
}

#[expect(clippy::disallowed_methods, reason = "the disk is the input of tests")]
fn rename(from: &Utf8Path, to: &Utf8Path) {
    drop(std::fs::rename(from, to));
}

#[test]
fn refs_in_circles_and_out_of_the_repository_lead_nowhere() {
    for (name, content) in [
        ("HEAD", "ref: HEAD\n"),
        ("HEAD", "ref: refs/heads/a\n"),
        ("HEAD", "ref: ../../../etc/passwd\n"),
        ("HEAD", "ref: refs/heads/../../../../etc/passwd\n"),
        ("HEAD", "ref: /etc/passwd\n"),
        ("HEAD", "ref: \n"),
        ("HEAD", "0123\n"),
        ("HEAD", ""),
    ] {
        let scratch = repository();
        scratch.write(".git/refs/heads/a", "ref: refs/heads/b\n");
        scratch.write(".git/refs/heads/b", "ref: refs/heads/a\n");
        scratch.write(&format!(".git/{name}"), content);
        assert_eq!(scratch.open().head(), None, "{content:?}");
        soon(content, || ask_everything(&scratch.root));
    }
}

/// Object files that claim a larger size than they have, or decompress to far more.
#[test]
fn objects_that_claim_too_much_are_refused() {
    let scratch = repository();
    let zeros = vec![0; 129 * 1024 * 1024];
    let large = object(&scratch, "blob", &zeros);
    drop(zeros);
    let tree = object(&scratch, "tree", &tree_entry("100644", b"a.bin", &large));
    head_to(&scratch, &tree, None);
    scratch.git(&["read-tree", "HEAD"]);
    scratch.write("b.bin", "a file that might have been a.bin\n");
    scratch.git(&["add", "b.bin"]);
    soon("a large blob", || ask_everything(&scratch.root));
    // As a tree it is refused before it is decompressed.
    let zeros = vec![0; 129 * 1024 * 1024];
    let tree = object(&scratch, "tree", &zeros);
    drop(zeros);
    let commit = head_to(&scratch, &tree, None);
    soon("a large tree", || {
        assert!(scratch.open().tree(&commit).is_err());
    });
}
