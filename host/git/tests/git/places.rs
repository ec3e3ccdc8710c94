//! Repository layouts: worktrees, submodules, bare ones, links, alternates, formats.

use acreta_git::{GitError, GitRepository, main_checkout};

use crate::support::{ScratchRepository, git, lines};

fn two_commits() -> ScratchRepository {
    let scratch = ScratchRepository::repository();
    scratch.write("a.txt", "a\n");
    scratch.commit("first");
    scratch.write("a.txt", "b\n");
    scratch.commit("second");
    scratch
}

#[test]
fn worktrees_submodules_and_bare_repositories_are_found() {
    let scratch = two_commits();
    let outer = ScratchRepository::new();
    let side = outer.root.join("side");
    scratch.git(&["worktree", "add", "-q", side.as_str(), "-b", "side"]);
    let worktree = GitRepository::at(&side).unwrap();
    assert_eq!(worktree.head(), scratch.open().head());
    assert_eq!(worktree.branch().as_deref(), Some("side"));
    assert_eq!(scratch.open().branch().as_deref(), Some("main"));
    assert_eq!(worktree.root_commit(), scratch.open().root_commit());
    assert_eq!(main_checkout(&side), Some(scratch.root.clone()));
    assert_eq!(main_checkout(&scratch.root), None);
    outer.write("side/a.txt", "changed\n");
    let head = worktree.head().unwrap();
    let changed = worktree.changes_since(&head, "", None).unwrap();
    assert_eq!(lines(changed), ["M a.txt"]);
    // A pointer that the repository does not know is not followed.
    std::fs::create_dir(outer.root.join("thief")).unwrap();
    std::fs::copy(side.join(".git"), outer.root.join("thief/.git")).unwrap();
    assert_eq!(main_checkout(&outer.root.join("thief")), None);

    // Nor a git folder elsewhere that names the repository.
    outer.write("unpacked/.git", "gitdir: g\n");
    outer.write("unpacked/g/HEAD", "ref: refs/heads/main\n");
    let common = scratch.root.join(".git");
    outer.write("unpacked/g/commondir", common.as_str());
    outer.write("unpacked/g/gitdir", "../.git\n");
    let unpacked = outer.root.join("unpacked");
    assert_eq!(main_checkout(&unpacked), None);
    assert_eq!(GitRepository::at(&unpacked).unwrap().head(), None);
    // A worktree that was moved counts again once git has repaired it, with relative pointers as well.
    let moved = outer.root.join("moved");
    rename(&side, &moved);
    assert_eq!(main_checkout(&moved), None);
    scratch.git(&["worktree", "repair", moved.as_str()]);
    assert_eq!(main_checkout(&moved), Some(scratch.root.clone()));
    let (one, two) = (scratch.root.file_name(), outer.root.file_name());
    let own = format!("../../{}/.git/worktrees/side", one.unwrap());
    outer.write("moved/.git", format!("gitdir: {own}\n"));
    let back = format!("../../../../{}/moved/.git\n", two.unwrap());
    scratch.write(".git/worktrees/side/gitdir", back);
    assert_eq!(main_checkout(&moved), Some(scratch.root.clone()));

    let whole = ScratchRepository::repository();
    whole.git(&["submodule", "add", "-q", scratch.root.as_str(), "library"]);
    whole.commit("with a library");
    let library = whole.root.join("library");
    let found = GitRepository::containing(&library).unwrap();
    assert_eq!(found.work_tree(), Some(library.as_path()));
    assert_eq!(found.head(), scratch.open().head());
    assert_eq!(whole.changes("HEAD"), [""; 0]);
    git(&library, &["checkout", "-q", "HEAD~1"]);
    assert_eq!(whole.changes("HEAD"), ["M library"]);

    git(
        &outer.root,
        &["clone", "-q", "--bare", scratch.root.as_str(), "bare"],
    );
    let bare = GitRepository::at(&outer.root.join("bare")).unwrap();
    assert_eq!(bare.work_tree(), None);
    assert_eq!(bare.head(), scratch.open().head());
    let changes = bare.changes_since(&bare.head().unwrap(), "", None);
    assert!(matches!(changes, Err(GitError::Unsupported { .. })));
}

