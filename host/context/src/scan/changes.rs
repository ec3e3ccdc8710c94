//! Where a project differs from its artifact, path by path. Contents are not compared yet.

use crate::answer::response::Skipped;
use crate::scan::node::Node;
use crate::scan::walk::Listed;

/// Where a project differs from its artifact. Contents are not compared yet.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// Known files with another stamp, or with a racy one.
    pub(crate) touched: Vec<(u32, Node)>,
    pub(crate) missing: Vec<u32>,
    pub(crate) new: Vec<NewFile>,
    /// All folders as they are now; `None` while none changed.
    pub(crate) folders: Option<FolderChanges>,
    pub(crate) skipped: Vec<Skipped>,
    /// The artifact should be written again though no content may have changed.
    pub(crate) is_outdated: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewFile {
    pub(crate) path: String,
    pub(crate) node: Node,
    pub(crate) marks: u16,
}

#[derive(Debug, Default)]
pub(crate) struct FolderChanges {
    pub(crate) stamped: Vec<(u32, Node)>,
    pub(crate) gone: Vec<u32>,
    pub(crate) new: Vec<Listed>,
}

impl Changes {
    pub(crate) fn is_clean(&self) -> bool {
        self.touched.is_empty()
            && self.missing.is_empty()
            && self.new.is_empty()
            && self.folders.is_none()
            && !self.is_outdated
    }
}

impl NewFile {
    pub(crate) fn listed(listed: Listed) -> Self {
        Self {
            path: listed.path,
            node: listed.node,
            marks: 0,
        }
    }
}
