//! One clone on disk: a bare repository without history beyond its tips and without blobs that nobody asked for.
//! It holds nothing that the remote does not have, so a damaged one is deleted and made again.

use std::collections::{BTreeMap, BTreeSet};

use acreta_fs::{Directory, EntryKind, FsError};
use camino::{Utf8Path, Utf8PathBuf};

use crate::git::{self, Git, GitCall, REMOTE};
use crate::remote::Remote;
use crate::tree::{self, TreeEntry};
use crate::{ClonesError, CommitId, GitFailure};

/// A clone whose lock is held.
pub(crate) struct CloneFolder<'a> {
    pub(crate) git: &'a Git,
    pub(crate) remote: &'a Remote,
    /// The folder of the clone.
    pub(crate) home: &'a Directory,
    repository: Utf8PathBuf,
}

/// The remote's refs that matter for a checkout.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RemoteRefs {
    /// The tip of the branch.
    pub(crate) branch: Option<CommitId>,
    /// The tip of the default branch.
    pub(crate) head: Option<CommitId>,
}

const REPOSITORY: &str = "repository.git";
/// Where the fetched tip is kept, so that its objects count as present.
const BASE: &str = "refs/acreta/base";
const SEEN: &str = "refs/acreta/seen";
/// A clone with more files of packs, or more loose objects in one of 256 folders, is made again instead of being
/// repacked.
const MOST_FILES: u64 = 128;

impl<'a> CloneFolder<'a> {
    pub(crate) fn new(git: &'a Git, remote: &'a Remote, home: &'a Directory) -> Self {
        Self {
            git,
            remote,
            home,
            repository: home.path().join(REPOSITORY),
        }
    }

    /// Creates the repository unless it exists.
    pub(crate) fn prepare(&self, refs: &RemoteRefs) -> Result<(), ClonesError> {
        if self.is_worn() {
            tracing::debug!(remote = self.remote.shown(), "clone is made again");
            self.discard()?;
        }
        if self.home.exists(REPOSITORY)? {
            return Ok(());
        }
        let known = refs.branch.as_ref().or(refs.head.as_ref());
        let long = known.is_some_and(|commit| commit.as_str().len() == 64);
        let format = if long { "sha256" } else { "sha1" };
        self.git
            .call(self.remote, "init")
            .arguments(&["--quiet", "--bare", "--template="])
            .argument(format!("--object-format={format}"))
            .argument(self.repository.as_str())
            .run()?;
        for (key, value) in [
            ("core.repositoryFormatVersion", "1"),
            ("extensions.partialClone", REMOTE),
        ] {
            self.call("config").arguments(&[key, value]).run()?;
        }
        self.home
            .replace_unsynced("remote", self.remote.shown().as_bytes())?;
        Ok(())
    }

