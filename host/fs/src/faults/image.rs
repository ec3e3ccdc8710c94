//! A directory tree as a value: read from disk, compared, written back.

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
    /// Reads the tree beneath `root`. Anything but files and directories is an error: images are of trees that tests
    /// created.
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

    /// Writes the tree beneath `root`, which must exist and be empty.
    pub fn write(&self, root: &Utf8Path) -> Result<(), FsError> {
        let directory = Directory::open(root, NoFaults::shared())?;
        // Parents sort before their children.
        for (path, node) in &self.nodes {
            match node {
                Node::Directory => directory.create_dir(path)?,
                Node::File(bytes) => directory.append(path, bytes)?,
            }
        }
        Ok(())
    }

    /// Returns the content of a file.
    pub fn file(&self, path: impl AsRef<Utf8Path>) -> Option<&[u8]> {
        match self.nodes.get(path.as_ref()) {
            Some(Node::File(bytes)) => Some(bytes),
            _ => None,
        }
    }

    /// Returns files only, for comparing trees regardless of empty directories.
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
