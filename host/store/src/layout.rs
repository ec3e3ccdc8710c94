//! Paths of one scope. The store writes only beneath the base; a memory root given by hand is its own base, so that
//! nothing is written outside it.

use std::sync::Arc;

use acreta_fs::{Directory, EntryKind, Faults, FsError, NoFaults, PROJECT_FOLDER};
use acreta_types::MemoryType;
use camino::{Utf8Path, Utf8PathBuf};

/// The folders of one scope. Methods return paths relative to [`Layout::base`] unless they say otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    base: Utf8PathBuf,
    memory: Utf8PathBuf,
    workspace: Utf8PathBuf,
    /// Only the user may read the files (global scope). A repository's memory is shared.
    private: bool,
    /// Folder and name of the file with the user's endorsements; `None` if endorsements do not count.
    words: Option<(Utf8PathBuf, String)>,
    /// Nothing is read from it or written to it.
    closed: bool,
}

impl Layout {
    /// Returns `<root>/.acreta` with `memory` and `workspace` in it.
    pub fn for_project(root: &Utf8Path) -> Self {
        Self {
            private: false,
            ..Self::for_scope(&root.join(PROJECT_FOLDER))
        }
    }

    /// Returns the layout of a folder that is itself a scope, such as the global one.
    pub fn for_scope(folder: &Utf8Path) -> Self {
        let base = absolute(folder);
        Self {
            workspace: base.join("workspace"),
            memory: Utf8PathBuf::from("memory"),
            words: None,
            closed: false,
            base,
            private: true,
        }
    }

    /// Adds the user's endorsements, which are stored in a folder of the user's own.
    pub fn with_words_in(self, folder: &Utf8Path) -> Self {
        let place = match self.base.file_name() {
            Some(PROJECT_FOLDER) => self.base.parent().and_then(Utf8Path::file_name),
            name => name,
        };
        let name = acreta_text::slug(place.unwrap_or("memory"));
        let key = crate::digest(self.base.as_str());
        Self {
            words: Some((absolute(folder), format!("{name}-{}.jsonl", &key[..16]))),
            ..self
        }
    }

    /// Marks the layout as closed: the folder came with a repository that nobody registered. It reads as empty and
    /// refuses to be written.
    pub fn closed(self) -> Self {
        Self {
            closed: true,
            ..self
        }
    }

    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Returns folder and name of the file with the user's endorsements.
    pub fn words_file(&self) -> Option<(&Utf8Path, &str)> {
        let (folder, name) = self.words.as_ref()?;
        Some((folder, name))
    }

    /// Returns the layout of a project with optional roots given by hand. A memory root in a folder named `.acreta`
    /// has that folder as its base; any other is its own base and directly contains `decisions`, … and `meta`.
    pub fn new(
        memory_root: Option<&Utf8Path>,
        workspace_root: Option<&Utf8Path>,
        project_root: &Utf8Path,
    ) -> Self {
        let (base, memory) = match memory_root.map(absolute) {
            None => (
                absolute(project_root).join(PROJECT_FOLDER),
                Utf8PathBuf::from("memory"),
            ),
            Some(root) => match (root.parent(), root.file_name()) {
                (Some(parent), Some(name)) if parent.file_name() == Some(PROJECT_FOLDER) => {
                    (parent.to_owned(), Utf8PathBuf::from(name))
                }
                _ => (root, Utf8PathBuf::new()),
            },
        };
        let workspace = workspace_root.map_or_else(|| base.join("workspace"), absolute);
        Self {
            base,
            memory,
            workspace,
            private: false,
            words: None,
            closed: false,
        }
    }

    /// Opens the base; `None` if it does not exist or is closed. Links in it are not followed.
    pub fn open(&self, faults: &Arc<dyn Faults>) -> Result<Option<Directory>, FsError> {
        if self.closed {
            return Ok(None);
        }
        present(Directory::open(&self.base, Arc::clone(faults)).map(|base| self.mine(base)))
    }

    /// Opens the base; creates it if it does not exist.
    pub fn open_or_create(&self, faults: &Arc<dyn Faults>) -> Result<Directory, FsError> {
        match self.open(faults)? {
            Some(base) => Ok(base),
            None if self.private => {
                let base = Directory::open_or_create_private(&self.base, Arc::clone(faults));
                Ok(self.mine(base?))
            }
            None => Ok(self.mine(Directory::open_or_create(&self.base, Arc::clone(faults))?)),
        }
    }

