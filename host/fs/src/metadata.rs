//! Metadata of a file: kind, size, times and identity.

use std::io;

use crate::{Stamp, platform};

/// What kind of thing has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryKind {
    File,
    Directory,
    Symlink,
    /// A fifo, socket, device, or something whose name is not UTF-8.
    Other,
}

/// What is known of a file without reading it. Describes a link, not what it points at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metadata {
    pub kind: EntryKind,
    pub bytes: u64,
    /// How many names the file has.
    pub links: u64,
    /// Permission bits, where the system has them.
    pub mode: Option<u32>,
    /// Device and inode, where the system has them.
    pub identity: Option<(u64, u64)>,
    /// When the content changed, in nanoseconds since 1970; 0 where the system does not say.
    pub modified_ns: i64,
    /// When anything about the file changed; 0 where the system does not say.
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

    /// The metadata of an entry of a listing. Windows answers for an entry from the directory, which does not
    /// know the size of a file that somebody has open for writing: the entry itself is asked if possible.
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

    /// The part that tells a changed file from an unchanged one.
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
