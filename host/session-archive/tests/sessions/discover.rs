//! The search under a root: patterns, skipped entries, errors, and stamps.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use acreta_fs::{Directory, Faults, Operation, OperationKind, ScanLimits, Stamp, unix_ns};
use acreta_session_archive::{Companions, FoundFile, discover, discover_in, fold_companions};
use camino::{Utf8Path, Utf8PathBuf};

use crate::support::TestTree;

fn patterns(patterns: &[&str]) -> Vec<String> {
    patterns.iter().map(|text| (*text).to_owned()).collect()
}

fn names(found: &[FoundFile]) -> Vec<&str> {
    found.iter().map(|file| file.relative.as_str()).collect()
}

/// Records which directories are read, and fails one of them.
#[derive(Debug, Default)]
struct Watch {
    root: Utf8PathBuf,
    fails: Option<&'static str>,
    read: Mutex<Vec<String>>,
}

impl Faults for Watch {
    fn before(&self, operation: &Operation<'_>) -> io::Result<()> {
        assert_eq!(operation.kind, OperationKind::Read);
        let relative = operation.path.strip_prefix(&self.root).unwrap().as_str();
        self.read.lock().unwrap().push(relative.to_owned());
        match self.fails {
            Some(fails) if fails == relative => Err(io::ErrorKind::PermissionDenied.into()),
            _ => Ok(()),
        }
    }
}

/// Returns the found files, the problems, and the directories that were read.
fn watched(
    root: &Utf8Path,
    wanted: &[&str],
    fails: Option<&'static str>,
) -> (Vec<FoundFile>, Vec<String>, Vec<String>) {
    let watch = Arc::new(Watch {
        root: root.to_owned(),
        fails,
        read: Mutex::default(),
    });
    let directory = Directory::open(root, watch.clone()).unwrap();
    watch.read.lock().unwrap().clear();
    let (found, problems) = discover_in(&directory, &patterns(wanted), ScanLimits::default());
    let problems = problems.iter().map(ToString::to_string).collect();
    let read = std::mem::take(&mut *watch.read.lock().unwrap());
    (found, problems, read)
}

/// Creates a tree as agents leave it.
fn tree() -> TestTree {
    let tree = TestTree::new();
    for path in [
        "root/a.jsonl",
        "root/a/b.jsonl",
        "root/a/deep/er/c.jsonl",
        "root/a/deep/er/c.jsonl.zst",
        "root/a/notes.md",
        "root/b/chats/1.json",
        "root/b/chats/2.jsonl",
        "root/b/other/3.json",
        "root/c d/ü.jsonl",
        "root/User/globalStorage/state.vscdb",
        "root/User/globalStorage/state.vscdb-wal",
        "root/User/workspaceStorage/x/state.vscdb",
        "root/Cache/1/2/3.bin",
        "outside/secret.jsonl",
    ] {
        tree.write(path, path);
    }
    tree
}

