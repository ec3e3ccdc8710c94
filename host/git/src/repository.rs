//! The door: a repository found on disk, and the questions that it answers. It holds paths only; every
//! question reads the disk again.

use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;

use camino::{Utf8Path, Utf8PathBuf};
use gix_hash::ObjectId;

use crate::config::Config;
use crate::folders::Folders;
use crate::history::Walk;
use crate::index::Index;
use crate::objects::Objects;
use crate::refs::{self, Refs};
use crate::untracked::Untracked;
use crate::{
    GitError, HistoryCommit, HistoryEnd, HistoryOptions, TrackedPath, TreeChange, TreeFile,
    revision, tree,
};

/// A git repository, or one of its worktrees.
#[derive(Debug, Clone)]
pub struct GitRepository {
    folders: Folders,
    hash: gix_hash::Kind,
    /// Refs are files, and not a reftable.
    has_ref_files: bool,
}

impl GitRepository {
    /// The repository whose checkout is at `root`, or the bare repository that `root` is.
    pub fn at(root: &Utf8Path) -> Result<Self, GitError> {
        Self::open(root, Folders::at(root))
    }

    /// The repository of the nearest checkout that holds `path`.
    pub fn containing(path: &Utf8Path) -> Result<Self, GitError> {
        Self::open(path, Folders::containing(path))
    }

    fn open(path: &Utf8Path, folders: Option<Folders>) -> Result<Self, GitError> {
        let folders = folders.ok_or_else(|| GitError::NotARepository {
            path: path.to_owned(),
        })?;
        let config = Config::read(&folders.common);
        let hash = match config.value("extensions", "objectformat") {
            None | Some("sha1") => gix_hash::Kind::Sha1,
            Some("sha256") => gix_hash::Kind::Sha256,
            Some(_) => {
                return Err(GitError::Unsupported {
                    path: path.to_owned(),
                    what: "its object format is neither sha1 nor sha256",
                });
            }
        };
        let refs = config.value("extensions", "refstorage");
        Ok(Self {
            has_ref_files: matches!(refs, None | Some("files")),
            folders,
            hash,
        })
    }

    /// The root of the work tree; none for a bare repository.
    pub fn work_tree(&self) -> Option<&Utf8Path> {
        self.folders.work_tree.as_deref()
    }

    /// The folder with `HEAD` and `index` of this work tree.
    pub fn folder(&self) -> &Utf8Path {
        &self.folders.own
    }

    /// The folder that all worktrees share: objects, refs and config.
    pub fn common_folder(&self) -> &Utf8Path {
        &self.folders.common
    }

    pub fn index_file(&self) -> Utf8PathBuf {
        self.folders.own.join("index")
    }

    /// The ignore file that is not part of the work tree.
    pub fn exclude_file(&self) -> Utf8PathBuf {
        self.folders.common.join("info/exclude")
    }

    /// The commit that is checked out; none before the first one.
    pub fn head(&self) -> Option<String> {
        let head = self.refs().head().id?;
        Some(head.to_hex().to_string())
    }

    /// The branch that is checked out; none when detached.
    pub fn branch(&self) -> Option<String> {
        let name = self.refs().head().reference?;
        Some(name.strip_prefix("refs/heads/").unwrap_or(&name).to_owned())
    }

    /// The address of `origin`, or of the first remote, as it is written.
    pub fn remote_url(&self) -> Option<String> {
        let config = Config::read(&self.folders.common);
        config.remote_url().map(ToOwned::to_owned)
    }

    /// The address in this repository's own settings, which whoever made the folder wrote.
    pub fn user_email(&self) -> Option<String> {
        let config = Config::read(&self.folders.common);
        config.value("user", "email").map(ToOwned::to_owned)
    }

    /// Reports whether only a part of the history was copied.
    pub fn is_shallow(&self) -> bool {
        self.folders
            .common
            .join("shallow")
            .symlink_metadata()
            .is_ok()
    }

    /// The first commit; of several the smallest. `None` without commits, and where history is cut off,
    /// broken or too long.
    pub fn root_commit(&self) -> Option<String> {
        // The oldest commit of a shallow clone is no root, only where copying stopped.
        if self.is_shallow() {
            return None;
        }
        let head = self.refs().head().id?;
        let options = HistoryOptions::default();
        let objects = self.objects();
        let walk = Walk {
            objects: &objects,
            shallow: &HashSet::new(),
            options: &options,
        };
        let smallest = walk.roots(head)?.into_iter().min()?;
        Some(smallest.to_hex().to_string())
    }

