//! What differs between systems: SQLite's way without locks, sharing the blocks of a file, and
//! whether a file can be read under a second name.

use std::ffi::CStr;
use std::io;

use camino::Utf8Path;

/// The part of SQLite that opens files and locks none of them.
pub(crate) const LOCKLESS: &CStr = if cfg!(windows) {
    c"win32-none"
} else {
    c"unix-none"
};

/// Makes `target`, private, with the content of `source`, sharing its blocks until one of the two
/// changes. An error where the file system cannot do that; `target` may then be there, empty.
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

/// Gives a file a second name, where a write through the first name shows at once in the time of
/// the second.
pub(crate) fn link_file(source: &Utf8Path, target: &Utf8Path) -> io::Result<()> {
    if cfg!(unix) {
        std::fs::hard_link(source, target)
    } else {
        Err(io::ErrorKind::Unsupported.into())
    }
}
