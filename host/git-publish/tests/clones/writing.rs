//! Checking out and publishing without trouble.

use acreta_git_publish::{Clones, ClonesError, MEMORY_BRANCH, Published, Settings};

use crate::support::{Remote, change, commit, git, read, settings, write};

#[test]
fn the_first_push_to_an_empty_remote_creates_the_branch() {
    let remote = Remote::empty();
    let clones = remote.machine("worker");
    let mut checkout = clones.checkout(&remote.address(), MEMORY_BRANCH).unwrap();
    assert_eq!(checkout.base(), None);
    assert!(!checkout.branch_exists());
    write(checkout.path(), ".acreta/memory/a.md", "one\n");
    let published = checkout.publish(&change("learn a")).unwrap();
    let Published::Pushed(commit) = published else {
        panic!("{published:?}");
    };
    assert_eq!(checkout.base(), Some(&commit));
    assert_eq!(remote.paths(), [".acreta/memory/a.md"]);
    assert_eq!(remote.file(".acreta/memory/a.md"), "one\n");
    let said = remote.git(&[
        "log",
        "-1",
        "--format=%an <%ae> %at %cn %ct %s",
        MEMORY_BRANCH,
    ]);
    assert_eq!(
        said.trim(),
        "Worker <worker@example.org> 1700000000 Worker 1700000000 learn a"
    );
}

#[test]
fn the_branch_begins_at_the_tip_of_the_default_branch() {
    let remote = Remote::with_history();
    let clones = remote.machine("worker");
    let mut checkout = clones.checkout(&remote.address(), MEMORY_BRANCH).unwrap();
    let main = remote.git(&["rev-parse", "main"]);
    assert_eq!(checkout.base().unwrap().as_str(), main.trim());
    assert!(
        !checkout.path().join("src").exists(),
        "only memory is checked out"
    );
    write(checkout.path(), ".acreta/memory/a.md", "one\n");
    checkout.publish(&change("learn a")).unwrap();
    assert_eq!(remote.log(), ["learn a", "code 2", "code 1", "code 0"]);
    let paths = [".acreta/memory/a.md", "README.md", "src/main.rs"];
    assert_eq!(remote.paths(), paths);
    assert_eq!(remote.git(&["rev-parse", "main"]), main, "main is not ours");
    remote.git(&["fsck", "--strict"]);
}

#[test]
fn the_clone_has_neither_history_nor_code() {
    let remote = Remote::with_history();
    let person = remote.person("writer");
    write(&person, ".acreta/memory/a.md", "from a person\n");
    commit(&person, "memory");
    git(
        &person,
        &["push", "-q", "origin", "HEAD:refs/heads/acreta/memory"],
    );
    let clones = remote.machine("worker");
    let checkout = clones.checkout(&remote.address(), MEMORY_BRANCH).unwrap();
    assert_eq!(
        read(checkout.path(), ".acreta/memory/a.md"),
        "from a person\n"
    );
    drop(checkout);
    let folder = remote.clones_folder("worker").join("repository.git");
    let list = ["cat-file", "--batch-check", "--batch-all-objects"];
    let objects = git(&folder, &list);
    let count = |kind: &str| objects.matches(kind).count();
    assert_eq!((count(" commit "), count(" blob ")), (1, 1), "{objects}");
}

#[test]
fn several_changes_follow_each_other_in_one_checkout() {
    let remote = Remote::with_history();
    let clones = remote.machine("worker");
    let mut checkout = clones.checkout(&remote.address(), MEMORY_BRANCH).unwrap();
    for number in 0..3 {
        write(checkout.path(), &format!(".acreta/memory/{number}.md"), "x");
        let published = checkout.publish(&change(&format!("learn {number}")));
        assert!(
            matches!(published, Ok(Published::Pushed(_))),
            "{published:?}"
        );
    }
    let same = checkout.publish(&change("nothing")).unwrap();
    assert_eq!(same, Published::Unchanged);
    assert_eq!(remote.log()[..3], ["learn 2", "learn 1", "learn 0"]);
}

