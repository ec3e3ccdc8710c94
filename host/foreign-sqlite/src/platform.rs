//! Differences between systems: SQLite's VFS without locks, block sharing, and hard links.

use std::ffi::CStr;
use std::io;

use camino::Utf8Path;

/// The SQLite VFS that opens files without locking them.
pub(crate) const LOCKLESS: &CStr = if cfg!(windows) {
    c"win32-none"
} else {
    c"unix-none"
};

/// Creates `target`, private, with the content of `source`, sharing its blocks (copy-on-write). Returns an error if the
/// file system does not support that; an empty `target` may then remain.
#[cfg(target_os = "linux")]
pub(crate) fn clone_file(source: &Utf8Path, target: &Utf8Path) -> io::Result<()> {
    use std::fs::File;
    use std::os::unix::fs::OpenOptionsExt;

    use rustix::fs::OFlags;

    let from = File::options()
        .read(true)
        .custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32)
        .open(source)?;
    let to = File::options()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(target)?;
    Ok(rustix::fs::ioctl_ficlone(to, from)?)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn clone_file(_source: &Utf8Path, _target: &Utf8Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Creates a hard link, on systems where a write through the first name is visible at once in the second's modification
/// time.
pub(crate) fn link_file(source: &Utf8Path, target: &Utf8Path) -> io::Result<()> {
    if cfg!(unix) {
        std::fs::hard_link(source, target)
    } else {
        Err(io::ErrorKind::Unsupported.into())
    }
}
