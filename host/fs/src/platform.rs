//! Differences between systems: open flags, modes, link counts, identities and times of files. No other module checks
//! the system.

use std::io;

use camino::Utf8Path;
use cap_std::fs::{Dir, DirBuilder, DirEntry, Metadata, OpenOptions};

/// Returns options for reading a file without following links or blocking.
pub(crate) fn reading() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    no_follow(&mut options);
    options
}

/// Opens a directory without following a link, for listing or syncing.
pub(crate) fn open_directory(parent: &Dir, path: &Utf8Path) -> io::Result<Dir> {
    #[cfg(unix)]
    {
        use cap_std::fs::OpenOptionsExt;
        use rustix::fs::OFlags;
        let mut options = reading();
        options
            .custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::DIRECTORY).bits() as i32);
        let file = parent.open_with(path, &options)?;
        Ok(Dir::from_std_file(file.into_std()))
    }
    #[cfg(windows)]
    {
        use cap_fs_ext::DirExt;
        match path.as_str() {
            "." => parent.open_dir(path),
            _ => parent.open_dir_nofollow(path),
        }
    }
}

/// Returns options for writing; the caller adds create, append or truncate.
pub(crate) fn writing(mode: u32) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    no_follow(&mut options);
    #[cfg(unix)]
    {
        use cap_std::fs::OpenOptionsExt;
        options.mode(mode);
    }
    #[cfg(not(unix))]
    let _ = mode;
    options
}

pub(crate) fn directory_builder(mode: u32) -> DirBuilder {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only unix sets a mode"))]
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    {
        use cap_std::fs::DirBuilderExt;
        builder.mode(mode);
    }
    #[cfg(not(unix))]
    let _ = mode;
    builder
}

/// Returns the number of hard links. On Windows, as for [`identity`], this requires metadata of an open file.
pub(crate) fn links(metadata: &Metadata) -> u64 {
    #[cfg(unix)]
    {
        use cap_std::fs::MetadataExt;
        metadata.nlink()
    }
    #[cfg(windows)]
    cap_fs_ext::MetadataExt::nlink(metadata)
}

/// Returns device and file number, which identify a file.
pub(crate) fn identity(metadata: &Metadata) -> Option<(u64, u64)> {
    #[cfg(unix)]
    {
        use cap_std::fs::MetadataExt;
        Some((metadata.dev(), metadata.ino()))
    }
    #[cfg(windows)]
    {
        use cap_fs_ext::MetadataExt;
        Some((metadata.dev(), metadata.ino()))
    }
}

/// Returns the file number for a [`crate::Stamp`]. Windows reports it only for an open file, but stamps are also taken
/// of others: there it is 0.
pub(crate) fn inode(identity: Option<(u64, u64)>) -> u64 {
    match identity {
        Some((_, inode)) if cfg!(unix) => inode,
        _ => 0,
    }
}

/// Returns all metadata of a directory entry, without following a link.
pub(crate) fn entry_metadata(entry: &DirEntry) -> io::Result<Metadata> {
    #[cfg(unix)]
    return entry.metadata();
    #[cfg(windows)]
    cap_fs_ext::DirEntryExt::full_metadata(entry)
}

/// Renames within a directory, atomically replacing a file at `to`.
pub(crate) fn rename(directory: &Dir, from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
    let rename = || directory.rename(from, directory, to);
    if cfg!(unix) {
        return rename();
    }
    // A scanner, an indexer or a reader that does not share deletion may hold a file briefly.
    retried(rename, std::thread::sleep)
}

/// Retries an action while another program holds the file, for about a second.
fn retried(
    mut action: impl FnMut() -> io::Result<()>,
    mut sleep: impl FnMut(std::time::Duration),
) -> io::Result<()> {
    const WAITS_MS: [u64; 8] = [1, 5, 10, 25, 50, 100, 300, 500];
    for wait_ms in WAITS_MS {
        match action() {
            Err(cause) if is_held(&cause) => sleep(std::time::Duration::from_millis(wait_ms)),
            other => return other,
        }
    }
    action()
}

