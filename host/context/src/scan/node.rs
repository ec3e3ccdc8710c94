//! Looking at a path without opening it: its kind and its stamp, by the fastest call that the system has.

use std::io;

use acreta_fs::Stamp;
use camino::{Utf8Path, Utf8PathBuf};

/// What kind of thing lies at a path; a link is never followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    File,
    Executable,
    Symlink,
    Directory,
    Other,
}

impl Kind {
    /// Whether git would keep it as content.
    pub(crate) fn is_content(self) -> bool {
        matches!(self, Kind::File | Kind::Executable | Kind::Symlink)
    }

    pub(crate) fn to_byte(self) -> u8 {
        self as u8
    }

    pub(crate) fn from_byte(byte: u8) -> Self {
        match byte {
            0 => Kind::File,
            1 => Kind::Executable,
            2 => Kind::Symlink,
            3 => Kind::Directory,
            _ => Kind::Other,
        }
    }
}

/// What lies at a path: its kind and its stamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    pub(crate) stamp: Stamp,
}

/// An open project directory that paths are looked up from.
#[derive(Debug)]
pub(crate) struct Root {
    path: Utf8PathBuf,
    #[cfg(unix)]
    handle: std::os::fd::OwnedFd,
}

impl Root {
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

    /// The absolute form of a path beneath the project; empty for the project itself.
    pub(crate) fn absolute(&self, relative: &str) -> Utf8PathBuf {
        if relative.is_empty() {
            self.path.clone()
        } else {
            self.path.join(relative)
        }
    }

    /// Looks at a path beneath the project; `None` when nothing is there.
    pub(crate) fn node(&self, relative: &str) -> io::Result<Option<Node>> {
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

/// The stamp of any path, for files outside the project that have a say in it.
pub(crate) fn stamp_of(path: &Utf8Path) -> Option<Stamp> {
    let metadata = std::fs::symlink_metadata(path).ok()?;
    Some(Stamp::from(&metadata))
}

/// A path that is not there is no failure; one that may not be looked at is.
fn gone(cause: io::Error) -> io::Result<Option<Node>> {
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
fn from_stat(stat: &rustix::fs::Stat) -> Node {
    use acreta_fs::timespec_ns;
    use rustix::fs::FileType;
    let kind = match FileType::from_raw_mode(stat.st_mode as _) {
        FileType::RegularFile if stat.st_mode & 0o100 != 0 => Kind::Executable,
        FileType::RegularFile => Kind::File,
        FileType::Symlink => Kind::Symlink,
        FileType::Directory => Kind::Directory,
        _ => Kind::Other,
    };
    Node {
        kind,
        stamp: Stamp {
            bytes: stat.st_size as u64,
            modified_ns: timespec_ns(stat.st_mtime as i64, stat.st_mtime_nsec as i64),
            changed_ns: timespec_ns(stat.st_ctime as i64, stat.st_ctime_nsec as i64),
            inode: stat.st_ino as u64,
        },
    }
}

pub(crate) fn from_metadata(metadata: &std::fs::Metadata) -> Node {
    let kind = if metadata.is_symlink() {
        Kind::Symlink
    } else if metadata.is_dir() {
        Kind::Directory
    } else if metadata.is_file() && is_executable(metadata) {
        Kind::Executable
    } else if metadata.is_file() {
        Kind::File
    } else {
        Kind::Other
    };
    Node {
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
