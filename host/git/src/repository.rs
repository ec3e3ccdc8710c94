//! The entry point: a repository on disk and its queries. Holds only paths; every query reads the disk again.

use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;

use camino::{Utf8Path, Utf8PathBuf};
use gix_hash::ObjectId;

use crate::config::Config;
use crate::folders::GitFolders;
use crate::history::HistoryWalk;
use crate::index::GitIndex;
use crate::objects::Objects;
use crate::refs::{self, Refs};
use crate::untracked::Untracked;
use crate::{
    GitError, HistoryCommit, HistoryEnd, HistoryOptions, TrackedPath, TreeChange, TreeFile, limits,
    read, revision, tree,
};

/// A git repository, or one of its worktrees.
#[derive(Debug, Clone)]
pub struct GitRepository {
    folders: GitFolders,
    hash: gix_hash::Kind,
    /// Refs are stored as files, not in a reftable.
    has_ref_files: bool,
}

impl GitRepository {
    /// Opens the repository whose checkout is at `root`, or the bare repository `root`.
    pub fn at(root: &Utf8Path) -> Result<Self, GitError> {
        Self::open(root, GitFolders::at(root))
    }

    /// Opens the repository of the nearest checkout that contains `path`.
    pub fn containing(path: &Utf8Path) -> Result<Self, GitError> {
        Self::open(path, GitFolders::containing(path))
    }

