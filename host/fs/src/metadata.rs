//! Metadata of a file: kind, size, times and identity.

use std::io;

use crate::{Stamp, platform};

/// File type of a directory entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryKind {
    File,
    Directory,
    Symlink,
    /// A fifo, socket, device, or something whose name is not UTF-8.
    Other,
}

/// Metadata of a file. Describes a link itself, not its target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metadata {
    pub kind: EntryKind,
    pub bytes: u64,
    /// Number of hard links.
    pub links: u64,
    /// Permission bits, if the system has them.
    pub mode: Option<u32>,
    /// Device and inode, if the system has them.
    pub identity: Option<(u64, u64)>,
    /// Modification time in nanoseconds since 1970; 0 if unknown.
    pub modified_ns: i64,
    /// Time of the last change to content or metadata; 0 if unknown.
    pub changed_ns: i64,
}

impl Metadata {
    pub(crate) fn new(metadata: &cap_std::fs::Metadata) -> Self {
        Self {
            links: platform::links(metadata),
            identity: platform::identity(metadata),
            ..Self::partial(metadata)
        }
    }

    /// Returns the metadata of a listed entry. The Windows directory listing does not have the current size of a file
    /// that is open for writing, so the entry itself is queried if possible.
    pub(crate) fn of_entry(entry: &cap_std::fs::DirEntry) -> io::Result<Self> {
        match platform::entry_metadata(entry) {
            Ok(metadata) => Ok(Self::new(&metadata)),
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => Err(cause),
            Err(_) => Ok(Self::partial(&entry.metadata()?)),
        }
    }

    /// Without link count and identity.
    fn partial(metadata: &cap_std::fs::Metadata) -> Self {
        let kind = if metadata.is_symlink() {
            EntryKind::Symlink
        } else if metadata.is_file() {
            EntryKind::File
        } else if metadata.is_dir() {
            EntryKind::Directory
        } else {
            EntryKind::Other
        };
        let (modified_ns, changed_ns) = platform::times(metadata);
        Self {
            kind,
            bytes: metadata.len(),
            links: 1,
            mode: platform::mode(metadata),
            identity: None,
            modified_ns,
            changed_ns,
        }
    }

    /// Returns the part that distinguishes a changed file from an unchanged one.
    pub fn stamp(&self) -> Stamp {
        Stamp {
            bytes: self.bytes,
            modified_ns: self.modified_ns,
            changed_ns: self.changed_ns,
            inode: platform::inode(self.identity),
        }
    }
}

impl std::fmt::Display for EntryKind {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            EntryKind::File => "regular file",
            EntryKind::Directory => "directory",
            EntryKind::Symlink => "symbolic link",
            EntryKind::Other => "special file",
        })
    }
}
