//! A whole tree as a value: read from disk, compared, written to disk again.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};

use crate::NoFaults;
use crate::{Directory, EntryKind, FsError, Limits};

/// Every directory and regular file beneath a root, by relative path.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Image {
    pub nodes: BTreeMap<Utf8PathBuf, Node>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Node {
    Directory,
    File(Vec<u8>),
}

impl Image {
    /// What lies beneath `root`. Anything but files and directories is an error: images are of
    /// trees that tests made.
    pub fn read(root: &Utf8Path) -> Result<Self, FsError> {
        let directory = Directory::open(root, NoFaults::shared())?;
        let everything = Limits {
            files: u64::MAX,
            bytes: u64::MAX,
            depth: u64::MAX,
        };
        let mut nodes = BTreeMap::new();
        for entry in directory.walk(".", everything)? {
            let node = match entry.metadata.kind {
                EntryKind::Directory => Node::Directory,
                _ => Node::File(directory.read(&entry.path, u64::MAX)?),
            };
            nodes.insert(entry.path, node);
        }
        Ok(Self { nodes })
    }

    /// Makes the tree beneath `root`, which must exist and be empty.
    pub fn write(&self, root: &Utf8Path) -> Result<(), FsError> {
        let directory = Directory::open(root, NoFaults::shared())?;
        // Parents sort before what is in them.
        for (path, node) in &self.nodes {
            match node {
                Node::Directory => directory.create_dir(path)?,
                Node::File(bytes) => directory.append(path, bytes)?,
            }
        }
        Ok(())
    }

    /// The content of a file.
    pub fn file(&self, path: impl AsRef<Utf8Path>) -> Option<&[u8]> {
        match self.nodes.get(path.as_ref()) {
            Some(Node::File(bytes)) => Some(bytes),
            _ => None,
        }
    }

    /// Files only, for comparing trees whose empty directories do not matter.
    pub fn files(&self) -> BTreeMap<&Utf8Path, &[u8]> {
        self.nodes
            .iter()
            .filter_map(|(path, node)| match node {
                Node::File(bytes) => Some((path.as_path(), bytes.as_slice())),
                Node::Directory => None,
            })
            .collect()
    }
}