/// Reports whether a Windows error means that another program has the file open.
fn is_held(cause: &io::Error) -> bool {
    const ACCESS_DENIED: i32 = 5;
    const SHARING_VIOLATION: i32 = 32;
    const LOCK_VIOLATION: i32 = 33;
    matches!(
        cause.raw_os_error(),
        Some(ACCESS_DENIED | SHARING_VIOLATION | LOCK_VIOLATION)
    )
}

/// Returns times of modification and of any change, in nanoseconds since 1970; 0 if unknown.
pub(crate) fn times(metadata: &Metadata) -> (i64, i64) {
    #[cfg(unix)]
    {
        use crate::timespec_ns;
        use cap_std::fs::MetadataExt;
        (
            timespec_ns(metadata.mtime(), metadata.mtime_nsec()),
            timespec_ns(metadata.ctime(), metadata.ctime_nsec()),
        )
    }
    #[cfg(not(unix))]
    {
        let modified = metadata.modified().map(cap_std::time::SystemTime::into_std);
        (modified.map_or(0, crate::unix_ns), 0)
    }
}

/// Returns permission bits; `None` if the system has none.
pub(crate) fn mode(metadata: &Metadata) -> Option<u32> {
    #[cfg(unix)]
    {
        use cap_std::fs::MetadataExt;
        Some(metadata.mode() & 0o777)
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        None
    }
}

/// Sets permission bits of something that is not a link; no-op if the system has none.
pub(crate) fn set_mode(directory: &Dir, path: &Utf8Path, mode: u32) -> io::Result<()> {
    #[cfg(unix)]
    {
        use cap_std::fs::PermissionsExt;
        directory.set_permissions(path, cap_std::fs::Permissions::from_mode(mode))
    }
    #[cfg(not(unix))]
    {
        let _ = (directory, path, mode);
        Ok(())
    }
}

/// Syncs a directory if the system supports it; others order directory changes themselves.
pub(crate) fn sync_directory(directory: &std::fs::File) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    match directory.sync_all() {
        // Some network and shared file systems do not support it.
        Err(cause)
            if matches!(
                cause.kind(),
                io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported
            ) =>
        {
            Ok(())
        }
        other => other,
    }
}

fn no_follow(options: &mut OpenOptions) {
    #[cfg(unix)]
    {
        use cap_std::fs::OpenOptionsExt;
        use rustix::fs::OFlags;
        options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32);
    }
    #[cfg(windows)]
    {
        use cap_fs_ext::OpenOptionsFollowExt;
        options.follow(cap_fs_ext::FollowSymlinks::No);
    }
}

/// Reports whether a process runs, of whatever user. Where the system cannot be asked it may.
pub(crate) fn is_running(process: u32) -> bool {
    #[cfg(unix)]
    {
        let process = i32::try_from(process).ok();
        let Some(process) = process.and_then(rustix::process::Pid::from_raw) else {
            return false;
        };
        rustix::process::test_kill_process(process) != Err(rustix::io::Errno::SRCH)
    }
    #[cfg(not(unix))]
    {
        let _ = process;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_held_file_is_tried_again() {
        // Failures before success, the error code, calls made, whether it succeeds.
        let table = [
            (0, 5, 1, true),
            (3, 32, 4, true),
            (99, 5, 9, false),
            (99, 2, 1, false),
        ];
        for (failures, code, expected_calls, succeeds) in table {
            let (mut calls, mut slept_ms) = (0, 0);
            let action = || {
                calls += 1;
                match calls > failures {
                    true => Ok(()),
                    false => Err(io::Error::from_raw_os_error(code)),
                }
            };
            let done = retried(action, |pause| slept_ms += pause.as_millis());
            assert_eq!((calls, done.is_ok()), (expected_calls, succeeds), "{code}");
            assert!(slept_ms < 1_500);
        }
    }
}