    /// Deletes the repository.
    pub(crate) fn discard(&self) -> Result<(), FsError> {
        match self.home.metadata(REPOSITORY).map(|found| found.kind) {
            Ok(EntryKind::Directory) => self.home.remove_dir_all(REPOSITORY),
            Ok(_) => self.home.remove_file(REPOSITORY),
            Err(error) if error.is_not_found() => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn is_worn(&self) -> bool {
        let many = |folder: &str| {
            matches!(
                self.home
                    .list(format!("{REPOSITORY}/objects/{folder}"), MOST_FILES),
                Err(FsError::OverLimit { .. })
            )
        };
        many("17") || many("pack")
    }

    /// Asks the remote for its refs. Does not use the clone, so a failure is the remote's.
    pub(crate) fn remote_refs(&self, branch: &str) -> Result<RemoteRefs, ClonesError> {
        let branch = full_name(branch);
        let output = self
            .git
            .call(self.remote, "ls-remote")
            .arguments(&["--quiet", REMOTE, "HEAD", &branch])
            .over_network()
            .run()?;
        let mut refs = RemoteRefs::default();
        for line in String::from_utf8_lossy(&output).lines() {
            // A pattern also matches the ends of other names.
            match line.split_once('\t') {
                Some((id, "HEAD")) => refs.head = CommitId::parse(id),
                Some((id, name)) if name == branch => refs.branch = CommitId::parse(id),
                _ => {}
            }
        }
        Ok(refs)
    }

    /// Fetches the tip of a ref, without history and without files.
    pub(crate) fn fetch_tip(&self, name: &str) -> Result<CommitId, ClonesError> {
        self.fetch()
            .arguments(&[
                "--depth=1",
                "--filter=blob:none",
                "--end-of-options",
                REMOTE,
            ])
            .argument(format!("+{name}:{BASE}"))
            .run()?;
        self.resolve(BASE)
    }

    /// Reports whether the branch of the remote contains a commit of ours.
    pub(crate) fn is_on_branch(
        &self,
        branch: &str,
        commit: &CommitId,
    ) -> Result<bool, ClonesError> {
        self.fetch()
            .arguments(&["--filter=blob:none", "--end-of-options", REMOTE])
            .argument(format!("+{}:{SEEN}", full_name(branch)))
            .run()?;
        let done = self
            .call("merge-base")
            .arguments(&["--is-ancestor", commit.as_str(), SEEN])
            .complete()?;
        Ok(done.exit_code == Some(0))
    }

    fn resolve(&self, name: &str) -> Result<CommitId, ClonesError> {
        let id = self
            .call("rev-parse")
            .arguments(&["--verify", "--end-of-options"])
            .argument(format!("{name}^{{commit}}"))
            .object_id()?;
        let reason = "an object id was expected";
        CommitId::parse(&id).ok_or_else(|| self.failure("rev-parse", GitFailure::Output { reason }))
    }

    /// Lists a tree; with a path, all files at and beneath it.
    pub(crate) fn list(
        &self,
        commit: &CommitId,
        path: Option<&str>,
    ) -> Result<Vec<TreeEntry>, ClonesError> {
        let mut call = self.call("ls-tree").arguments(&["-z", "--full-tree"]);
        if path.is_some() {
            call = call.argument("-r");
        }
        call = call.argument(commit.as_str());
        if let Some(path) = path {
            call = call.arguments(&["--", path]);
        }
        let reason = "not a list of files";
        tree::parse(&call.run()?)
            .ok_or_else(|| self.failure("ls-tree", GitFailure::Output { reason }))
    }

    /// Returns the sizes of blobs, after fetching those that are missing.
    pub(crate) fn sizes_with_fetch(
        &self,
        objects: &BTreeSet<&str>,
    ) -> Result<BTreeMap<String, u64>, ClonesError> {
        let (sizes, missing) = self.sizes(objects)?;
        if missing.is_empty() {
            return Ok(sizes);
        }
        self.fetch()
            // Otherwise the remote believes that whoever has the commit has its files.
            .setting("fetch.negotiationAlgorithm=noop")
            .arguments(&["--filter=blob:none", "--stdin", "--end-of-options", REMOTE])
            .stdin(lines(missing.iter().map(String::as_str)))
            .run()?;
        let (sizes, missing) = self.sizes(objects)?;
        if missing.is_empty() {
            return Ok(sizes);
        }
        let reason = "the remote did not send all files";
        Err(self.failure("fetch", GitFailure::Output { reason }))
    }

    /// Returns the sizes of the blobs that are here, and the ids of the others.
    fn sizes(
        &self,
        objects: &BTreeSet<&str>,
    ) -> Result<(BTreeMap<String, u64>, Vec<String>), ClonesError> {
        let output = self
            .call("cat-file")
            .argument("--batch-check=%(objectname) %(objecttype) %(objectsize)")
            .stdin(lines(objects.iter().copied()))
            .run()?;
        let (mut sizes, mut missing) = (BTreeMap::new(), Vec::new());
        for line in String::from_utf8_lossy(&output).lines() {
            let words: Vec<&str> = line.split(' ').collect();
            match words.as_slice() {
                [id, "blob", size] => {
                    sizes.insert((*id).to_owned(), size.parse().unwrap_or(u64::MAX));
                }
                [id, "missing"] => missing.push((*id).to_owned()),
                _ => {
                    let reason = "a file is no blob";
                    return Err(self.failure("cat-file", GitFailure::Output { reason }));
                }
            }
        }
        Ok((sizes, missing))
    }

    /// Returns the contents of blobs.
    pub(crate) fn contents(
        &self,
        objects: &BTreeSet<&str>,
    ) -> Result<BTreeMap<String, Vec<u8>>, ClonesError> {
        if objects.is_empty() {
            return Ok(BTreeMap::new());
        }
        let output = self
            .call("cat-file")
            .argument("--batch")
            .stdin(lines(objects.iter().copied()))
            .run()?;
        let reason = "not a list of objects";
        split_contents(&output)
            .ok_or_else(|| self.failure("cat-file", GitFailure::Output { reason }))
    }

    /// Stores files as blobs, byte by byte; returns their ids in order.
    pub(crate) fn store_files(
        &self,
        folder: &Utf8Path,
        paths: &[Utf8PathBuf],
    ) -> Result<Vec<String>, ClonesError> {
        let output = self
            .call("hash-object")
            .arguments(&["-w", "--no-filters", "--stdin-paths"])
            .folder(folder)
            .stdin(lines(paths.iter().map(|path| path.as_str())))
            .run()?;
        let text = String::from_utf8_lossy(&output);
        let ids: Vec<String> = text.lines().map(ToOwned::to_owned).collect();
        if ids.len() == paths.len() && ids.iter().all(|id| crate::id::is_object_id(id)) {
            return Ok(ids);
        }
        let reason = "one id for each file was expected";
        Err(self.failure("hash-object", GitFailure::Output { reason }))
    }

    /// Returns a call of git in this clone.
    pub(crate) fn call(&self, command: &str) -> GitCall<'_> {
        self.git
            .call(self.remote, command)
            .repository(&self.repository)
    }

    pub(crate) fn failure(&self, command: &str, cause: GitFailure) -> ClonesError {
        git::failure(command.to_owned(), self.remote, cause)
    }

    fn fetch(&self) -> GitCall<'_> {
        self.call("fetch").over_network().arguments(&[
            "--quiet",
            "--no-tags",
            "--no-write-fetch-head",
            "--no-auto-maintenance",
            "--recurse-submodules=no",
        ])
    }
}

