//! Repositories created by git itself.

use std::process::Command;

use acreta_session_archive::identity_of;
use acreta_types::Identity;
use camino::Utf8Path;

use crate::support::TestTree;

/// Runs git without user settings.
fn git(folder: &Utf8Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .current_dir(folder)
        .args([
            "-c",
            "init.defaultBranch=main",
            "-c",
            "commit.gpgSign=false",
        ])
        .args(["-c", "user.name=Ann", "-c", "user.email=ann@example.org"])
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_AUTHOR_DATE", "2026-01-02T03:04:05Z")
        .env("GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z")
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Creates a repository with two commits; returns the first.
fn repository(tree: &TestTree, name: &str) -> String {
    let folder = tree.folder(name);
    git(&folder, &["init", "--quiet"]);
    commit(&folder, "first");
    let root = git(&folder, &["rev-parse", "HEAD"]);
    commit(&folder, "second");
    root
}

fn commit(folder: &Utf8Path, message: &str) {
    git(
        folder,
        &["commit", "--quiet", "--allow-empty", "-m", message],
    );
}

fn identity(tree: &TestTree, name: &str) -> Identity {
    identity_of(&tree.path(name))
}

#[test]
fn a_repository_is_its_first_commit_and_its_remote() {
    let tree = TestTree::new();
    let root = repository(&tree, "app");
    let app = tree.path("app");
    let expected = |remote: Option<&str>| Identity {
        root_commit: Some(root.clone()),
        remote: remote.map(ToOwned::to_owned),
    };
    assert_eq!(identity(&tree, "app"), expected(None));
    let url = "https://ann:hunter2@Example.org/ann/app.git";
    git(&app, &["remote", "add", "origin", url]);
    assert_eq!(
        identity(&tree, "app"),
        expected(Some("example.org/ann/app"))
    );

    // The same identity at any path, and in each of its worktrees.
    git(&app, &["worktree", "add", "--quiet", "../side"]);
    assert_eq!(identity(&tree, "side"), identity(&tree, "app"));
    std::fs::create_dir(tree.path("moved")).unwrap();
    git(&tree.root, &["clone", "--quiet", "app", "moved/app"]);
    assert_eq!(
        identity(&tree, "moved/app"),
        expected(Some(tree.path("app").as_str()))
    );
}

#[test]
fn of_several_first_commits_the_smallest_counts() {
    let tree = TestTree::new();
    let one = repository(&tree, "app");
    let app = tree.path("app");
    git(&app, &["checkout", "--quiet", "--orphan", "other"]);
    commit(&app, "another first");
    let two = git(&app, &["rev-parse", "HEAD"]);
    git(
        &app,
        &[
            "merge",
            "--quiet",
            "--allow-unrelated-histories",
            "-m",
            "both",
            "main",
        ],
    );
    assert_ne!(one, two);
    let smallest = one.min(two);
    assert_eq!(identity(&tree, "app").root_commit, Some(smallest));
}

#[test]
fn what_has_no_history_has_no_first_commit() {
    let tree = TestTree::new();
    repository(&tree, "app");
    let url = format!("file://{}", tree.path("app"));
    git(
        &tree.root,
        &["clone", "--quiet", "--depth=1", &url, "shallow"],
    );
    git(&tree.folder("empty"), &["init", "--quiet"]);
    tree.folder("app/inside");
    tree.write("broken/.git/HEAD", "no such thing");
    tree.write("pointing/.git", "gitdir: /nowhere/at/all\n");
    tree.folder("plain");

    let shallow = identity(&tree, "shallow");
    assert_eq!(shallow.root_commit, None);
    assert_eq!(shallow.remote, Some(tree.path("app").to_string()));
    for name in ["empty", "app/inside", "broken", "pointing", "plain", "gone"] {
        assert_eq!(identity(&tree, name), Identity::default(), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn nothing_that_a_repository_names_is_run() {
    use std::os::unix::fs::PermissionsExt;

    let tree = TestTree::new();
    let root = repository(&tree, "app");
    let trap = tree.write(
        "trap",
        format!("#!/bin/sh\ntouch {}\n", tree.path("sprung")),
    );
    std::fs::set_permissions(&trap, PermissionsExt::from_mode(0o755)).unwrap();
    let app = tree.path("app");
    for key in [
        "core.fsmonitor",
        "core.pager",
        "pager.rev-list",
        "core.sshCommand",
        "core.editor",
        "alias.rev-list",
    ] {
        git(&app, &["config", key, trap.as_str()]);
    }
    assert_eq!(identity(&tree, "app").root_commit, Some(root));
    assert!(!tree.path("sprung").exists());
}
