//! Stats a path without opening it: its kind and stamp, by the fastest call the system has.

use std::io;

use acreta_fs::Stamp;
use camino::{Utf8Path, Utf8PathBuf};

/// File type of a path; links are never followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum NodeKind {
    File,
    Executable,
    Symlink,
    Directory,
    Other,
}

impl NodeKind {
    /// Reports whether git would store it as content.
    pub(crate) fn is_content(self) -> bool {
        matches!(
            self,
            NodeKind::File | NodeKind::Executable | NodeKind::Symlink
        )
    }

    pub(crate) fn to_byte(self) -> u8 {
        self as u8
    }

    pub(crate) fn from_byte(byte: u8) -> Self {
        match byte {
            0 => NodeKind::File,
            1 => NodeKind::Executable,
            2 => NodeKind::Symlink,
            3 => NodeKind::Directory,
            _ => NodeKind::Other,
        }
    }
}

/// File type and stamp of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PathNode {
    pub(crate) kind: NodeKind,
    pub(crate) stamp: Stamp,
}

/// An open project directory; paths are resolved relative to it.
#[derive(Debug)]
pub(crate) struct ScanRoot {
    path: Utf8PathBuf,
    #[cfg(unix)]
    handle: std::os::fd::OwnedFd,
}

impl ScanRoot {
    pub(crate) fn open(path: &Utf8Path) -> io::Result<Self> {
        #[cfg(unix)]
        {
            use rustix::fs::{Mode, OFlags};
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
            let handle = rustix::fs::open(path.as_std_path(), flags, Mode::empty())?;
            Ok(Self {
                path: path.to_owned(),
                handle,
            })
        }
        #[cfg(not(unix))]
        Ok(Self {
            path: path.to_owned(),
        })
    }

    pub(crate) fn path(&self) -> &Utf8Path {
        &self.path
    }

    /// Returns the absolute form of a path beneath the project; empty means the project itself.
    pub(crate) fn absolute(&self, relative: &str) -> Utf8PathBuf {
        if relative.is_empty() {
            self.path.clone()
        } else {
            self.path.join(relative)
        }
    }

    /// Stats a path beneath the project; returns `None` if nothing is there.
    pub(crate) fn node(&self, relative: &str) -> io::Result<Option<PathNode>> {
        let relative = if relative.is_empty() { "." } else { relative };
        #[cfg(unix)]
        {
            use rustix::fs::{AtFlags, statat};
            match statat(&self.handle, relative, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) => Ok(Some(from_stat(&stat))),
                Err(cause) => gone(cause.into()),
            }
        }
        #[cfg(not(unix))]
        match std::fs::symlink_metadata(self.path.join(relative)) {
            Ok(metadata) => Ok(Some(from_metadata(&metadata))),
            Err(cause) => gone(cause),
        }
    }
}

/// Returns the stamp of any path, for ignore files outside the project.
pub(crate) fn stamp_of(path: &Utf8Path) -> Option<Stamp> {
    let metadata = std::fs::symlink_metadata(path).ok()?;
    Some(Stamp::from(&metadata))
}

/// Maps a missing path to `None`; other errors remain errors.
fn gone(cause: io::Error) -> io::Result<Option<PathNode>> {
    match cause.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Ok(None),
        _ => Err(cause),
    }
}

#[cfg(unix)]
#[expect(
    clippy::unnecessary_cast,
    reason = "the width of these fields differs between systems"
)]
fn from_stat(stat: &rustix::fs::Stat) -> PathNode {
    use acreta_fs::timespec_ns;
    use rustix::fs::FileType;
    let kind = match FileType::from_raw_mode(stat.st_mode as _) {
        FileType::RegularFile if stat.st_mode & 0o100 != 0 => NodeKind::Executable,
        FileType::RegularFile => NodeKind::File,
        FileType::Symlink => NodeKind::Symlink,
        FileType::Directory => NodeKind::Directory,
        _ => NodeKind::Other,
    };
    PathNode {
        kind,
        stamp: Stamp {
            bytes: stat.st_size as u64,
            modified_ns: timespec_ns(stat.st_mtime as i64, stat.st_mtime_nsec as i64),
            changed_ns: timespec_ns(stat.st_ctime as i64, stat.st_ctime_nsec as i64),
            inode: stat.st_ino as u64,
        },
    }
}

pub(crate) fn from_metadata(metadata: &std::fs::Metadata) -> PathNode {
    let kind = if metadata.is_symlink() {
        NodeKind::Symlink
    } else if metadata.is_dir() {
        NodeKind::Directory
    } else if metadata.is_file() && is_executable(metadata) {
        NodeKind::Executable
    } else if metadata.is_file() {
        NodeKind::File
    } else {
        NodeKind::Other
    };
    PathNode {
        kind,
        stamp: Stamp::from(metadata),
    }
}

#[cfg(unix)]
fn is_executable(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    metadata.mode() & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(_metadata: &std::fs::Metadata) -> bool {
    false
}