#[test]
fn removed_and_changed_files_are_published() {
    let remote = Remote::empty();
    let clones = remote.machine("worker");
    let mut checkout = clones.checkout(&remote.address(), MEMORY_BRANCH).unwrap();
    for name in ["a", "b", "c"] {
        write(checkout.path(), &format!(".acreta/memory/{name}.md"), "one");
    }
    checkout.publish(&change("first")).unwrap();
    drop(checkout);

    // A second machine, which also removes a whole folder later on.
    let other = remote.machine("other");
    let mut checkout = other.checkout(&remote.address(), MEMORY_BRANCH).unwrap();
    write(checkout.path(), ".acreta/memory/a.md", "two");
    remove(checkout.path().join(".acreta/memory/b.md"));
    checkout.publish(&change("second")).unwrap();
    assert_eq!(
        remote.paths(),
        [".acreta/memory/a.md", ".acreta/memory/c.md"]
    );
    assert_eq!(remote.file(".acreta/memory/a.md"), "two");
    drop(checkout);

    let mut checkout = clones.checkout(&remote.address(), MEMORY_BRANCH).unwrap();
    assert_eq!(read(checkout.path(), ".acreta/memory/a.md"), "two");
    assert!(!checkout.path().join(".acreta/memory/b.md").exists());
    remove(checkout.path().join(".acreta/memory/a.md"));
    remove(checkout.path().join(".acreta/memory/c.md"));
    checkout.publish(&change("third")).unwrap();
    assert_eq!(remote.paths(), [""; 0]);
}

#[test]
fn what_belongs_to_one_machine_is_not_published() {
    let remote = Remote::with_history();
    let clones = remote.machine("worker");
    let mut checkout = clones.checkout(&remote.address(), MEMORY_BRANCH).unwrap();
    for path in [
        "memory/a.md",
        "meta/state/a.json",
        "meta/lock",
        "meta/commit/journal",
        "meta/traces/1",
        "workspace/run/log",
        "index/segment",
        ".gitignore",
    ] {
        write(checkout.path(), &format!(".acreta/{path}"), path);
    }
    write(checkout.path(), "outside.md", "not memory");
    checkout.publish(&change("learn")).unwrap();
    let mut expected = vec![
        ".acreta/.gitignore",
        ".acreta/memory/a.md",
        ".acreta/meta/state/a.json",
        "README.md",
        "src/main.rs",
    ];
    expected.sort();
    assert_eq!(remote.paths(), expected);
    drop(checkout);
    // The next checkout starts without them; the search index may stay.
    let checkout = clones.checkout(&remote.address(), MEMORY_BRANCH).unwrap();
    for gone in ["meta/lock", "meta/commit", "meta/traces", "workspace"] {
        assert!(
            !checkout.path().join(".acreta").join(gone).exists(),
            "{gone}"
        );
    }
    assert!(checkout.path().join(".acreta/index/segment").exists());
}

#[test]
fn bytes_and_modes_stay_as_they_are() {
    let remote = Remote::with_history();
    let person = remote.person("writer");
    write(&person, ".acreta/memory/tool.sh", "$Id$\r\nbytes\n");
    let script = person.join(".acreta/memory/tool.sh");
    std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    git(&person, &["add", "--all"]);
    let attributes = "* text eol=crlf ident working-tree-encoding=UTF-16\n";
    write(&person, ".gitattributes", attributes);
    let id = git(
        &person,
        &["hash-object", "-w", "--no-filters", ".gitattributes"],
    );
    let info = format!("100644,{},.gitattributes", id.trim());
    git(&person, &["update-index", "--add", "--cacheinfo", &info]);
    git(&person, &["commit", "-q", "-m", "by hand"]);
    git(
        &person,
        &["push", "-q", "origin", "HEAD:refs/heads/acreta/memory"],
    );
    let clones = remote.machine("worker");
    let mut checkout = clones.checkout(&remote.address(), MEMORY_BRANCH).unwrap();
    assert_eq!(
        read(checkout.path(), ".acreta/memory/tool.sh"),
        "$Id$\r\nbytes\n"
    );
    let same = checkout.publish(&change("nothing")).unwrap();
    assert_eq!(same, Published::Unchanged);
    write(checkout.path(), ".acreta/memory/tool.sh", "$Id$\r\nmore\n");
    checkout.publish(&change("more")).unwrap();
    let listed = remote.git(&["ls-tree", "-r", MEMORY_BRANCH, "--", ".acreta"]);
    assert!(listed.starts_with("100755 "), "{listed}");
    assert_eq!(remote.file(".acreta/memory/tool.sh"), "$Id$\r\nmore\n");
}

