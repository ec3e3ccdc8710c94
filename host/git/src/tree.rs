//! Trees of commits: their files, and differences between two. Names that are invalid in a work tree (`..`, `.git`,
//! containing `/`) are omitted; depth and number of entries are bounded.

use std::ops::ControlFlow;
use std::rc::Rc;

use gix_diff::tree::visit::Change;
use gix_hash::ObjectId;
use gix_object::TreeRefIter;
use gix_object::tree::{EntryKind, EntryMode};

use crate::GitError;
use crate::limits::{COMMIT_ENTRIES, DEPTH, PATH_BYTES, TREE_ENTRIES};
use crate::objects::Objects;

/// A file, link or submodule of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeFile {
    /// From the root of the repository.
    pub path: String,
    pub(crate) mode: EntryMode,
    pub(crate) id: ObjectId,
}

/// Returns the tree of a commit.
pub(crate) fn tree_of(objects: &Objects, commit: &ObjectId) -> Result<ObjectId, GitError> {
    objects
        .commit(commit, |mut commit| commit.tree_id())?
        .map_err(|_| objects.damaged(commit, "names no tree"))
}

/// Returns the tree of a folder beneath a tree; the folder is empty or ends with `/`.
pub(crate) fn beneath(
    objects: &Objects,
    tree: ObjectId,
    folder: &str,
) -> Result<Option<ObjectId>, GitError> {
    let mut tree = tree;
    for part in folder.split('/').filter(|part| !part.is_empty()) {
        let bytes = objects.tree(&tree)?;
        let found = entries(&bytes, objects)
            .find(|entry| entry.filename == part && entry.mode.is_tree())
            .map(|entry| entry.oid.to_owned());
        match found {
            Some(found) => tree = found,
            None => return Ok(None),
        }
    }
    Ok(Some(tree))
}

/// Returns all files beneath a tree, sorted by path and prefixed with `prefix`.
pub(crate) fn files(
    objects: &Objects,
    tree: ObjectId,
    prefix: &str,
) -> Result<Vec<TreeFile>, GitError> {
    let mut found = Vec::new();
    let mut seen = 0;
    let mut open = vec![(prefix.to_owned(), tree, 0)];
    while let Some((folder, tree, depth)) = open.pop() {
        let bytes = objects.tree(&tree)?;
        for entry in entries(&bytes, objects) {
            seen += 1;
            if seen > TREE_ENTRIES {
                return Err(GitError::too_large(objects.folder(), "entries of a tree"));
            }
            let Some(name) = name(entry.filename) else {
                continue;
            };
            let path = format!("{folder}{name}");
            if path.len() > PATH_BYTES {
                continue;
            }
            if !entry.mode.is_tree() {
                found.push(TreeFile {
                    path,
                    mode: entry.mode,
                    id: entry.oid.to_owned(),
                });
            } else if depth < DEPTH {
                open.push((format!("{path}/"), entry.oid.to_owned(), depth + 1));
            } else {
                return Err(GitError::too_large(objects.folder(), "depth of a tree"));
            }
        }
    }
    found.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(found)
}

/// Returns the content of files beneath a tree: those that `takes` names, in folders that `enters` names.
pub(crate) fn texts(
    objects: &Objects,
    tree: ObjectId,
    enters: &dyn Fn(&str) -> bool,
    takes: &dyn Fn(&str) -> bool,
    most: usize,
) -> Result<Vec<(String, Vec<u8>)>, GitError> {
    let mut found = Vec::new();
    let mut seen = 0;
    let mut open = vec![(String::new(), tree, 0)];
    while let Some((folder, tree, depth)) = open.pop() {
        let bytes = objects.tree(&tree)?;
        for entry in entries(&bytes, objects) {
            seen += 1;
            if seen > COMMIT_ENTRIES || depth > DEPTH {
                return Err(GitError::too_large(objects.folder(), "entries of a tree"));
            }
            let Some(name) = name(entry.filename) else {
                continue;
            };
            let path = format!("{folder}{name}");
            if entry.mode.is_tree() && enters(&path) {
                open.push((format!("{path}/"), entry.oid.to_owned(), depth + 1));
            } else if entry.mode.is_blob() && takes(&path) {
                let mut content = Vec::new();
                if objects.find(entry.oid, &mut content)?.is_some() {
                    content.truncate(most);
                    found.push((path, content));
                }
            }
        }
    }
    Ok(found)
}

fn entries<'a>(
    bytes: &'a Rc<[u8]>,
    objects: &Objects,
) -> impl Iterator<Item = gix_object::tree::EntryRef<'a>> {
    TreeRefIter::from_bytes(bytes, objects.hash).map_while(Result::ok)
}

/// Change of a path between two trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TreeDifference {
    Added,
    Removed,
    Modified,
}

