//! Commits a checkout and pushes it, only onto the commit that was checked out. A push whose answer was lost is
//! looked up on the remote before anything is reported.

use acreta_fs::PROJECT_FOLDER;

use crate::clone::{CloneFolder, full_name};
use crate::git::{REMOTE, message};
use crate::tree::{self, FOLDER, MemoryFile, TreeEntry};
use crate::{Change, Checkout, ClonesError, CommitId, GitFailure, files};

/// The end of a publication.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Published {
    /// The branch of the remote contains this commit.
    Pushed(CommitId),
    /// The files are those of the commit that was checked out.
    Unchanged,
    /// Somebody else pushed since the checkout: check out again and make the change again.
    Moved,
}

/// Name of the index in which a tree is put together. Git requires one; it is never compared with files.
const INDEX: &str = "index";

impl Checkout {
    /// Commits `.acreta` as it is now, without what belongs to this machine, and pushes the commit onto the branch.
    pub fn publish(&mut self, change: &Change) -> Result<Published, ClonesError> {
        change.check()?;
        let clone = self.clone_folder();
        let files = files::read(&clone, &self.folder, &self.memory)?;
        let Some(tree) = self.tree(&clone, &files)? else {
            return Ok(Published::Unchanged);
        };
        let commit = self.commit(&clone, &tree, change)?;
        let published = self.push(&clone, &commit)?;
        if let Published::Pushed(commit) = &published {
            self.base = Some(commit.clone());
            self.tip = Some(commit.clone());
            self.memory.files = files;
        }
        Ok(published)
    }

    /// Returns the new top tree; `None` if it is that of the base.
    fn tree(
        &self,
        clone: &CloneFolder<'_>,
        files: &[MemoryFile],
    ) -> Result<Option<String>, ClonesError> {
        let mut top = match &self.base {
            Some(base) => clone.list(base, None)?,
            None => Vec::new(),
        };
        let is_memory = |entry: &TreeEntry| entry.path == PROJECT_FOLDER.as_bytes();
        let before = top
            .iter()
            .find(|entry| is_memory(entry))
            .map(|entry| entry.object.clone());
        let after = self.memory_tree(clone, files)?;
        if before == after {
            return Ok(None);
        }
        top.retain(|entry| !is_memory(entry));
        top.extend(after.map(|object| TreeEntry {
            mode: FOLDER.to_owned(),
            object,
            path: PROJECT_FOLDER.into(),
        }));
        let mut lines = Vec::new();
        for entry in top {
            let kind = match entry.mode.as_str() {
                FOLDER => "tree",
                "160000" => "commit",
                _ => "blob",
            };
            lines.extend(format!("{} {kind} {}\t", entry.mode, entry.object).as_bytes());
            lines.extend(&entry.path);
            lines.push(0);
        }
        let top = clone
            .call("mktree")
            .arguments(&["-z", "--missing"])
            .stdin(lines)
            .object_id()?;
        Ok(Some(top))
    }

    /// Returns the tree of `.acreta`; `None` if it has no files.
    fn memory_tree(
        &self,
        clone: &CloneFolder<'_>,
        files: &[MemoryFile],
    ) -> Result<Option<String>, ClonesError> {
        let lines = tree::index_lines(files, &self.memory.kept).map_err(|path| {
            let reason = "is a link, a submodule or a machine's own file, where memory has a file or a folder";
            ClonesError::Tree {
                remote: self.remote.shown().to_owned(),
                branch: self.branch.clone(),
                path,
                reason,
            }
        })?;
        if lines.is_empty() {
            return Ok(None);
        }
        // Also the lock of a process that was killed: this one holds the clone.
        for left in [INDEX.to_owned(), format!("{INDEX}.lock")] {
            if self.home.exists(&left)? {
                self.home.remove_file(&left)?;
            }
        }
        let index = self.home.path().join(INDEX);
        clone
            .call("update-index")
            .arguments(&["-z", "--index-info"])
            .variable("GIT_INDEX_FILE", index.as_str())
            .stdin(lines)
            .run()?;
        let tree = clone
            .call("write-tree")
            .argument("--missing-ok")
            .argument(format!("--prefix={PROJECT_FOLDER}/"))
            .variable("GIT_INDEX_FILE", index.as_str())
            .object_id()?;
        Ok(Some(tree))
    }

