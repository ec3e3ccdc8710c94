//! A remote that attacks: hooks, filters, links, submodules, names that leave the tree, programs in its config. It
//! runs nothing and changes nothing outside the clone.
//!
//! Each program is a trap that writes its name to a file; the last test checks that git itself springs them.

use std::os::unix::fs::PermissionsExt;

use acreta_git_publish::{ClonesError, MEMORY_BRANCH, Published};
use camino::{Utf8Path, Utf8PathBuf};

use crate::support::{Remote, change, commit, git, git_with, read, write};

/// A remote with traps everywhere, and a canary outside.
struct Hostile {
    remote: Remote,
}

const HOOKS: &[&str] = &[
    "applypatch-msg",
    "fsmonitor-watchman",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-receive",
    "post-update",
    "pre-auto-gc",
    "pre-commit",
    "pre-push",
    "pre-receive",
    "proc-receive",
    "push-to-checkout",
    "reference-transaction",
    "update",
];

const KEYS: &[(&str, &str)] = &[
    ("core.alternateRefsCommand", "TRAP"),
    ("core.fsmonitor", "TRAP"),
    ("core.gitProxy", "TRAP"),
    ("core.pager", "TRAP"),
    ("core.sshCommand", "TRAP"),
    ("credential.helper", "!TRAP"),
    ("diff.evil.textconv", "TRAP"),
    ("diff.external", "TRAP"),
    ("filter.evil.clean", "TRAP"),
    ("filter.evil.process", "TRAP"),
    ("filter.evil.smudge", "TRAP"),
    ("gpg.program", "TRAP"),
    ("merge.evil.driver", "TRAP"),
    ("protocol.ext.allow", "always"),
    ("receive.denyCurrentBranch", "updateInstead"),
    ("uploadpack.packObjectsHook", "TRAP"),
];

impl Hostile {
    fn new() -> Self {
        let remote = Remote::with_history();
        let hostile = Self { remote };
        let folder = hostile.remote.path();
        for hook in HOOKS {
            hostile.trap(&folder.join("hooks").join(hook), &format!("hook {hook}"));
        }
        for (key, value) in KEYS {
            let trap = hostile.remote.root.join("traps").join(key);
            hostile.trap(&trap, key);
            let value = value.replace("TRAP", trap.as_str());
            git(&folder, &["config", key, &value]);
        }
        hostile
    }

    fn trap(&self, path: &Utf8Path, name: &str) {
        let text = format!("#!/bin/sh\necho '{name}' >> '{}'\nexit 0\n", self.marker());
        write(path.parent().unwrap(), path.file_name().unwrap(), &text);
        std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
    }

    fn marker(&self) -> Utf8PathBuf {
        self.remote.root.join("sprung")
    }

    fn sprung(&self) -> String {
        std::fs::read_to_string(self.marker()).unwrap_or_default()
    }

    /// Forgets the traps that the preparation itself sprang.
    #[expect(clippy::disallowed_methods, reason = "the disk is the input of tests")]
    fn forget(&self) {
        assert_ne!(self.sprung(), "", "the traps are set");
        std::fs::remove_file(self.marker()).unwrap();
    }

    /// Puts a tree on the memory branch that no index would accept: `(mode, object, path in .acreta)`.
    fn plant(&self, mode: &str, object: &str, name: &str) {
        let kind = match mode {
            "040000" => "tree",
            "160000" => "commit",
            _ => "blob",
        };
        let inner = format!("{mode} {kind} {object}\t{name}\n");
        let inner = self.make(&["mktree", "--missing"], &inner);
        self.plant_folder("040000", "tree", &inner);
    }

    /// Puts `.acreta` itself on the memory branch.
    fn plant_folder(&self, mode: &str, kind: &str, object: &str) {
        let top = format!("{mode} {kind} {object}\t.acreta\n");
        let top = self.make(&["mktree", "--missing"], &top);
        let planted = self.make(&["commit-tree", &top, "-m", "planted"], "");
        let name = format!("refs/heads/{MEMORY_BRANCH}");
        self.make(&["update-ref", &name, &planted], "");
    }

