//! What differs between systems: open flags, modes, link counts, identities and times of files.
//! Elsewhere nothing asks which system it is on.

use std::io;

use camino::Utf8Path;
use cap_std::fs::{Dir, DirBuilder, Metadata, OpenOptions};

/// Options for reading a file that must not be a link and must not block.
pub(crate) fn reading() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    no_follow(&mut options);
    options
}

/// Options for reading the entries of a directory that must not be a link, or for syncing it.
pub(crate) fn reading_directory() -> OpenOptions {
    let mut options = reading();
    #[cfg(unix)]
    {
        use cap_std::fs::OpenOptionsExt;
        use rustix::fs::OFlags;
        options
            .custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::DIRECTORY).bits() as i32);
    }
    options
}

/// Options for writing; the caller says whether to create, append or truncate.
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

/// How many names a file has; one where that cannot be known.
pub(crate) fn links(metadata: &Metadata) -> u64 {
    #[cfg(unix)]
    {
        use cap_std::fs::MetadataExt;
        metadata.nlink()
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        1
    }
}

/// Device and number of a file; equal for two descriptions of the same file.
pub(crate) fn identity(metadata: &Metadata) -> Option<(u64, u64)> {
    #[cfg(unix)]
    {
        use cap_std::fs::MetadataExt;
        Some((metadata.dev(), metadata.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        None
    }
}

/// When the content and when anything changed, in nanoseconds since 1970; 0 where the system does not say.
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

/// Permission bits; `None` where there are none.
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

/// Sets the permission bits of something that is not a link; nothing where there are none.
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

/// Syncs a directory where that can be done; elsewhere the system orders its changes itself.
pub(crate) fn sync_directory(directory: &std::fs::File) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    match directory.sync_all() {
        // Some network and shared file systems have no such operation.
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
    #[cfg(not(unix))]
    let _ = options;
}