#[test]
fn repositories_with_long_ids_work() {
    let remote = Remote::empty();
    git(
        &remote.root,
        &["init", "-q", "--bare", "--object-format=sha256", "long.git"],
    );
    let address = remote.root.join("long.git").into_string();
    let clones = remote.machine("worker");
    // An empty remote does not say which ids it wants, so a person made the first commit.
    git(
        &remote.root,
        &[
            "init",
            "-q",
            "-b",
            "main",
            "--object-format=sha256",
            "person",
        ],
    );
    let person = remote.root.join("person");
    write(&person, "a", "a");
    commit(&person, "first");
    git(&person, &["push", "-q", &address, "HEAD:refs/heads/main"]);
    git(
        &remote.root.join("long.git"),
        &["symbolic-ref", "HEAD", "refs/heads/main"],
    );
    let mut checkout = clones.checkout(&address, MEMORY_BRANCH).unwrap();
    write(checkout.path(), ".acreta/memory/a.md", "one\n");
    let published = checkout.publish(&change("learn")).unwrap();
    assert!(matches!(published, Published::Pushed(commit) if commit.as_str().len() == 64));
}

#[test]
fn folders_and_odd_addresses_are_refused() {
    let remote = Remote::empty();
    let strict = Settings {
        folders: false,
        ..settings()
    };
    let clones = Clones::open(&remote.root.join("strict"), strict).unwrap();
    let cases = [
        remote.address().as_str(),
        "-x",
        "ext::sh -c true",
        "git://host/x",
    ]
    .map(String::from);
    for address in cases {
        let refused = clones.checkout(&address, MEMORY_BRANCH).unwrap_err();
        assert!(matches!(refused, ClonesError::Remote { .. }), "{refused}");
        assert!(refused.hint().is_some());
    }
    let refused = clones.checkout("https://host/x", "--force").unwrap_err();
    assert!(matches!(refused, ClonesError::Branch { .. }), "{refused}");
}

#[expect(clippy::disallowed_methods, reason = "the disk is the input of tests")]
fn remove(path: camino::Utf8PathBuf) {
    std::fs::remove_file(path).unwrap();
}

/// What a worker reads of the project besides memory is there as the default branch has it, and is nobody's to publish.
#[test]
fn wanted_files_lie_beside_memory_and_are_not_published() {
    let remote = Remote::with_history();
    let person = remote.person("writer");
    let files = [
        (".tool/commands/go.md", "go"),
        (".tool/other.txt", "other"),
        (".acreta/memory/b.md", "b"),
        ("docs/commands/no.md", "no"),
        ("top.md", "top"),
    ];
    for (path, text) in files {
        write(&person, path, text);
    }
    commit(&person, "commands");
    git(&person, &["push", "-q", "origin", "HEAD:refs/heads/main"]);
    let mut settings = settings();
    settings.beside = Some(|file| file.extension() == Some("md") && !file.starts_with("docs"));
    let clones = Clones::open(&remote.root.join("worker"), settings).unwrap();
    let mut checkout = clones.checkout(&remote.address(), MEMORY_BRANCH).unwrap();
    assert_eq!(read(checkout.path(), ".tool/commands/go.md"), "go");
    assert_eq!(read(checkout.path(), ".acreta/memory/b.md"), "b");
    assert!(checkout.path().join("top.md").exists());
    for path in [".tool/other.txt", "docs", "src"] {
        assert!(!checkout.path().join(path).exists(), "{path}");
    }
    write(checkout.path(), ".acreta/memory/a.md", "one");
    write(checkout.path(), ".tool/commands/go.md", "changed here");
    checkout.publish(&change("learn a")).unwrap();
    assert_eq!(remote.file(".tool/commands/go.md"), "go");
    drop(checkout);
    // The branch of memory stays behind; the files are those of the default branch.
    git(&person, &["rm", "-q", ".tool/commands/go.md"]);
    commit(&person, "no command");
    git(&person, &["push", "-q", "origin", "HEAD:refs/heads/main"]);
    let checkout = clones.checkout(&remote.address(), MEMORY_BRANCH).unwrap();
    assert!(!checkout.path().join(".tool").exists());
    assert_eq!(read(checkout.path(), ".acreta/memory/a.md"), "one");
}