#[test]
fn patterns_find_files_and_prune_folders() {
    let tree = tree();
    let root = tree.path("root");
    let all = [
        "",
        "Cache",
        "Cache/1",
        "Cache/1/2",
        "User",
        "User/globalStorage",
        "User/workspaceStorage",
        "User/workspaceStorage/x",
        "a",
        "a/deep",
        "a/deep/er",
        "b",
        "b/chats",
        "b/other",
        "c d",
    ];
    type Case<'a> = (&'a [&'a str], &'a [&'a str], &'a [&'a str]);
    let cases: &[Case<'_>] = &[
        (
            &["**/*.jsonl"],
            &[
                "a/b.jsonl",
                "a/deep/er/c.jsonl",
                "a.jsonl",
                "b/chats/2.jsonl",
                "c d/ü.jsonl",
            ],
            &all,
        ),
        (&["*.jsonl"], &["a.jsonl"], &[""]),
        (&["*.{jsonl,md}"], &["a.jsonl"], &[""]),
        (
            &["User/globalStorage/state.vscdb"],
            &["User/globalStorage/state.vscdb"],
            &["", "User", "User/globalStorage"],
        ),
        (
            &["User/*/state.vscdb", "User/*/*/state.vscdb"],
            &[
                "User/globalStorage/state.vscdb",
                "User/workspaceStorage/x/state.vscdb",
            ],
            &[
                "",
                "User",
                "User/globalStorage",
                "User/workspaceStorage",
                "User/workspaceStorage/x",
            ],
        ),
        (
            &["*/chats/*.json"],
            &["b/chats/1.json"],
            &["", "Cache", "User", "a", "b", "b/chats", "c d"],
        ),
        (
            &["a/**"],
            &[
                "a/b.jsonl",
                "a/deep/er/c.jsonl",
                "a/deep/er/c.jsonl.zst",
                "a/notes.md",
            ],
            &["", "a", "a/deep", "a/deep/er"],
        ),
        (
            &["{a/deep,b}/*/*.{jsonl,json}"],
            &[
                "a/deep/er/c.jsonl",
                "b/chats/1.json",
                "b/chats/2.jsonl",
                "b/other/3.json",
            ],
            &all,
        ),
        (&["[a-b]/[!d]*.jsonl"], &["a/b.jsonl"], &["", "a", "b"]),
        (&["missing/x.jsonl"], &[], &[""]),
        (&["../outside/*.jsonl", "/etc/*"], &[], &[""]),
        (&[], &[], &[""]),
    ];
    for (wanted, expected, entered) in cases {
        let (found, problems, read) = watched(&root, wanted, None);
        assert_eq!(names(&found), *expected, "{wanted:?}");
        assert_eq!(problems, Vec::<String>::new(), "{wanted:?}");
        assert_eq!(read, *entered, "{wanted:?}");
    }
}

#[test]
fn a_found_file_is_described_as_the_system_does() {
    let tree = tree();
    let (found, _) = discover(
        &tree.path("root"),
        &patterns(&["*.jsonl"]),
        ScanLimits::default(),
    );
    let metadata = tree.path("root/a.jsonl").metadata().unwrap();
    assert_eq!(found[0].stamp, Stamp::from(&metadata));
    assert_eq!(found[0].stamp.bytes, 12);
    let modified_ns = unix_ns(metadata.modified().unwrap());
    assert_eq!(found[0].stamp.modified_ns, modified_ns);
    assert_eq!(found[0].companions, Companions::default());
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        assert_eq!(found[0].stamp.inode, metadata.ino());
        let changed_ns = metadata.ctime() * 1_000_000_000 + metadata.ctime_nsec();
        assert_eq!(found[0].stamp.changed_ns, changed_ns);
    }
}

#[cfg(unix)]
#[test]
fn links_and_special_files_are_passed_by() {
    use std::os::unix::fs::symlink;

    let tree = tree();
    symlink(tree.path("outside"), tree.path("root/a/link")).unwrap();
    symlink(tree.path("root"), tree.path("root/a/round")).unwrap();
    symlink(tree.path("outside/secret.jsonl"), tree.path("root/l.jsonl")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(tree.path("root/s.jsonl")).unwrap();
    let root = tree.path("root");
    let (found, problems, _) = watched(&root, &["**/*.jsonl"], None);
    assert_eq!(found.len(), 5, "{found:?}");
    assert!(problems.is_empty(), "{problems:?}");
    // The root itself may be a link.
    symlink(&root, tree.path("linked-root")).unwrap();
    let wanted = patterns(&["**/*.jsonl"]);
    let (linked, _) = discover(&tree.path("linked-root"), &wanted, ScanLimits::default());
    assert_eq!(linked, found);
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_no_text_is_a_problem_where_it_is_wanted() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let tree = tree();
    for name in [&b"\xff.jsonl"[..], b"\xff.md"] {
        let path = tree.path("root").into_std_path_buf();
        std::fs::File::create(path.join(OsStr::from_bytes(name))).unwrap();
    }
    let (found, problems, _) = watched(&tree.path("root"), &["*.jsonl"], None);
    assert_eq!(names(&found), ["a.jsonl"]);
    let path = tree.path("root/\u{fffd}.jsonl");
    assert_eq!(problems, [format!("`{path}` is not valid UTF-8")]);
}

#[test]
fn trouble_costs_only_what_it_is_about() {
    let tree = tree();
    let root = tree.path("root");
    let (found, problems, _) = watched(&root, &["**/*.jsonl", "a[", "*.md"], Some("a/deep"));
    assert_eq!(
        names(&found),
        ["a/b.jsonl", "a.jsonl", "b/chats/2.jsonl", "c d/ü.jsonl"]
    );
    assert_eq!(
        problems,
        [
            "pattern `a[` is not a glob".to_owned(),
            format!("not allowed to read `{root}/a/deep`"),
        ]
    );

    let missing = tree.path("missing");
    let (found, problems) = discover(&missing, &patterns(&["**"]), ScanLimits::default());
    assert!(found.is_empty());
    assert_eq!(
        problems[0].to_string(),
        format!("`{missing}` does not exist")
    );
}

#[test]
fn a_walk_has_bounds() {
    let tree = tree();
    let root = tree.path("root");
    let scan = |files, depth| {
        let limits = ScanLimits { files, depth };
        let (found, problems) = discover(&root, &patterns(&["**/*.jsonl"]), limits);
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        (found.len(), problems)
    };
    assert_eq!(scan(5, 4), (5, vec![]));
    assert_eq!(
        scan(0, 4),
        (0, vec![format!("`{root}` has more than 0 files")])
    );
    assert_eq!(
        scan(4, 4),
        (4, vec![format!("`{root}` has more than 4 files")])
    );
    let too_deep = |path| format!("`{root}/{path}` has more than 2 levels of directories");
    let (count, problems) = scan(9, 2);
    assert_eq!(count, 3);
    assert!(problems.contains(&too_deep("a/deep")), "{problems:?}");
    assert!(problems.contains(&too_deep("b/chats")), "{problems:?}");
}

#[test]
fn a_database_changes_with_its_log() {
    let tree = tree();
    let directory = tree.directory("root");
    let wanted = patterns(&["User/globalStorage/state.vscdb", "a.jsonl"]);
    let look = || {
        let (mut found, _) = discover_in(&directory, &wanted, ScanLimits::default());
        let problems = fold_companions(&directory, &mut found, &["-wal", "-journal"]);
        assert!(problems.is_empty(), "{problems:?}");
        found
    };
    let first = look();
    assert_eq!(first, look());
    assert_eq!(first[0].companions.bytes, 39);
    assert!(first[0].companions.modified_ns > 0);
    assert_eq!(first[1].companions, Companions::default());

    let log = "root/User/globalStorage/state.vscdb-wal";
    tree.write(log, "longer than it was, but not the database");
    let second = look();
    assert_ne!(second[0], first[0]);
    assert_eq!(second[0].stamp, first[0].stamp);
    assert_ne!(second[0].whole_stamp(), first[0].whole_stamp());
    // Same length, another time.
    let file = std::fs::File::options()
        .write(true)
        .open(tree.path(log))
        .unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(60))
        .unwrap();
    assert_ne!(look()[0], second[0]);
    tree.write("root/User/globalStorage/state.vscdb-journal", "1");
    assert_eq!(look()[0].companions.bytes, second[0].companions.bytes + 1);
}
