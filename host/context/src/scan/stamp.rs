//! What the file system says about a path without opening it. Two equal stamps mean that the
//! content is the same, unless the stamp is racy: taken in the tick of the clock it names.

use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

/// What kind of thing lies at a path; a link is never followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stamp {
    pub(crate) kind: Kind,
    pub(crate) bytes: u64,
    pub(crate) modified_ns: i64,
    /// When anything about it changed; 0 where the system does not say.
    pub(crate) changed_ns: i64,
    /// 0 where the system has none.
    pub(crate) inode: u64,
}

impl Stamp {
    /// Whether the content could change once more without the stamp showing it: git's racy rule.
    ///
    /// `looked_ns` is when looking began. A clock tick is 10 ms at most where stamps have a
    /// fraction, and two seconds where they are whole.
    pub(crate) fn is_racy(&self, looked_ns: i64) -> bool {
        let latest = if self.changed_ns != 0 {
            self.changed_ns
        } else {
            self.modified_ns
        };
        let tick = if latest % 1_000_000_000 == 0 {
            2_000_000_000
        } else {
            20_000_000
        };
        latest >= looked_ns.saturating_sub(tick)
    }
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

    /// The stamp of a path beneath the project; `None` when nothing is there.
    pub(crate) fn stamp(&self, relative: &str) -> io::Result<Option<Stamp>> {
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
    std::fs::symlink_metadata(path)
        .ok()
        .map(|metadata| from_metadata(&metadata))
}

/// A path that is not there is no failure; one that may not be looked at is.
fn gone(cause: io::Error) -> io::Result<Option<Stamp>> {
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
fn from_stat(stat: &rustix::fs::Stat) -> Stamp {
    use rustix::fs::FileType;
    let kind = match FileType::from_raw_mode(stat.st_mode as _) {
        FileType::RegularFile if stat.st_mode & 0o100 != 0 => Kind::Executable,
        FileType::RegularFile => Kind::File,
        FileType::Symlink => Kind::Symlink,
        FileType::Directory => Kind::Directory,
        _ => Kind::Other,
    };
    Stamp {
        kind,
        bytes: stat.st_size as u64,
        modified_ns: nanoseconds(stat.st_mtime as i64, stat.st_mtime_nsec as i64),
        changed_ns: nanoseconds(stat.st_ctime as i64, stat.st_ctime_nsec as i64),
        inode: stat.st_ino as u64,
    }
}

#[cfg(unix)]
pub(crate) fn from_metadata(metadata: &std::fs::Metadata) -> Stamp {
    use std::os::unix::fs::MetadataExt;
    let file_type = metadata.file_type();
    let kind = if file_type.is_symlink() {
        Kind::Symlink
    } else if file_type.is_dir() {
        Kind::Directory
    } else if file_type.is_file() && metadata.mode() & 0o100 != 0 {
        Kind::Executable
    } else if file_type.is_file() {
        Kind::File
    } else {
        Kind::Other
    };
    Stamp {
        kind,
        bytes: metadata.len(),
        modified_ns: nanoseconds(metadata.mtime(), metadata.mtime_nsec()),
        changed_ns: nanoseconds(metadata.ctime(), metadata.ctime_nsec()),
        inode: metadata.ino(),
    }
}

#[cfg(unix)]
fn nanoseconds(seconds: i64, fraction: i64) -> i64 {
    seconds
        .saturating_mul(1_000_000_000)
        .saturating_add(fraction)
}

#[cfg(not(unix))]
pub(crate) fn from_metadata(metadata: &std::fs::Metadata) -> Stamp {
    let kind = if metadata.is_symlink() {
        Kind::Symlink
    } else if metadata.is_dir() {
        Kind::Directory
    } else if metadata.is_file() {
        Kind::File
    } else {
        Kind::Other
    };
    let modified_ns = metadata.modified().map_or(0, crate::options::unix_ns);
    Stamp {
        kind,
        bytes: metadata.len(),
        modified_ns,
        changed_ns: 0,
        inode: 0,
    }
}
