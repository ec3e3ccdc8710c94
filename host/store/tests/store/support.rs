//! Shared test support: projects in temporary folders, texts of memories, and one change with every kind of step.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use acreta_fs::faults::{Image, Recorder};
use acreta_fs::{Directory, Faults, NoFaults};
use acreta_store::{Change, FileChange, Layout, ProjectLock, Store, digest};
use camino::Utf8PathBuf;

/// Files by path relative to the base, without journal and lock.
pub(crate) type FileContents = BTreeMap<String, Vec<u8>>;

/// A project in a temporary folder.
pub(crate) struct Project {
    _guard: tempfile::TempDir,
    pub(crate) root: Utf8PathBuf,
}

impl Project {
    pub(crate) fn new() -> Self {
        // In memory if possible: thousands of disks are created, and crashes are simulated anyway.
        let in_memory = std::path::Path::new("/dev/shm");
        let guard = tempfile::tempdir_in(in_memory)
            .or_else(|_| tempfile::tempdir())
            .unwrap();
        let root = Utf8PathBuf::from_path_buf(guard.path().canonicalize().unwrap()).unwrap();
        Self {
            _guard: guard,
            root,
        }
    }

    pub(crate) fn from_image(image: &Image) -> Self {
        let project = Self::new();
        image.write(&project.root).unwrap();
        project
    }

    pub(crate) fn with_files(files: &FileContents) -> Self {
        let project = Self::new();
        for (path, bytes) in files {
            project.put(path, bytes);
        }
        project
    }

    pub(crate) fn base(&self) -> Utf8PathBuf {
        self.root.join(".acreta")
    }

    /// Writes a file relative to the base, as a person would.
    pub(crate) fn put(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let faults = Arc::new(Recorder::new());
        let base = Directory::open_or_create(&self.base(), faults).unwrap();
        if let Some((parent, _)) = path.rsplit_once('/') {
            base.create_dir_all(parent).unwrap();
        }
        base.replace(path, bytes.as_ref()).unwrap();
    }

    pub(crate) fn remove(&self, path: &str) {
        Directory::open(&self.base(), NoFaults::shared())
            .unwrap()
            .remove_file(path)
            .unwrap();
    }

    pub(crate) fn image(&self) -> Image {
        Image::read(&self.root).unwrap()
    }

    pub(crate) fn store(&self, faults: Arc<dyn Faults>) -> Store {
        Store::open(Layout::for_project(&self.root), faults).unwrap()
    }

    /// Returns a locked store whose syncs are only simulated.
    pub(crate) fn locked(&self) -> (Store, ProjectLock) {
        let store = self.store(Arc::new(Recorder::new()));
        let lock = store.lock(Duration::ZERO).unwrap();
        (store, lock)
    }

    /// Returns the files that a person would see, without the lock.
    pub(crate) fn files(&self) -> FileContents {
        let image = self.image();
        let files = image.files();
        files
            .into_iter()
            .filter_map(|(path, bytes)| {
                let path = path.strip_prefix(".acreta").ok()?;
                (path != "meta/lock").then(|| (path.to_string(), bytes.to_vec()))
            })
            .collect()
    }
}

/// Returns a decision as a writer would write it.
pub(crate) fn decision(id: &str, title: &str, body: &str) -> String {
    format!(
        "---\nid: {id}\ntitle: {title}\ncreated: 2026-01-02T03:04:05Z\nupdated: 2026-01-02T03:04:05Z\n\
         source: claude\nconfidence: 0.8\ntags: [a, b]\nrelated: []\n---\n\n{body}\n"
    )
}

pub(crate) fn change(run_id: &str, old: &FileContents, new: &FileContents) -> Change {
    let paths = old
        .keys()
        .chain(new.keys().filter(|path| !old.contains_key(*path)));
    let files = paths
        .filter(|path| old.get(*path) != new.get(*path))
        .map(|path| FileChange {
            path: path.into(),
            old: old.get(path).map(digest),
            new: new.get(path).cloned(),
        })
        .collect();
    Change {
        run_id: run_id.to_owned(),
        files,
    }
}

/// Returns the files before and after a change: two additions in a new folder, an update, a removal, a move to the
/// archive and the sidecars of all of them.
pub(crate) fn before_and_after() -> (FileContents, FileContents) {
    let file = |path: &str, content: &str| (path.to_owned(), content.as_bytes().to_vec());
    let before = FileContents::from([
        file("memory/decisions/20260101-kept.md", "kept"),
        file("memory/decisions/20260101-updated.md", "old text"),
        file("memory/decisions/20260101-archived.md", "archived text"),
        file("memory/summaries/20260101-000000-old.md", "old summary"),
        file("meta/evidence/updated.json", "{\"old\": 1}"),
        file("meta/state/updated.json", "{\"old\": 2}"),
        file("meta/state/archived.json", "{\"status\": \"active\"}"),
    ]);
    let mut after = before.clone();
    after.remove("memory/decisions/20260101-archived.md");
    after.remove("memory/summaries/20260101-000000-old.md");
    after.extend([
        file(
            "memory/archived/decisions/20260101-archived.md",
            "archived text",
        ),
        file("memory/summaries/20260102-000000-new.md", "new summary"),
        file("memory/learnings/20260102-one.md", "learning one"),
        file("memory/learnings/20260102-two.md", ""),
        file("memory/decisions/20260101-updated.md", "new text"),
        file("meta/evidence/updated.json", "{\"new\": 1}"),
        file("meta/evidence/one.json", "{}"),
        file("meta/state/updated.json", "{\"new\": 2}"),
        file("meta/state/one.json", "{}"),
        file("meta/state/archived.json", "{\"status\": \"archived\"}"),
    ]);
    (before, after)
}