/// Compares two trees (`None` is an empty tree), visiting at most `most` entries. Calls `tell` with each path; if
/// `tell` ends the comparison, returns `false`.
pub(crate) fn compare(
    objects: &Objects,
    state: &mut gix_diff::tree::State,
    trees: (Option<ObjectId>, Option<ObjectId>),
    most: usize,
    tell: &mut dyn FnMut(&str, TreeDifference) -> ControlFlow<()>,
) -> Result<bool, GitError> {
    let bytes = |tree: Option<ObjectId>| match tree {
        Some(tree) => objects.tree(&tree),
        None => Ok(Rc::from([])),
    };
    let (from, to) = (bytes(trees.0)?, bytes(trees.1)?);
    let mut visit = Visit {
        tell,
        path: Vec::new(),
        lengths: Vec::new(),
        most,
        queue: std::collections::VecDeque::new(),
        seen: 0,
        limit: None,
    };
    let done = gix_diff::tree(
        TreeRefIter::from_bytes(&from, objects.hash),
        TreeRefIter::from_bytes(&to, objects.hash),
        state,
        objects,
        &mut visit,
    );
    match (done, visit.limit) {
        (_, Some(what)) => Err(GitError::too_large(objects.folder(), what)),
        (Ok(()), None) => Ok(true),
        (Err(gix_diff::tree::Error::Cancelled), None) => Ok(false),
        (Err(gix_diff::tree::Error::Failure(error)), None) => {
            Err(GitError::damaged(objects.folder(), error))
        }
    }
}

/// State of a comparison: current path, depth, and number of entries visited.
struct Visit<'a> {
    tell: &'a mut dyn FnMut(&str, TreeDifference) -> ControlFlow<()>,
    path: Vec<u8>,
    /// Lengths of the path before each component was added.
    lengths: Vec<usize>,
    queue: std::collections::VecDeque<Vec<u8>>,
    seen: usize,
    most: usize,
    limit: Option<&'static str>,
}

impl Visit<'_> {
    fn push(&mut self, part: &[u8]) {
        self.lengths.push(self.path.len());
        if !self.path.is_empty() {
            self.path.push(b'/');
        }
        self.path.extend_from_slice(part);
    }

    fn pop(&mut self) {
        // A name may contain `/`, so the last component cannot be found by searching.
        self.path.truncate(self.lengths.pop().unwrap_or(0));
    }

    fn stop(&mut self, what: &'static str) -> ControlFlow<()> {
        self.limit = Some(what);
        ControlFlow::Break(())
    }
}

impl gix_diff::tree::Visit for Visit<'_> {
    fn pop_front_tracked_path_and_set_current(&mut self) {
        self.path = self.queue.pop_front().unwrap_or_default();
        self.lengths.clear();
    }

    fn push_back_tracked_path_component(&mut self, component: &gix_object::bstr::BStr) {
        self.push(component);
        self.queue.push_back(self.path.clone());
    }

    fn push_path_component(&mut self, component: &gix_object::bstr::BStr) {
        self.push(component);
    }

    fn pop_path_component(&mut self) {
        self.pop();
    }

    fn visit(&mut self, change: Change) -> ControlFlow<()> {
        self.seen += 1;
        if self.seen > self.most {
            return self.stop("entries of a tree");
        }
        let (difference, modes) = match change {
            Change::Addition { entry_mode, .. } => (TreeDifference::Added, [entry_mode; 2]),
            Change::Deletion { entry_mode, .. } => (TreeDifference::Removed, [entry_mode; 2]),
            Change::Modification {
                previous_entry_mode,
                entry_mode,
                ..
            } => (TreeDifference::Modified, [previous_entry_mode, entry_mode]),
        };
        if modes.iter().any(EntryMode::is_tree) {
            let depth = self.path.iter().filter(|byte| **byte == b'/').count();
            if depth >= DEPTH || self.path.len() > DEPTH * PATH_BYTES {
                return self.stop("depth of a tree");
            }
            return ControlFlow::Continue(());
        }
        match path(&self.path) {
            Some(path) => (self.tell)(path, difference),
            None => ControlFlow::Continue(()),
        }
    }
}

/// Returns the path if every component is valid in a work tree.
pub(crate) fn path(bytes: &[u8]) -> Option<&str> {
    if bytes.is_empty() || bytes.len() > PATH_BYTES {
        return None;
    }
    let path = std::str::from_utf8(bytes).ok()?;
    path.split('/')
        .all(|part| name(part.as_bytes()).is_some())
        .then_some(path)
}

/// Returns the name of an entry if it is valid in a work tree.
fn name(bytes: &[u8]) -> Option<&str> {
    let name = std::str::from_utf8(bytes).ok()?;
    let is_odd = name.is_empty()
        || name == "."
        || name == ".."
        || name.eq_ignore_ascii_case(".git")
        || name.contains(['/', '\0'])
        || (cfg!(windows) && name.contains(['\\', ':']));
    (!is_odd).then_some(name)
}

/// Reports whether git stores it as a plain file.
pub(crate) fn is_blob(mode: EntryMode) -> bool {
    matches!(mode.kind(), EntryKind::Blob | EntryKind::BlobExecutable)
}