    /// The commit that a revision means: a ref, an id, `HEAD~2`, `v1^{commit}`.
    pub fn resolve(&self, revision: &str) -> Result<String, GitError> {
        if !self.has_ref_files {
            return Err(GitError::Unsupported {
                path: self.folders.own.clone(),
                what: "its refs are kept in a reftable",
            });
        }
        revision::commit(&self.refs(), &self.objects(), revision)
            .map(|commit| commit.to_hex().to_string())
            .ok_or_else(|| GitError::Revision {
                path: self.folders.own.clone(),
                revision: revision.to_owned(),
            })
    }

    /// Every path in the index. One in a sparse folder that is not checked out is not among them.
    pub fn tracked(&self) -> Result<Vec<TrackedPath>, GitError> {
        let mut entries = self.index()?.entries;
        entries.retain(|entry| !entry.path.ends_with('/'));
        Ok(entries)
    }

    /// Every file that is tracked, or would be if it were added. `global_ignore` is the user's own
    /// ignore file.
    pub fn files(&self, global_ignore: Option<&Utf8Path>) -> Result<Vec<String>, GitError> {
        let tracked = self.tracked()?;
        let known: HashSet<&str> = tracked.iter().map(|entry| &*entry.path).collect();
        let untracked = Untracked {
            work_tree: self.checkout()?,
            exclude_file: self.exclude_file(),
            global_ignore,
            tracked: &known,
        };
        let mut files = untracked.list("")?;
        files.extend(tracked.into_iter().map(|entry| entry.path));
        files.sort();
        Ok(files)
    }

    /// Every file of a commit.
    pub fn tree(&self, commit: &str) -> Result<Vec<TreeFile>, GitError> {
        let objects = self.objects();
        let root = tree::tree_of(&objects, &self.object_id(commit)?)?;
        tree::files(&objects, root, "")
    }

    /// Tells the commits that lead to `HEAD`, the newest first.
    pub fn history(
        &self,
        options: &HistoryOptions,
        tell: &mut dyn FnMut(HistoryCommit) -> ControlFlow<()>,
    ) -> HistoryEnd {
        let Some(head) = self.refs().head().id else {
            return HistoryEnd::Complete;
        };
        let objects = self.objects();
        let shallow: HashSet<ObjectId> = refs::shallow(&self.folders.common).into_iter().collect();
        let walk = Walk {
            objects: &objects,
            shallow: &shallow,
            options,
        };
        walk.run(head, tell)
    }

    /// Every path that was removed or moved in the newest commits.
    pub fn removed_paths(&self, commits: u64) -> BTreeSet<String> {
        let options = HistoryOptions {
            commits,
            ..HistoryOptions::default()
        };
        let mut removed = BTreeSet::new();
        self.history(&options, &mut |commit| {
            let gone = commit.changes.into_iter();
            let gone = gone.filter(|(_, change)| *change == TreeChange::Removed);
            removed.extend(gone.map(|(path, _)| path));
            ControlFlow::Continue(())
        });
        removed
    }

    pub(crate) fn hash(&self) -> gix_hash::Kind {
        self.hash
    }

    pub(crate) fn checkout(&self) -> Result<&Utf8Path, GitError> {
        self.work_tree().ok_or_else(|| GitError::Unsupported {
            path: self.folders.own.clone(),
            what: "it has no work tree",
        })
    }

    pub(crate) fn objects(&self) -> Objects {
        Objects::open(&self.folders.common, self.hash)
    }

    pub(crate) fn index(&self) -> Result<Index, GitError> {
        Index::read(&self.index_file(), self.hash)
    }

    /// An id in hex as an object of this repository's format.
    pub(crate) fn object_id(&self, hex: &str) -> Result<ObjectId, GitError> {
        let id = ObjectId::from_hex(hex.as_bytes()).ok();
        id.filter(|id| id.kind() == self.hash)
            .ok_or_else(|| GitError::Revision {
                path: self.folders.own.clone(),
                revision: hex.to_owned(),
            })
    }

    pub(crate) fn refs(&self) -> Refs<'_> {
        Refs::new(&self.folders, self.hash)
    }
}