    fn open(path: &Utf8Path, folders: Option<GitFolders>) -> Result<Self, GitError> {
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

    /// Returns the root of the work tree; `None` for a bare repository.
    pub fn work_tree(&self) -> Option<&Utf8Path> {
        self.folders.work_tree.as_deref()
    }

    /// Returns the folder with `HEAD` and `index` of this work tree.
    pub fn folder(&self) -> &Utf8Path {
        &self.folders.own
    }

    /// Returns the folder that all worktrees share: objects, refs and config.
    pub fn common_folder(&self) -> &Utf8Path {
        &self.folders.common
    }

    pub fn index_file(&self) -> Utf8PathBuf {
        self.folders.own.join("index")
    }

    /// Returns the path of the ignore file outside of the work tree.
    pub fn exclude_file(&self) -> Utf8PathBuf {
        self.folders.common.join("info/exclude")
    }

    /// Returns the commit that is checked out; `None` before the first one.
    pub fn head(&self) -> Option<String> {
        let head = self.refs().head().id?;
        Some(head.to_hex().to_string())
    }

    /// Returns the branch that is checked out; `None` if detached.
    pub fn branch(&self) -> Option<String> {
        let name = self.refs().head().reference?;
        Some(name.strip_prefix("refs/heads/").unwrap_or(&name).to_owned())
    }

    /// Returns the URL of `origin`, or of the first remote, as written.
    pub fn remote_url(&self) -> Option<String> {
        let config = Config::read(&self.folders.common);
        config.remote_url().map(ToOwned::to_owned)
    }

    /// Returns the e-mail address in this repository's own settings. Untrusted: the creator of the folder wrote it.
    pub fn user_email(&self) -> Option<String> {
        let config = Config::read(&self.folders.common);
        config.value("user", "email").map(ToOwned::to_owned)
    }

    /// Returns the folder of its hooks that its own settings name (`core.hooksPath`).
    pub fn hooks_path(&self) -> Option<String> {
        let config = Config::read(&self.folders.common);
        config.value("core", "hookspath").map(ToOwned::to_owned)
    }

    /// Returns the message of a commit.
    pub fn message(&self, commit: &str) -> Result<String, GitError> {
        let missing = || GitError::Revision {
            path: self.folders.own.clone(),
            revision: commit.to_owned(),
        };
        let id = ObjectId::from_hex(commit.as_bytes()).map_err(|_| missing())?;
        let message = self.objects().commit(&id, |commit| {
            let message = commit.message().ok()?;
            Some(String::from_utf8_lossy(message).into_owned())
        })?;
        message.ok_or_else(missing)
    }

    /// Reports whether the clone is shallow.
    pub fn is_shallow(&self) -> bool {
        self.folders
            .common
            .join("shallow")
            .symlink_metadata()
            .is_ok()
    }

    /// Returns the root commit; the smallest id if there are several. `None` without commits, or if the history is
    /// shallow, damaged or too long.
    pub fn root_commit(&self) -> Option<String> {
        // The oldest commit of a shallow clone is not a root.
        if self.is_shallow() {
            return None;
        }
        let head = self.refs().head().id?;
        let options = HistoryOptions::default();
        let objects = self.objects();
        let walk = HistoryWalk {
            objects: &objects,
            shallow: &HashSet::new(),
            options: &options,
        };
        let smallest = walk.roots(head)?.into_iter().min()?;
        Some(smallest.to_hex().to_string())
    }

    /// Reports whether the repository has a commit; `None` if that cannot be determined.
    pub fn has_commit(&self, commit: &str) -> Option<bool> {
        let id = ObjectId::from_hex(commit.as_bytes()).ok()?;
        if id.kind() != self.hash {
            return Some(false);
        }
        let found = self.objects().find(&id, &mut Vec::new()).ok()?;
        Some(found.is_some())
    }

    /// Resolves a revision to a commit: a ref, an id, `HEAD~2`, `v1^{commit}`.
    pub fn resolve(&self, revision: &str) -> Result<String, GitError> {
        if !self.has_ref_files {
            return Err(GitError::Unsupported {
                path: self.folders.own.clone(),
                what: "its refs are stored in a reftable",
            });
        }
        revision::commit(&self.refs(), &self.objects(), revision)
            .map(|commit| commit.to_hex().to_string())
            .ok_or_else(|| GitError::Revision {
                path: self.folders.own.clone(),
                revision: revision.to_owned(),
            })
    }

    /// Returns every path in the index, except those in sparse folders that are not checked out.
    pub fn tracked(&self) -> Result<Vec<TrackedPath>, GitError> {
        let mut entries = self.index()?.entries;
        entries.retain(|entry| !entry.path.ends_with('/'));
        Ok(entries)
    }

    /// Returns every file that is tracked, or would be if it were added. `global_ignore` is the user's own ignore file.
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

    /// Returns every file of a commit.
    pub fn tree(&self, commit: &str) -> Result<Vec<TreeFile>, GitError> {
        let objects = self.objects();
        let root = tree::tree_of(&objects, &self.object_id(commit)?)?;
        tree::files(&objects, root, "")
    }

    /// Returns files of a commit with their content: those that `takes` names, in folders that `enters` names. What is larger
    /// than `most` bytes is cut.
    pub fn texts(
        &self,
        commit: &str,
        enters: &dyn Fn(&str) -> bool,
        takes: &dyn Fn(&str) -> bool,
        most: usize,
    ) -> Result<Vec<(String, Vec<u8>)>, GitError> {
        let objects = self.objects();
        let root = tree::tree_of(&objects, &self.object_id(commit)?)?;
        tree::texts(&objects, root, enters, takes, most)
    }

    /// Returns the commits that this work tree had checked out between two times, by the log of its `HEAD`; empty if it keeps
    /// none. The newest come first, `most` at most.
    pub fn heads_between(&self, from_ms: u64, to_ms: u64, most: usize) -> Vec<String> {
        let log = read::bytes(&self.folders.own.join("logs/HEAD"), limits::LOG_BYTES);
        let log = log.ok().flatten().unwrap_or_default();
        let log = String::from_utf8_lossy(&log);
        let mut heads = Vec::new();
        // The time at which the next entry took over.
        let mut until = u64::MAX;
        for (commit, at) in log.lines().rev().filter_map(log_entry) {
            if at <= to_ms && until >= from_ms && !heads.iter().any(|known| known == commit) {
                heads.push(commit.to_owned());
            }
            until = at;
            if until < from_ms || heads.len() >= most {
                break;
            }
        }
        heads
    }

    /// Calls `tell` with the ancestors of `HEAD`, newest first.
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
        let walk = HistoryWalk {
            objects: &objects,
            shallow: &shallow,
            options,
        };
        walk.run(head, tell)
    }

    /// Returns every path that was removed or moved in the newest commits.
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

    pub(crate) fn index(&self) -> Result<GitIndex, GitError> {
        GitIndex::read(&self.index_file(), self.hash)
    }

    /// Parses a hex id in this repository's hash format.
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

/// Returns the commit that an entry of a log leads to, and its time in milliseconds.
fn log_entry(line: &str) -> Option<(&str, u64)> {
    let (who, _) = line.split_once('\t').unwrap_or((line, ""));
    let commit = who.split(' ').nth(1)?;
    let seconds: u64 = who.rsplit(' ').nth(1)?.parse().ok()?;
    Some((commit, seconds.saturating_mul(1_000)))
}