    /// Opens the folder of run folders; `None` if it does not exist.
    pub fn open_workspace(&self, faults: &Arc<dyn Faults>) -> Result<Option<Directory>, FsError> {
        let opened = match self.workspace.strip_prefix(&self.base) {
            Ok(relative) => match self.open(faults)? {
                Some(base) => base.subdirectory(relative),
                None => return Ok(None),
            },
            Err(_) => Directory::open(&self.workspace, Arc::clone(faults)),
        };
        present(opened.map(|workspace| workspace.private().without_links()))
    }

    /// Opens the folder of run folders; creates it if it does not exist.
    pub fn create_workspace(&self, faults: &Arc<dyn Faults>) -> Result<Directory, FsError> {
        if let Some(workspace) = self.open_workspace(faults)? {
            return Ok(workspace);
        }
        let workspace = match self.workspace.strip_prefix(&self.base) {
            Ok(relative) => {
                let base = self.open_or_create(faults)?.private();
                base.create_dir_all(relative)?;
                base.subdirectory(relative)?
            }
            Err(_) => Directory::open_or_create(&self.workspace, Arc::clone(faults))?,
        };
        Ok(workspace.private().without_links())
    }

    /// Reports whether the folder of memories exists. A link in its place is an error.
    pub fn has_memory(&self) -> Result<bool, FsError> {
        let Some(base) = self.open(&NoFaults::shared())? else {
            return Ok(false);
        };
        if self.memory.as_str().is_empty() {
            return Ok(true);
        }
        match present(base.metadata(&self.memory))?.map(|found| found.kind) {
            Some(EntryKind::Symlink) => Err(FsError::Link {
                path: self.memory_root(),
            }),
            kind => Ok(kind == Some(EntryKind::Directory)),
        }
    }

    fn mine(&self, base: Directory) -> Directory {
        let base = base.without_links();
        if self.private { base.private() } else { base }
    }

    /// Absolute path of the base.
    pub fn base(&self) -> &Utf8Path {
        &self.base
    }

    /// Absolute path of the memory root.
    pub fn memory_root(&self) -> Utf8PathBuf {
        match self.memory.as_str() {
            "" => self.base.clone(),
            _ => self.base.join(&self.memory),
        }
    }

    /// Absolute path of the folder of run folders.
    pub fn workspace(&self) -> &Utf8Path {
        &self.workspace
    }

    /// Converts a path relative to the memory root to one relative to the base.
    pub fn memory_path(&self, relative: impl AsRef<Utf8Path>) -> Utf8PathBuf {
        acreta_fs::join(&self.memory, relative)
    }

    /// Converts a path relative to the base to one relative to the memory root; `None` if it is outside.
    pub fn in_memory<'a>(&self, path: &'a Utf8Path) -> Option<&'a Utf8Path> {
        path.strip_prefix(&self.memory).ok()
    }

    /// Returns where the sidecar of a memory is written. Those of summaries have a folder of their own, because a
    /// project may keep its summaries out of git.
    pub fn sidecar_path(&self, memory_type: MemoryType, id: &str) -> Utf8PathBuf {
        let folder = match memory_type {
            MemoryType::Summary => SIDECAR_FOLDERS[1],
            _ => SIDECAR_FOLDERS[0],
        };
        Utf8PathBuf::from(format!("{folder}/{id}.json"))
    }

    /// Returns every path at which a sidecar of this id, or a part of it, may be.
    pub fn sidecar_paths(&self, id: &str) -> [Utf8PathBuf; 4] {
        SIDECAR_FOLDERS.map(|folder| Utf8PathBuf::from(format!("{folder}/{id}.json")))
    }

    /// Folder of the archived traces.
    pub fn traces(&self) -> &'static Utf8Path {
        Utf8Path::new("meta/traces/sessions")
    }

    /// Returns the path of an archived memory, relative to the memory root.
    pub fn archived_path(memory_type: MemoryType, name: &str) -> Utf8PathBuf {
        Utf8PathBuf::from(format!("{ARCHIVED}/{}/{name}", memory_type.folder()))
    }

    /// The journal of unfinished commits.
    pub(crate) fn commit_folder(&self) -> &'static Utf8Path {
        Utf8Path::new("meta/commit")
    }

    pub(crate) fn lock_path(&self) -> &'static Utf8Path {
        Utf8Path::new("meta/lock")
    }

    /// Reports whether a change may touch this path: anything beneath the base except the store's own journal and
    /// lock.
    pub(crate) fn may_change(&self, path: &Utf8Path) -> bool {
        // Some file systems are case-insensitive.
        let path = Utf8PathBuf::from(path.as_str().to_lowercase());
        !path.starts_with(self.commit_folder()) && !path.starts_with(self.lock_path())
    }
}