    fn commit(
        &self,
        clone: &CloneFolder<'_>,
        tree: &str,
        change: &Change,
    ) -> Result<CommitId, ClonesError> {
        let date = format!("@{} +0000", change.time_ms / 1000);
        let mut call = clone
            .call("commit-tree")
            .argument(tree)
            .variable("GIT_AUTHOR_NAME", &change.author.name)
            .variable("GIT_AUTHOR_EMAIL", &change.author.email)
            .variable("GIT_AUTHOR_DATE", &date)
            .variable("GIT_COMMITTER_NAME", &change.author.name)
            .variable("GIT_COMMITTER_EMAIL", &change.author.email)
            .variable("GIT_COMMITTER_DATE", &date)
            .stdin(format!("{}\n", change.message.trim_end()).into_bytes());
        if let Some(base) = &self.base {
            call = call.arguments(&["-p", base.as_str()]);
        }
        let id = call.object_id()?;
        CommitId::parse(&id).ok_or_else(|| {
            let reason = "an object id was expected";
            clone.failure("commit-tree", GitFailure::Output { reason })
        })
    }

    fn push(&self, clone: &CloneFolder<'_>, commit: &CommitId) -> Result<Published, ClonesError> {
        let name = full_name(&self.branch);
        // An empty value expects that the branch does not exist.
        let expected = self.tip.as_ref().map_or("", CommitId::as_str);
        let mut call = clone
            .call("push")
            .over_network()
            .arguments(&["--porcelain", "--no-verify", "--no-signed"])
            .argument("--recurse-submodules=no")
            .argument(format!("--force-with-lease={name}:{expected}"));
        if self.remote.is_folder() {
            call = call.argument(format!("--receive-pack={}", self.git.receiver()));
        }
        let done = call
            .arguments(&["--end-of-options", REMOTE])
            .argument(format!("{commit}:{name}"))
            .complete();
        let failure = match done {
            Ok(done) if done.exit_code == Some(0) => return Ok(Published::Pushed(commit.clone())),
            Ok(done) => match refusal(&done.stdout) {
                Some(reason) => ClonesError::Refused {
                    remote: self.remote.shown().to_owned(),
                    branch: self.branch.clone(),
                    reason,
                },
                None => {
                    let message = message(&done, &self.remote);
                    clone.failure("push", GitFailure::Failed { message })
                }
            },
            Err(error) => error,
        };
        self.look_up(clone, commit, failure)
    }

    /// Asks the remote what became of a push that did not succeed for certain.
    fn look_up(
        &self,
        clone: &CloneFolder<'_>,
        commit: &CommitId,
        failure: ClonesError,
    ) -> Result<Published, ClonesError> {
        let uncertain = |cause: ClonesError| ClonesError::Uncertain {
            remote: self.remote.shown().to_owned(),
            commit: commit.clone(),
            cause: Box::new(cause),
        };
        let now = clone.remote_refs(&self.branch).map_err(uncertain)?.branch;
        if now.as_ref() == Some(commit) {
            return Ok(Published::Pushed(commit.clone()));
        }
        if now == self.tip {
            return Err(failure);
        }
        // Somebody pushed: perhaps onto ours.
        match now.is_some()
            && clone
                .is_on_branch(&self.branch, commit)
                .map_err(uncertain)?
        {
            true => Ok(Published::Pushed(commit.clone())),
            false => Ok(Published::Moved),
        }
    }
}

/// Returns the reason in the report of `git push --porcelain`; `None` if the remote did not decide.
fn refusal(reported: &[u8]) -> Option<String> {
    let reported = String::from_utf8_lossy(reported);
    let line = reported.lines().find(|line| line.starts_with('!'))?;
    line.rsplit('\t').next().map(acreta_text::visible)
}
