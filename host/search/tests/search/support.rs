//! A project with memories in a scratch folder, and queries.

use std::collections::BTreeMap;
use std::sync::Arc;

use acreta_fs::NoFaults;
use acreta_search::{MemoryIndex, Query, SearchResults};
use acreta_store::{Layout, Rung, StateFile, Status, Store, Word};
use camino::{Utf8Path, Utf8PathBuf};

/// A time later than any file the tests write.
pub(crate) const NOW: i64 = 4_000_000_000_000;

pub(crate) const MINUTE: i64 = 60_000;

pub(crate) struct Project {
    _folder: tempfile::TempDir,
    pub(crate) root: Utf8PathBuf,
}

/// Fields of a memory file.
#[derive(Debug, Clone)]
pub(crate) struct MemorySpec<'a> {
    pub(crate) id: &'a str,
    /// `decisions`, `learnings`, `archived/learnings`, …
    pub(crate) folder: &'a str,
    pub(crate) title: &'a str,
    pub(crate) body: &'a str,
    pub(crate) kind: &'a str,
    pub(crate) tags: &'a str,
    pub(crate) updated: &'a str,
    pub(crate) confidence: f32,
}

impl Default for MemorySpec<'_> {
    fn default() -> Self {
        Self {
            id: "one",
            folder: "learnings",
            title: "Title",
            body: "",
            kind: "insight",
            tags: "",
            updated: "2026-01-01T00:00:00Z",
            confidence: 0.8,
        }
    }
}

impl MemorySpec<'_> {
    pub(crate) fn path(&self) -> String {
        format!(".acreta/memory/{}/20260101-{}.md", self.folder, self.id)
    }

    pub(crate) fn text(&self) -> String {
        let kind = if self.folder.ends_with("learnings") {
            format!("kind: {}\n", self.kind)
        } else {
            String::new()
        };
        format!(
            "---\nid: {}\ntitle: \"{}\"\ncreated: 2026-01-01T00:00:00Z\nupdated: {}\nsource: test\n\
             confidence: {}\n{kind}tags: [{}]\nrelated: []\n---\n{}\n",
            self.id, self.title, self.updated, self.confidence, self.tags, self.body
        )
    }
}

impl Project {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
        Self {
            _folder: folder,
            root,
        }
    }

    pub(crate) fn with(memories: &[MemorySpec<'_>]) -> Self {
        let project = Self::new();
        for memory in memories {
            project.add(memory);
        }
        project
    }

    pub(crate) fn layout(&self) -> Layout {
        Layout::for_project(&self.root).with_words_in(&self.root.join("trust"))
    }

    pub(crate) fn index(&self) -> MemoryIndex {
        MemoryIndex::new(self.layout(), Arc::new(NoFaults))
    }

    pub(crate) fn add(&self, memory: &MemorySpec<'_>) {
        self.put(&memory.path(), memory.text());
    }

    #[expect(clippy::disallowed_methods, reason = "a person edits files without us")]
    pub(crate) fn put(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "a person removes files without us"
    )]
    pub(crate) fn remove(&self, path: &str) {
        let path = self.root.join(path);
        if path.is_dir() {
            std::fs::remove_dir_all(path).unwrap();
        } else {
            std::fs::remove_file(path).unwrap();
        }
    }

    pub(crate) fn set_state(&self, id: &str, change: impl FnOnce(&mut StateFile)) {
        let mut state = StateFile::new(id, "");
        state.status = Status::Active;
        change(&mut state);
        self.put(&format!(".acreta/meta/state/{id}.json"), state.to_json());
    }

    /// Records the user's trust word for a memory's current text.
    pub(crate) fn give_word(&self, id: &str, word: Rung) {
        let store = Store::open(self.layout(), Arc::new(NoFaults)).unwrap();
        let snapshot = store.load().unwrap();
        let memory = snapshot.iter().find(|memory| memory.id == id).unwrap();
        let word = Word {
            memory: id.to_owned(),
            digest: memory.content_digest(),
            word,
            by: None,
            at: String::new(),
        };
        let lock = store.lock(std::time::Duration::ZERO).unwrap();
        store.give_words(&lock, &[word]).unwrap();
    }

    /// Returns every file beneath a folder with its content, by path.
    pub(crate) fn files(&self, folder: &str) -> BTreeMap<Utf8PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        collect(&self.root.join(folder), &mut found);
        found
    }
}

fn collect(folder: &Utf8Path, found: &mut BTreeMap<Utf8PathBuf, Vec<u8>>) {
    let Ok(entries) = folder.read_dir_utf8() else {
        return;
    };
    for entry in entries {
        let path = entry.unwrap().path().to_owned();
        if path.is_dir() {
            collect(&path, found);
        } else {
            found.insert(path.clone(), std::fs::read(&path).unwrap());
        }
    }
}

/// Returns the ids that a query finds, best first.
pub(crate) fn ids(index: &MemoryIndex, text: &str, now: i64) -> Vec<String> {
    ids_of(&index.search(&Query::new(text), now).unwrap())
}

pub(crate) fn ids_of(found: &SearchResults) -> Vec<String> {
    found.hits.iter().map(|hit| hit.id.clone()).collect()
}