#[test]
fn objects_of_alternates_are_read() {
    let scratch = two_commits();
    let outer = ScratchRepository::new();
    git(
        &outer.root,
        &["clone", "-q", "--shared", scratch.root.as_str(), "one"],
    );
    git(&outer.root, &["clone", "-q", "--shared", "one", "two"]);
    let two = GitRepository::at(&outer.root.join("two")).unwrap();
    assert_eq!(two.root_commit(), scratch.open().root_commit());
    // A cycle is harmless.
    let objects = outer.root.join("two/.git/objects");
    scratch.write(".git/objects/info/alternates", objects.as_str());
    assert_eq!(two.root_commit(), scratch.open().root_commit());
    assert!(two.root_commit().is_some());
}

#[test]
fn sha256_repositories_are_read_and_others_are_refused() {
    let scratch = ScratchRepository::new();
    scratch.git(&["init", "-q", "-b", "main", "--object-format=sha256"]);
    scratch.write("a.txt", "a\n");
    scratch.commit("first");
    scratch.write("b.txt", "b\n");
    scratch.commit("second");
    scratch.git(&["gc", "-q"]);
    scratch.write("a.txt", "changed\n");
    let repository = scratch.open();
    let head = scratch.git(&["rev-parse", "HEAD"]);
    assert_eq!(repository.head().as_deref(), Some(head.trim()));
    assert_eq!(scratch.changes("HEAD~1"), ["A b.txt", "M a.txt"]);
    let root = scratch.git(&["rev-list", "--max-parents=0", "HEAD"]);
    assert_eq!(repository.root_commit().as_deref(), Some(root.trim()));

    scratch.write(".git/config", "[extensions]\nobjectFormat = md5\n");
    let refused = GitRepository::at(&scratch.root).unwrap_err();
    assert!(refused.to_string().contains("object format"), "{refused}");
    scratch.write(".git/config", "[extensions]\nrefStorage = reftable\n");
    let refused = scratch.open().resolve("HEAD").unwrap_err();
    assert!(refused.to_string().contains("reftable"), "{refused}");
}

#[test]
fn a_split_index_is_refused_and_a_sparse_one_is_read() {
    let scratch = ScratchRepository::repository();
    for path in ["in/a.txt", "out/b.txt", "out/deep/c.txt"] {
        scratch.write(path, "text\n");
    }
    scratch.commit("first");
    scratch.git(&["sparse-checkout", "set", "--sparse-index", "in"]);
    assert_eq!(scratch.changes("HEAD"), [""; 0]);
    scratch.write("in/a.txt", "changed\n");
    assert_eq!(scratch.changes("HEAD"), ["M in/a.txt"]);

    let scratch = two_commits();
    scratch.git(&["update-index", "--split-index"]);
    let refused = scratch.open().tracked().unwrap_err();
    assert!(refused.to_string().contains("split index"), "{refused}");
}

#[test]
fn the_remote_is_read_and_no_include_is_followed() {
    let scratch = two_commits();
    scratch.write("evil", "[remote \"origin\"]\nurl = https://evil/\n");
    let config = format!("[include]\npath = {}\n", scratch.root.join("evil"));
    scratch.write(".git/config", &config);
    assert_eq!(scratch.open().remote_url(), None);
    let more = format!("{config}[remote \"origin\"]\nurl = https://host/app\n");
    scratch.write(".git/config", more);
    assert_eq!(
        scratch.open().remote_url().as_deref(),
        Some("https://host/app")
    );
    // A config of 10 MB has no settings.
    let large = format!(
        "[remote \"origin\"]\nurl = x\n{}",
        "# padding\n".repeat(1 << 20)
    );
    scratch.write(".git/config", large);
    assert_eq!(scratch.open().remote_url(), None);
    assert!(scratch.open().head().is_some());
}

#[expect(clippy::disallowed_methods, reason = "the disk is the input of tests")]
fn rename(from: &camino::Utf8Path, to: &camino::Utf8Path) {
    std::fs::rename(from, to).unwrap();
}
