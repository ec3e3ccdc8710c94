//! Metadata of a file: kind, size, times and identity.

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
            links: platform::links(metadata),
            mode: platform::mode(metadata),
            identity: platform::identity(metadata),
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
            inode: self.identity.map_or(0, |(_, inode)| inode),
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
