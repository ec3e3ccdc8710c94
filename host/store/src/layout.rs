//! Where things lie. Everything the store writes is beneath the base; a memory root given by hand
//! is its own base, so that nothing is ever written outside it.

use std::sync::Arc;

use acreta_fs::{Directory, EntryKind, Faults, FsError, NoFaults, PROJECT_FOLDER};
use acreta_model::MemoryType;
use camino::{Utf8Path, Utf8PathBuf};

/// The folders of one scope. Paths that methods return are relative to [`Layout::base`] unless they
/// say otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    base: Utf8PathBuf,
    memory: Utf8PathBuf,
    workspace: Utf8PathBuf,
    /// Only the user may read it: the global scope. A repository's memory is shared.
    private: bool,
    /// Folder and name of the file with the user's words; none where nobody's word counts.
    words: Option<(Utf8PathBuf, String)>,
    /// Nothing is read from it or written to it.
    closed: bool,
}

impl Layout {
    /// `<root>/.acreta` with `memory` and `workspace` in it.
    pub fn for_project(root: &Utf8Path) -> Self {
        Self {
            private: false,
            ..Self::for_scope(&root.join(PROJECT_FOLDER))
        }
    }

    /// A folder that is a scope by itself: the global one.
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

    /// The same with the user's words, which lie in a folder of the user's own.
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

    /// The same, shut: a folder that came with a repository nobody registered. It reads as empty, and
    /// writing to it is refused.
    pub fn closed(self) -> Self {
        Self {
            closed: true,
            ..self
        }
    }

    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Folder and name of the file with the user's words.
    pub fn words_file(&self) -> Option<(&Utf8Path, &str)> {
        let (folder, name) = self.words.as_ref()?;
        Some((folder, name))
    }

    /// A project's folder, with roots given by hand. A memory root in a folder named `.acreta` has that folder as
    /// its base; any other is its own base: `decisions`, … and `meta` lie directly in it.
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

    /// Opens the base; `None` if it does not exist or is shut. Nothing in it is reached through a link.
    pub fn open(&self, faults: &Arc<dyn Faults>) -> Result<Option<Directory>, FsError> {
        if self.closed {
            return Ok(None);
        }
        present(Directory::open(&self.base, Arc::clone(faults)).map(|base| self.mine(base)))
    }

    /// Opens the base, creating it if need be.
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

    /// Opens the folder of run folders, creating it if need be.
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

    /// Reports whether there is a folder of memories. A link in its place is an error.
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

    /// Absolute.
    pub fn base(&self) -> &Utf8Path {
        &self.base
    }

    /// Absolute.
    pub fn memory_root(&self) -> Utf8PathBuf {
        match self.memory.as_str() {
            "" => self.base.clone(),
            _ => self.base.join(&self.memory),
        }
    }

    /// Absolute.
    pub fn workspace(&self) -> &Utf8Path {
        &self.workspace
    }

    /// A path relative to the memory root, as one relative to the base.
    pub fn memory_path(&self, relative: impl AsRef<Utf8Path>) -> Utf8PathBuf {
        acreta_fs::join(&self.memory, relative)
    }

    /// A path relative to the base, as one relative to the memory root; `None` when it is not in it.
    pub fn in_memory<'a>(&self, path: &'a Utf8Path) -> Option<&'a Utf8Path> {
        path.strip_prefix(&self.memory).ok()
    }

    pub(crate) fn evidence_folder(&self) -> &'static Utf8Path {
        Utf8Path::new("meta/evidence")
    }

    pub(crate) fn state_folder(&self) -> &'static Utf8Path {
        Utf8Path::new("meta/state")
    }

    pub fn evidence_path(&self, id: &str) -> Utf8PathBuf {
        Utf8PathBuf::from(format!("meta/evidence/{id}.json"))
    }

    pub fn state_path(&self, id: &str) -> Utf8PathBuf {
        Utf8PathBuf::from(format!("meta/state/{id}.json"))
    }

    /// Folder of the archived traces.
    pub fn traces(&self) -> &'static Utf8Path {
        Utf8Path::new("meta/traces/sessions")
    }

    /// Where an archived memory goes, relative to the memory root.
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

    /// Whether a change may touch this path: anything beneath the base but the store's own journal and lock.
    pub(crate) fn may_change(&self, path: &Utf8Path) -> bool {
        // Some disks do not tell case apart.
        let path = Utf8PathBuf::from(path.as_str().to_lowercase());
        !path.starts_with(self.commit_folder()) && !path.starts_with(self.lock_path())
    }
}

/// When all files were last compared with the search index, and how their folders looked, relative to the base.
pub const INDEX_CHECKED: &str = "index/checked";

/// A folder with an [`IndexNote`](crate::IndexNote) for each change since.
pub const INDEX_CHANGES: &str = "index/changes";

/// The same of a comparison that is not over: it becomes [`INDEX_CHECKED`] when it is. A commit takes it
/// away too, since the comparison may have missed it.
pub const INDEX_CHECKING: &str = "index/checking";

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

/// Most files in one folder.
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
        assert!(layout.may_change(Utf8Path::new("meta/state/x.json")));
        assert!(!layout.may_change(Utf8Path::new("meta/commit/run/manifest.json")));
        assert!(!layout.may_change(Utf8Path::new("meta/lock")));
    }
}
