//! A project's `.acreta` with links, as a repository could contain. Each operation refuses each of them, and their
//! targets stay unchanged.

#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::time::Duration;

use acreta_fs::faults::Image;
use acreta_fs::{Directory, FsError, Limits, NoFaults, resolve_links, scratch, stage_file};
use camino::{Utf8Path, Utf8PathBuf};

struct World {
    _guard: tempfile::TempDir,
    root: Utf8PathBuf,
}

/// Creates `other/.acreta/memory/secret.md`, and `project`, whose folder contains a link there.
fn world() -> World {
    let guard = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::from_path_buf(guard.path().canonicalize().unwrap()).unwrap();
    let directory = Directory::open(&root, NoFaults::shared()).unwrap();
    for project in ["other", "project"] {
        let memory = format!("{project}/.acreta/memory");
        directory.create_dir_all(&memory).unwrap();
        directory
            .append(format!("{memory}/secret.md"), project.as_bytes())
            .unwrap();
    }
    World {
        _guard: guard,
        root,
    }
}

impl World {
    fn open(&self, path: &str) -> Result<Directory, FsError> {
        Directory::open(&self.root.join(path), NoFaults::shared())
    }

    /// Replaces a path with a link to the other project's.
    fn link(&self, path: &str) {
        let place = self.root.join("project").join(path);
        if place.is_dir() {
            self.open("project").unwrap().remove_dir_all(path).unwrap();
        } else if place.is_file() {
            self.open("project").unwrap().remove_file(path).unwrap();
        }
        symlink(self.root.join("other").join(path), place).unwrap();
    }
}

const ALL: Limits = Limits {
    files: 1_000,
    bytes: 1_000_000,
    depth: 10,
};

type Attempt = fn(&Directory, &Utf8Path) -> Result<(), FsError>;

/// Every operation on a file in a directory.
const ATTEMPTS: &[(&str, Attempt)] = &[
    ("read", |base, file| base.read(file, 100).map(drop)),
    ("open_reader", |base, file| base.open_reader(file).map(drop)),
    ("append", |base, file| base.append(file, b"x")),
    ("lock", |base, file| match base.lock(file, Duration::ZERO) {
        Err(acreta_fs::LockError::Fs(error)) => Err(error),
        _ => Ok(()),
    }),
    ("list", |base, file| {
        base.list(file.parent().unwrap(), 100).map(drop)
    }),
    ("walk", |base, file| {
        base.walk(file.parent().unwrap(), ALL).map(drop)
    }),
    ("subdirectory", |base, file| {
        base.subdirectory(file.parent().unwrap()).map(drop)
    }),
    ("create_dir_all", |base, file| {
        base.create_dir_all(file.with_file_name("new"))
    }),
    ("replace", |base, file| {
        base.replace(file.with_file_name("new.md"), b"x")
    }),
    ("replace_unsynced", |base, file| {
        base.replace_unsynced(file.with_file_name("new.md"), b"x")
    }),
    ("write_synced_new", |base, file| {
        base.write_synced_new(file.with_file_name("new.md"), b"x")
    }),
    ("rename from", |base, file| base.rename(file, "stolen")),
    ("rename to", |base, file| {
        base.append("mine", b"x")?;
        base.rename("mine", file.with_file_name("new.md"))
    }),
    ("remove_file", |base, file| base.remove_file(file)),
    ("remove_dir_all", |base, file| {
        base.remove_dir_all(file.parent().unwrap())
    }),
    ("sync_directory", |base, file| {
        base.sync_directory(file.parent().unwrap())
    }),
    ("metadata", |base, file| base.metadata(file).map(drop)),
    ("scratch", |base, file| {
        scratch(&base.subdirectory(file.parent().unwrap())?, "x").map(drop)
    }),
    ("stage_file", |base, file| {
        base.append("mine", b"x")?;
        let source = base.path().join("mine");
        stage_file(&source, base, file.with_file_name("new.md")).map(drop)
    }),
];

#[test]
fn no_operation_goes_through_a_link_of_a_project() {
    // Position of the link, directory from which the file is reached, and path.
    let doors = [
        (".acreta", "project", ".acreta/memory/secret.md"),
        (".acreta/memory", "project", ".acreta/memory/secret.md"),
        (".acreta/memory", "project/.acreta", "memory/secret.md"),
    ];
    for (link, door, file) in doors {
        for (name, attempt) in ATTEMPTS {
            let world = world();
            world.link(link);
            let before = Image::read(&world.root.join("other")).unwrap();
            let base = world.open(door).unwrap();
            let done = attempt(&base, Utf8Path::new(file));
            match done {
                Err(FsError::Link { path }) => {
                    assert_eq!(path, world.root.join("project").join(link), "{name}");
                }
                other => panic!("{name} through {link} from {door}: {other:?}"),
            }
            assert_eq!(
                Image::read(&world.root.join("other")).unwrap(),
                before,
                "{name}"
            );
        }
    }
}

#[test]
fn a_folder_of_a_project_is_not_opened_through_a_link() {
    for (link, opened) in [
        (".acreta", ".acreta"),
        (".acreta", ".acreta/memory"),
        (".acreta/memory", ".acreta/memory"),
        (".acreta/memory", ".acreta/memory/deep/er"),
    ] {
        let world = world();
        world.link(link);
        let path = world.root.join("project").join(opened);
        let before = Image::read(&world.root.join("other")).unwrap();
        for done in [
            Directory::open(&path, NoFaults::shared()),
            Directory::open_or_create(&path, NoFaults::shared()),
            Directory::open_or_create_private(&path, NoFaults::shared()),
        ] {
            let error = done.unwrap_err();
            assert!(error.is_link(), "{opened}: {error}");
            assert_eq!(error.path(), world.root.join("project").join(link));
            assert!(error.hint().is_some());
        }
        assert_eq!(Image::read(&world.root.join("other")).unwrap(), before);
    }
}

#[test]
fn files_that_are_links_are_refused_or_replaced() {
    let world = world();
    world.link(".acreta/memory/secret.md");
    let before = Image::read(&world.root.join("other")).unwrap();
    let memory = world.open("project/.acreta/memory").unwrap();
    assert!(memory.read("secret.md", 100).unwrap_err().is_link());
    assert!(memory.append("secret.md", b"x").unwrap_err().is_link());
    // Replacing acts on the link; its target is not touched.
    memory.replace("secret.md", b"mine").unwrap();
    assert_eq!(memory.read("secret.md", 100).unwrap(), b"mine");
    assert_eq!(Image::read(&world.root.join("other")).unwrap(), before);
}

#[test]
fn links_that_the_user_chose_are_resolved_beforehand() {
    let world = world();
    let path = |path: &str| world.root.join(path);
    world.link(".acreta");
    assert_eq!(
        resolve_links(&path("project/.acreta/memory")),
        path("other/.acreta/memory")
    );
    assert_eq!(
        resolve_links(&path("project/.acreta/new/er")),
        path("other/.acreta/new/er")
    );
    // Outside of such a folder the system follows links, and paths stay as given.
    symlink(path("other"), path("shortcut")).unwrap();
    assert_eq!(
        resolve_links(&path("shortcut/.acreta/memory")),
        path("shortcut/.acreta/memory")
    );
    assert!(world.open("shortcut/.acreta/memory").is_ok());
}
