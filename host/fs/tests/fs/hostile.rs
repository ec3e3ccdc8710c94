//! Hostile paths and trees: links, special files, odd names. Nothing outside is read, changed or waited for.

#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::time::Duration;

use acreta_fs::faults::Image;
use acreta_fs::{Directory, EntryKind, FsError, Limits, NoFaults, stage_file};
use camino::Utf8PathBuf;

const ALL: Limits = Limits {
    files: 1_000,
    bytes: 1_000_000,
    depth: 10,
};

type Attempt = fn(&Directory, &str);

struct World {
    _guard: tempfile::TempDir,
    root: Utf8PathBuf,
    inside: Directory,
}

/// Creates `outside/secret` and, beside it, `inside` with links that lead there.
fn world() -> World {
    let guard = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::from_path_buf(guard.path().canonicalize().unwrap()).unwrap();
    let directory = Directory::open(&root, NoFaults::shared()).unwrap();
    directory.create_dir_all("outside").unwrap();
    directory.append("outside/secret", b"secret").unwrap();
    directory.create_dir_all("inside/real").unwrap();
    directory.append("inside/real/file", b"mine").unwrap();
    symlink(root.join("outside"), root.join("inside/folder")).unwrap();
    symlink(root.join("outside/secret"), root.join("inside/file")).unwrap();
    symlink("../outside/secret", root.join("inside/relative")).unwrap();
    symlink("real/file", root.join("inside/within")).unwrap();
    symlink("nowhere", root.join("inside/dangling")).unwrap();
    World {
        inside: Directory::open(&root.join("inside"), NoFaults::shared()).unwrap(),
        root,
        _guard: guard,
    }
}

#[test]
fn no_operation_leaves_the_directory() {
    let paths = [
        "folder",
        "folder/secret",
        "folder/new",
        "file",
        "relative",
        "dangling",
        "../outside/secret",
        "folder/",
        "folder//secret",
        "folder/.",
        "folder/../outside/secret",
        "real/../../outside/secret",
        "/etc/passwd",
        "",
        ".",
        "..",
        "real/\0",
    ];
    let mut tried = 0;
    for path in paths {
        let operations: [(&str, Attempt); 13] = [
            ("read", |inside, path| {
                assert!(inside.read(path, 100).is_err(), "{path}")
            }),
            ("open_reader", |inside, path| {
                assert!(inside.open_reader(path).is_err(), "{path}")
            }),
            ("subdirectory", |inside, path| {
                assert!(path == "." || inside.subdirectory(path).is_err(), "{path}")
            }),
            ("append", |inside, path| {
                assert!(inside.append(path, b"x").is_err(), "{path}")
            }),
            ("write_synced_new", |inside, path| {
                assert!(inside.write_synced_new(path, b"x").is_err(), "{path}")
            }),
            ("walk", |inside, path| {
                assert!(path == "." || inside.walk(path, ALL).is_err(), "{path}")
            }),
            ("lock", |inside, path| {
                assert!(inside.lock(path, Duration::ZERO).is_err(), "{path}")
            }),
            ("remove_dir_all", |inside, path| {
                assert!(inside.remove_dir_all(path).is_err(), "{path}")
            }),
            // These may act on the link itself, never on its target.
            ("replace", |inside, path| drop(inside.replace(path, b"x"))),
            ("rename from", |inside, path| {
                drop(inside.rename(path, "stolen"))
            }),
            ("rename to", |inside, path| {
                drop(inside.rename("real/file", path))
            }),
            ("remove_file", |inside, path| drop(inside.remove_file(path))),
            ("create_dir_all", |inside, path| {
                drop(inside.create_dir_all(path))
            }),
        ];
        for (_, operation) in operations {
            let world = world();
            let before = Image::read(&world.root.join("outside")).unwrap();
            operation(&world.inside, path);
            assert_eq!(
                Image::read(&world.root.join("outside")).unwrap(),
                before,
                "{path}"
            );
            // Only the link itself was renamed, not its target.
            assert!(
                world.inside.metadata("stolen").is_err()
                    || world.inside.metadata("stolen").unwrap().kind == EntryKind::Symlink
            );
            tried += 1;
        }
    }
    println!("{tried} operations on hostile paths, none got out");
}

#[test]
fn a_link_within_is_not_followed_at_the_last_part() {
    let world = world();
    assert!(matches!(
        world.inside.read("within", 100),
        Err(FsError::NotRegular {
            kind: EntryKind::Symlink,
            ..
        })
    ));
    let kinds: Vec<_> = world
        .inside
        .walk(".", ALL)
        .unwrap()
        .into_iter()
        .map(|entry| (entry.path.into_string(), entry.metadata.kind))
        .collect();
    let expected = [
        ("dangling", EntryKind::Symlink),
        ("file", EntryKind::Symlink),
        ("folder", EntryKind::Symlink),
        ("real", EntryKind::Directory),
        ("real/file", EntryKind::File),
        ("relative", EntryKind::Symlink),
        ("within", EntryKind::Symlink),
    ];
    assert_eq!(kinds, expected.map(|(path, kind)| (path.to_owned(), kind)));
}

#[test]
fn removing_a_tree_removes_links_and_not_their_targets() {
    let world = world();
    let outer = Directory::open(&world.root, NoFaults::shared()).unwrap();
    outer.remove_dir_all("inside").unwrap();
    assert_eq!(outer.read("outside/secret", 100).unwrap(), b"secret");
    assert!(!outer.exists("inside").unwrap());
}

#[test]
fn special_files_are_named_and_never_opened() {
    let world = world();
    let fifo = world.root.join("inside/fifo");
    let made = std::process::Command::new("mkfifo")
        .arg(fifo.as_std_path())
        .status();
    assert!(made.unwrap().success());
    let _listener =
        std::os::unix::net::UnixListener::bind(world.root.join("inside/socket")).unwrap();
    for name in ["fifo", "socket"] {
        let kind = world.inside.metadata(name).unwrap().kind;
        assert_eq!(kind, EntryKind::Other);
        assert!(matches!(
            world.inside.read(name, 10),
            Err(FsError::NotRegular { .. })
        ));
        assert!(matches!(
            world.inside.append(name, b"x"),
            Err(FsError::NotRegular { .. })
        ));
        assert!(world.inside.lock(name, Duration::ZERO).is_err());
        assert!(stage_file(&world.root.join("inside").join(name), &world.inside, "copy").is_err());
    }
}

#[test]
fn a_name_that_is_not_text_is_listed_as_something_odd() {
    use std::os::unix::ffi::OsStrExt;
    let world = world();
    let name = std::ffi::OsStr::from_bytes(b"bad\xff");
    std::fs::File::create(world.root.join("inside/real").as_std_path().join(name)).unwrap();
    let entries = world.inside.list("real", 10).unwrap();
    assert_eq!(entries[0].path, "real/bad\u{fffd}");
    assert_eq!(entries[0].metadata.kind, EntryKind::Other);
}

#[test]
fn a_staged_link_is_what_it_points_at() {
    let world = world();
    let outer = Directory::open(&world.root, NoFaults::shared()).unwrap();
    stage_file(&world.root.join("inside/file"), &outer, "staged").unwrap();
    assert_eq!(outer.metadata("staged").unwrap().kind, EntryKind::File);
}
