//! Differences between a project and its artifact, by path. Contents are not compared yet.

use crate::answer::response::Skipped;
use crate::scan::node::PathNode;
use crate::scan::walk::ListedPath;

/// Differences between a project and its artifact. Contents are not compared yet.
#[derive(Debug, Default)]
pub(crate) struct PathChanges {
    /// Known files with a different or a racy stamp.
    pub(crate) touched: Vec<(u32, PathNode)>,
    pub(crate) missing: Vec<u32>,
    pub(crate) new: Vec<NewFile>,
    /// All current folders; `None` if no folder changed.
    pub(crate) folders: Option<FolderChanges>,
    pub(crate) skipped: Vec<Skipped>,
    /// The artifact has to be rewritten even if no content changed.
    pub(crate) is_outdated: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewFile {
    pub(crate) path: String,
    pub(crate) node: PathNode,
    pub(crate) marks: u16,
}

#[derive(Debug, Default)]
pub(crate) struct FolderChanges {
    pub(crate) stamped: Vec<(u32, PathNode)>,
    pub(crate) gone: Vec<u32>,
    pub(crate) new: Vec<ListedPath>,
}

impl PathChanges {
    pub(crate) fn is_clean(&self) -> bool {
        self.touched.is_empty()
            && self.missing.is_empty()
            && self.new.is_empty()
            && self.folders.is_none()
            && !self.is_outdated
    }
}

impl NewFile {
    pub(crate) fn listed(listed: ListedPath) -> Self {
        Self {
            path: listed.path,
            node: listed.node,
            marks: 0,
        }
    }
}