    fn make(&self, arguments: &[&str], stdin: &str) -> String {
        let without_hooks = [&["-c", "core.hooksPath=/dev/null"], arguments].concat();
        let made = git_with(&self.remote.path(), &without_hooks, stdin);
        made.trim().to_owned()
    }

    fn blob(&self, text: &str) -> String {
        self.make(&["hash-object", "-w", "--stdin", "--no-filters"], text)
    }
}

/// Everything that a normal life touches, with traps around it.
#[test]
fn no_program_of_the_remote_runs() {
    let hostile = Hostile::new();
    let remote = &hostile.remote;
    let person = remote.person("writer");
    let attributes = "* filter=evil diff=evil merge=evil ident\n";
    write(&person, ".gitattributes", attributes);
    write(&person, ".acreta/.gitattributes", attributes);
    let modules = "[submodule \"x\"]\n\tpath = .acreta/x\n\turl = ext::evil\n\tupdate = !evil\n";
    write(&person, ".gitmodules", modules);
    write(&person, ".acreta/memory/a.md", "one\n");
    commit(&person, "attributes");
    git(
        &person,
        &["push", "-q", "origin", "HEAD:refs/heads/acreta/memory"],
    );
    // Alternates make the receiving side ask `core.alternateRefsCommand`.
    let objects = remote.path().join("objects");
    write(
        &objects,
        "info/alternates",
        person.join(".git/objects").as_str(),
    );
    hostile.forget();

    let clones = remote.machine("worker");
    for number in 0..3 {
        let mut checkout = clones.checkout(&remote.address(), MEMORY_BRANCH).unwrap();
        assert_eq!(read(checkout.path(), ".acreta/memory/a.md"), "one\n");
        write(checkout.path(), &format!(".acreta/memory/{number}.md"), "x");
        let published = checkout.publish(&change("learn")).unwrap();
        assert!(matches!(published, Published::Pushed(_)));
    }
    // A push that has to ask the remote afterwards.
    let mut checkout = clones.checkout(&remote.address(), MEMORY_BRANCH).unwrap();
    let name = format!("refs/heads/{MEMORY_BRANCH}");
    hostile.make(&["update-ref", &name, "main"], "");
    write(checkout.path(), ".acreta/memory/late.md", "x");
    assert_eq!(checkout.publish(&change("late")).unwrap(), Published::Moved);
    assert_eq!(hostile.sprung(), "");
}

#[test]
fn links_and_submodules_are_kept_and_never_followed() {
    let hostile = Hostile::new();
    let remote = &hostile.remote;
    let outside = remote.root.join("outside");
    write(&outside, "precious.md", "precious");
    let person = remote.person("writer");
    std::fs::create_dir_all(person.join(".acreta/memory")).unwrap();
    std::os::unix::fs::symlink(&outside, person.join(".acreta/out")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", person.join(".acreta/memory/b.md")).unwrap();
    write(&person, ".acreta/memory/a.md", "one\n");
    git(&person, &["add", "--all"]);
    let head = git(&person, &["rev-parse", "HEAD"]);
    let module = format!("160000,{},.acreta/module", head.trim());
    git(&person, &["update-index", "--add", "--cacheinfo", &module]);
    git(&person, &["commit", "-q", "-m", "links"]);
    git(
        &person,
        &["push", "-q", "origin", "HEAD:refs/heads/acreta/memory"],
    );
    hostile.forget();

    let clones = remote.machine("worker");
    let mut checkout = clones.checkout(&remote.address(), MEMORY_BRANCH).unwrap();
    for absent in ["out", "memory/b.md", "module"] {
        let path = checkout.path().join(".acreta").join(absent);
        assert!(std::fs::symlink_metadata(path).is_err(), "{absent}");
    }
    write(checkout.path(), ".acreta/memory/a.md", "two\n");
    checkout.publish(&change("learn")).unwrap();
    let listed = remote.git(&["ls-tree", "-r", MEMORY_BRANCH, "--", ".acreta"]);
    let modes: Vec<&str> = listed.lines().map(|line| &line[..6]).collect();
    assert_eq!(modes, ["100644", "120000", "160000", "120000"], "{listed}");

    // Memory does not write through a link that people put there.
    write(checkout.path(), ".acreta/out/c.md", "x");
    let refused = checkout.publish(&change("through")).unwrap_err();
    assert!(matches!(refused, ClonesError::Tree { .. }), "{refused}");
    assert_eq!(read(&outside, "precious.md"), "precious");
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 1);
    assert_eq!(hostile.sprung(), "");
}