/// Returns the full name of a branch.
pub(crate) fn full_name(branch: &str) -> String {
    format!("refs/heads/{branch}")
}

fn lines<'a>(items: impl Iterator<Item = &'a str>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for item in items {
        bytes.extend_from_slice(item.as_bytes());
        bytes.push(b'\n');
    }
    bytes
}

/// Splits the output of `git cat-file --batch`.
fn split_contents(mut output: &[u8]) -> Option<BTreeMap<String, Vec<u8>>> {
    let mut contents = BTreeMap::new();
    while !output.is_empty() {
        let end = output.iter().position(|byte| *byte == b'\n')?;
        let header = std::str::from_utf8(&output[..end]).ok()?;
        let mut words = header.split(' ');
        let (id, kind, size) = (words.next()?, words.next()?, words.next()?);
        let size: usize = size.parse().ok().filter(|_| kind == "blob")?;
        let (content, rest) = output[end + 1..].split_at_checked(size)?;
        contents.insert(id.to_owned(), content.to_vec());
        output = rest.strip_prefix(b"\n")?;
    }
    Some(contents)
}

#[cfg(test)]
mod tests {
    use super::split_contents;

    #[test]
    fn contents_are_split_by_their_sizes() {
        let output = b"aa blob 4\na\nb\n\nbb blob 0\n\n";
        let contents = split_contents(output).unwrap();
        assert_eq!(contents["aa"], b"a\nb\n");
        assert_eq!(contents["bb"], b"");
        for bad in [
            &b"aa blob 9\nabc\n"[..],
            b"aa missing\n",
            b"aa tree 1\nx\n",
            b"x",
        ] {
            assert_eq!(split_contents(bad), None);
        }
    }
}
