//! The project of a directory.

use acreta_fs::{Directory, NoFaults};
use acreta_store::{Marker, ProjectRoot, project_root, project_root_outside};
use camino::Utf8PathBuf;

use crate::support::Project;

struct TemporaryTree {
    project: Project,
    directory: Directory,
}

fn tree(folders: &[&str], files: &[(&str, String)]) -> TemporaryTree {
    let project = Project::new();
    let directory = Directory::open(&project.root, NoFaults::shared()).unwrap();
    for folder in folders {
        directory.create_dir_all(folder).unwrap();
    }
    for (path, content) in files {
        directory.append(path, content.as_bytes()).unwrap();
    }
    TemporaryTree { project, directory }
}

impl TemporaryTree {
    fn path(&self, relative: &str) -> Utf8PathBuf {
        self.project.root.join(relative)
    }

    fn root(&self, start: &str) -> ProjectRoot {
        project_root(&self.path(start))
    }
}

/// A repository `main` with a worktree, as git lays it out.
fn with_worktree(root: &str) -> TemporaryTree {
    let tree = tree(&["main/.git/worktrees/side", "main/src", "side/deep"], &[]);
    let at = |relative: &str| tree.path(relative);
    let pointers = [
        (
            "side/.git",
            format!("gitdir: {}\n", at("main/.git/worktrees/side")),
        ),
        ("main/.git/worktrees/side/commondir", "../..\n".to_owned()),
        (
            "main/.git/worktrees/side/gitdir",
            format!("{}\n", at(root).join(".git")),
        ),
    ];
    for (path, content) in pointers {
        tree.directory.append(path, content.as_bytes()).unwrap();
    }
    tree
}

#[test]
fn the_nearest_marker_decides() {
    let tree = tree(
        &[
            "repo/.git",
            "repo/a/b",
            "repo/inner/.acreta/memory",
            "plain/x",
            "noted/.acreta",
            "noted/y",
        ],
        &[],
    );
    for (start, path, marker) in [
        ("repo", "repo", Marker::Git),
        ("repo/a/b", "repo", Marker::Git),
        ("repo/inner", "repo/inner", Marker::Acreta),
        ("repo/inner/.acreta/memory", "repo/inner", Marker::Acreta),
        ("noted/y", "noted", Marker::Acreta),
    ] {
        let root = tree.root(start);
        assert_eq!(root.path, tree.path(path), "{start}");
        assert_eq!(root.marker, marker, "{start}");
        assert_eq!(root.worktree, None);
    }
    let nothing = tree.root("plain/x");
    // Unless the temporary folder itself is in a project.
    assert!(nothing.marker != Marker::Nothing || nothing.path == tree.path("plain/x"));
    let missing = tree.root("plain/none");
    assert!(missing.marker != Marker::Nothing || missing.path == tree.path("plain/none"));
}

#[test]
fn the_global_folder_is_not_a_project() {
    let tree = tree(&["home/.acreta", "home/work", "home/repo/.git"], &[]);
    let global = tree.path("home/.acreta");
    assert_eq!(tree.root("home/work").path, tree.path("home"));
    assert_ne!(
        project_root_outside(&tree.path("home/work"), &global).path,
        tree.path("home")
    );
    assert_eq!(
        project_root_outside(&tree.path("home/repo"), &global).path,
        tree.path("home/repo")
    );
}

#[test]
fn a_worktree_leads_to_its_main_checkout() {
    let tree = with_worktree("side");
    let root = tree.root("side/deep");
    assert_eq!(root.path, tree.path("main"));
    assert_eq!(root.worktree, Some(tree.path("side")));
    assert_eq!(tree.root("main/src").worktree, None);
}

#[test]
fn a_worktree_its_repository_does_not_know_stands_for_itself() {
    let tree = with_worktree("elsewhere");
    assert_eq!(tree.root("side").path, tree.path("side"));
    let tree = self::tree(
        &["side"],
        &[(
            "side/.git",
            "gitdir: /nowhere/.git/worktrees/x\n".to_owned(),
        )],
    );
    assert_eq!(tree.root("side").path, tree.path("side"));
    let tree = self::tree(&["side"], &[("side/.git", "junk".to_owned())]);
    assert_eq!(tree.root("side").path, tree.path("side"));
}

/// Whoever packs a folder writes everything in it, also a git folder that names another repository as its own.
#[test]
fn a_git_folder_outside_of_worktrees_redirects_nowhere() {
    for (own, common) in [
        ("thief/g", "../../main/.git"),
        ("thief/g/worktrees/x", "../../../../main/.git"),
        ("thief/worktrees/x", "../../../main/.git"),
        ("main/.git/modules/part", "../.."),
        ("main/.git/worktrees/deep/x", "../../.."),
    ] {
        let tree = tree(&["main/.git/worktrees", "thief", own], &[]);
        let up = "../".repeat(own.matches('/').count() + 1);
        for (path, content) in [
            ("thief/.git".to_owned(), format!("gitdir: ../{own}\n")),
            (format!("{own}/HEAD"), "ref: refs/heads/main\n".to_owned()),
            (format!("{own}/commondir"), format!("{common}\n")),
            (format!("{own}/gitdir"), format!("{up}thief/.git\n")),
        ] {
            tree.directory.append(&path, content.as_bytes()).unwrap();
        }
        let root = tree.root("thief");
        assert_eq!(root.path, tree.path("thief"), "{own}");
        assert_eq!(root.worktree, None, "{own}");
    }
}

#[test]
fn a_submodule_is_a_project_of_its_own() {
    let tree = tree(
        &["main/.git/modules/part", "main/part/src"],
        &[(
            "main/part/.git",
            "gitdir: ../.git/modules/part\n".to_owned(),
        )],
    );
    let root = tree.root("main/part/src");
    assert_eq!(root.path, tree.path("main/part"));
    assert_eq!(root.worktree, None);
}

#[test]
fn a_worktree_of_a_bare_repository_stands_for_itself() {
    let tree = tree(&["bare.git/worktrees/side", "side"], &[]);
    let pointers = [
        (
            "side/.git",
            format!("gitdir: {}\n", tree.path("bare.git/worktrees/side")),
        ),
        ("bare.git/worktrees/side/commondir", "../..\n".to_owned()),
        (
            "bare.git/worktrees/side/gitdir",
            format!("{}\n", tree.path("side/.git")),
        ),
    ];
    for (path, content) in pointers {
        tree.directory.append(path, content.as_bytes()).unwrap();
    }
    assert_eq!(tree.root("side").path, tree.path("side"));
}

#[cfg(unix)]
#[test]
fn links_are_resolved() {
    let tree = tree(&["repo/.git", "repo/sub"], &[]);
    std::os::unix::fs::symlink(tree.path("repo/sub"), tree.path("link")).unwrap();
    assert_eq!(tree.root("link").path, tree.path("repo"));
}