#[test]
fn trees_that_leave_the_folder_are_refused() {
    let hostile = Hostile::new();
    let remote = &hostile.remote;
    let clones = remote.machine("worker");
    let blob = hostile.blob("#!/bin/sh\necho evil\n");
    let folder = hostile.make(&["mktree"], &format!("100755 blob {blob}\tpost-checkout\n"));
    let canary = remote.root.join("canary");
    write(&canary, "file", "untouched");
    type Plant<'a> = (&'a str, Box<dyn Fn() + 'a>);
    let to_etc = hostile.blob("/etc");
    let head = hostile.make(&["rev-parse", "main"], "");
    let cases: Vec<Plant<'_>> = vec![
        (
            ".acreta as a link",
            Box::new(|| hostile.plant_folder("120000", "blob", &to_etc)),
        ),
        (
            ".acreta as a file",
            Box::new(|| hostile.plant_folder("100644", "blob", &blob)),
        ),
        (
            ".acreta as a submodule",
            Box::new(|| hostile.plant_folder("160000", "commit", &head)),
        ),
        (
            "a folder .git",
            Box::new(|| hostile.plant("040000", &folder, ".git")),
        ),
        (
            "a file .git",
            Box::new(|| hostile.plant("100644", &blob, ".git")),
        ),
        (
            "a file .GIT",
            Box::new(|| hostile.plant("100644", &blob, ".GIT")),
        ),
        (
            "a folder ..",
            Box::new(|| hostile.plant("040000", &folder, "..")),
        ),
        (
            "a file ..",
            Box::new(|| hostile.plant("100644", &blob, "..")),
        ),
    ];
    for (name, plant) in cases {
        plant();
        let refused = clones.checkout(&remote.address(), MEMORY_BRANCH);
        let refused = refused.map(|_| ()).unwrap_err();
        assert!(
            matches!(refused, ClonesError::Tree { .. }),
            "{name}: {refused}"
        );
        assert!(refused.hint().is_some());
        let tree = remote.clones_folder("worker").join("tree");
        let left: Vec<_> = std::fs::read_dir(tree.join(".acreta")).unwrap().collect();
        assert!(left.is_empty(), "{name}: {left:?}");
    }
    assert_eq!(read(&canary, "file"), "untouched");
    assert_eq!(hostile.sprung(), "");
}

/// A tree in a tree in a tree, and a name of the longest kind, end in an error or in files, never in a hang.
#[test]
fn deep_trees_are_bounded() {
    let hostile = Hostile::new();
    let remote = &hostile.remote;
    let blob = hostile.blob("deep");
    let mut inner = hostile.make(&["mktree"], &format!("100644 blob {blob}\ta.md\n"));
    for _ in 0..300 {
        inner = hostile.make(
            &["mktree"],
            &format!("040000 tree {inner}\tdddddddddddddddddddd\n"),
        );
    }
    hostile.plant("040000", &inner, "memory");
    let clones = remote.machine("worker");
    let failed = clones.checkout(&remote.address(), MEMORY_BRANCH);
    assert!(
        failed.is_err(),
        "a path of 6000 bytes has no place on this system"
    );
    assert_eq!(hostile.sprung(), "");
}

/// Checks that the traps work: git without the settings of this crate springs them.
#[test]
fn git_springs_the_traps() {
    let hostile = Hostile::new();
    let person = hostile.remote.person("writer");
    let objects = hostile.remote.path().join("objects");
    write(
        &objects,
        "info/alternates",
        person.join(".git/objects").as_str(),
    );
    write(&person, "a", "a");
    commit(&person, "a");
    git(&person, &["push", "-q", "origin", "HEAD:refs/heads/x"]);
    let sprung = hostile.sprung();
    for trap in [
        "hook pre-receive",
        "hook update",
        "hook post-receive",
        "core.alternateRefsCommand",
    ] {
        assert!(sprung.contains(trap), "{trap} in {sprung}");
    }
}