/// Time of the last comparison of all files with the search index, and the stamps of their folders; relative to the
/// base.
pub const INDEX_CHECKED: &str = "index/checked";

/// Folder with an [`IndexNote`](crate::IndexNote) for each change since [`INDEX_CHECKED`].
pub const INDEX_CHANGES: &str = "index/changes";

/// Like [`INDEX_CHECKED`], for a comparison that is running; renamed when it ends. A commit removes it too, because
/// the comparison may have missed the commit.
pub const INDEX_CHECKING: &str = "index/checking";

/// Folders of sidecars, relative to the base. Earlier versions wrote two files per memory, into the last two: they are
/// read, and moved when the memory changes.
pub const SIDECAR_FOLDERS: [&str; 4] = [
    "meta/memories",
    "meta/summaries",
    "meta/evidence",
    "meta/state",
];

/// Folder of archived memories in the memory root.
pub(crate) const ARCHIVED: &str = "archived";

fn present<T>(opened: Result<T, FsError>) -> Result<Option<T>, FsError> {
    match opened {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(error),
    }
}

fn absolute(path: &Utf8Path) -> Utf8PathBuf {
    let absolute = camino::absolute_utf8(path).unwrap_or_else(|_| path.to_owned());
    acreta_fs::native(&absolute)
}

/// Maximum number of files in one folder.
pub(crate) const FOLDER_FILES: u64 = 10_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_lead_to_a_base() {
        // memory root, workspace root → base, memory root, workspace, a memory's path
        let cases = [
            (
                None,
                None,
                "/p/.acreta",
                "/p/.acreta/memory",
                "/p/.acreta/workspace",
                "memory/decisions/x.md",
            ),
            (
                Some("/q/.acreta/memory"),
                None,
                "/q/.acreta",
                "/q/.acreta/memory",
                "/q/.acreta/workspace",
                "memory/decisions/x.md",
            ),
            (
                Some("/m"),
                None,
                "/m",
                "/m",
                "/m/workspace",
                "decisions/x.md",
            ),
            (Some("/m/"), Some("/w"), "/m", "/m", "/w", "decisions/x.md"),
            (
                Some("/q/.acreta"),
                None,
                "/q/.acreta",
                "/q/.acreta",
                "/q/.acreta/workspace",
                "decisions/x.md",
            ),
            (
                None,
                Some("/w"),
                "/p/.acreta",
                "/p/.acreta/memory",
                "/w",
                "memory/decisions/x.md",
            ),
        ];
        for (memory, workspace, base, memory_root, workspace_folder, path) in cases {
            let layout = Layout::new(
                memory.map(Utf8Path::new),
                workspace.map(Utf8Path::new),
                Utf8Path::new("/p"),
            );
            assert_eq!(layout.base(), base);
            assert_eq!(layout.memory_root(), memory_root);
            assert_eq!(layout.workspace(), workspace_folder);
            let in_base = layout.memory_path("decisions/x.md");
            assert_eq!(in_base, path);
            assert_eq!(
                layout.in_memory(&in_base),
                Some(Utf8Path::new("decisions/x.md"))
            );
        }
    }

    #[test]
    fn changes_keep_out_of_the_journal() {
        let layout = Layout::for_project(Utf8Path::new("/p"));
        assert!(layout.may_change(Utf8Path::new("memory/decisions/x.md")));
        assert!(layout.may_change(Utf8Path::new("meta/memories/x.json")));
        assert!(!layout.may_change(Utf8Path::new("meta/commit/run/manifest.json")));
        assert!(!layout.may_change(Utf8Path::new("meta/lock")));
    }
}
