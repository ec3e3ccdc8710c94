//! Opens a granted folder without following links.
//!
//! A folder is granted by its path without links. A link in that path was put there since, by the agent or by whoever
//! can write beside its folder, and may lead to `~/.ssh`. On Linux the kernel refuses it while it opens the folder, and
//! the guest gets what was opened; elsewhere the path is compared just before.

use std::fs::File;

use acreta_fs::canonical;
use camino::{Utf8Path, Utf8PathBuf};

/// A folder that stays the same, whatever is put in its place.
pub(crate) struct GrantedFolder {
    path: Utf8PathBuf,
    /// Keeps `path` valid.
    _open: Option<File>,
}

impl GrantedFolder {
    pub(crate) fn open(path: &Utf8Path) -> wasmtime::Result<Self> {
        if let Some(opened) = open_without_links(path)? {
            return Ok(opened);
        }
        match canonical(path)? == path {
            true => Ok(Self {
                path: path.to_owned(),
                _open: None,
            }),
            false => Err(linked(path)),
        }
    }

    /// Returns a path that opens the folder.
    pub(crate) fn path(&self) -> &Utf8Path {
        &self.path
    }
}

/// Returns `None` if the system cannot do it.
#[cfg(target_os = "linux")]
fn open_without_links(path: &Utf8Path) -> wasmtime::Result<Option<GrantedFolder>> {
    use std::os::fd::AsRawFd;

    use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};
    use rustix::io::Errno;
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    match openat2(
        CWD,
        path.as_std_path(),
        flags,
        Mode::empty(),
        ResolveFlags::NO_SYMLINKS,
    ) {
        Ok(open) => {
            let same = Utf8PathBuf::from(format!("/proc/self/fd/{}", open.as_raw_fd()));
            Ok(same.is_dir().then_some(GrantedFolder {
                path: same,
                _open: Some(File::from(open)),
            }))
        }
        Err(Errno::LOOP) => Err(linked(path)),
        Err(_) => Ok(None),
    }
}

#[cfg(not(target_os = "linux"))]
fn open_without_links(_path: &Utf8Path) -> wasmtime::Result<Option<GrantedFolder>> {
    Ok(None)
}

fn linked(path: &Utf8Path) -> wasmtime::Error {
    wasmtime::format_err!(
        "`{path}` is reached through a link that was not there when it was granted"
    )
}
