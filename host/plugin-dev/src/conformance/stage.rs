//! Files that a guest may see: copies in a fresh folder, all with the same time, so that neither path nor age of the
//! originals can affect a result.

use std::time::{Duration, SystemTime};

use acreta_fs::{Directory, EntryKind, FsError, Limits, OperationKind, Scratch};
use acreta_types::Preopen;
use camino::{Utf8Path, Utf8PathBuf};

use crate::conformance::bench::NOW_MS;

/// A folder that a guest sees as `/<name>`; deleted on drop.
pub(crate) struct Staged {
    folder: Scratch,
    pub(crate) roots: [Preopen; 1],
}

/// Names of folders with copies, and of folders to write into.
pub(crate) const STAGED: &str = "staged";
pub(crate) const DRAFT: &str = "draft";

/// Limits of a case's files.
pub(crate) const CASE_LIMITS: Limits = Limits {
    files: 10_000,
    bytes: 256 * 1024 * 1024,
    depth: 16,
};

impl Staged {
    pub(crate) fn empty(scratch: &Directory, name: &str) -> Result<Self, FsError> {
        let folder = acreta_fs::scratch(scratch, STAGED)?;
        let roots = [Preopen {
            host: acreta_fs::canonical(folder.path())?,
            guest: format!("/{name}"),
        }];
        Ok(Self { folder, roots })
    }

    /// Copies every regular file in `source`.
    pub(crate) fn copy_of(
        scratch: &Directory,
        name: &str,
        source: &Directory,
    ) -> Result<Self, FsError> {
        let staged = Self::empty(scratch, name)?;
        for path in files(source, ".")? {
            staged.write(&path, &source.read(&path, CASE_LIMITS.bytes)?)?;
        }
        Ok(staged)
    }

    /// Creates or replaces a file.
    pub(crate) fn write(&self, relative: &Utf8Path, bytes: &[u8]) -> Result<(), FsError> {
        let directory = self.folder.directory();
        // Temporary copies need no sync, so the folders are created one by one.
        let mut above: Vec<_> = relative.ancestors().skip(1).collect();
        above.pop();
        for folder in above.into_iter().rev() {
            if !directory.exists(folder)? {
                directory.create_dir(folder)?;
            }
        }
        directory.replace_unsynced(relative, bytes)?;
        self.fix_time(relative)
    }

    pub(crate) fn path(&self) -> &Utf8Path {
        self.folder.path()
    }

    pub(crate) fn directory(&self) -> &Directory {
        self.folder.directory()
    }

    /// Returns the path of a file as the guest sees it.
    pub(crate) fn guest(&self, relative: &Utf8Path) -> String {
        format!("{}/{relative}", self.roots[0].guest)
    }

    fn fix_time(&self, relative: &Utf8Path) -> Result<(), FsError> {
        let path = self.folder.path().join(relative);
        let time = SystemTime::UNIX_EPOCH + Duration::from_millis(NOW_MS);
        std::fs::File::options()
            .write(true)
            .open(&path)
            .and_then(|file| file.set_modified(time))
            .map_err(|cause| FsError::Io {
                path,
                action: OperationKind::Write,
                cause,
            })
    }
}

/// Lists the regular files below a folder, sorted; fails on other kinds of files.
pub(crate) fn files(directory: &Directory, beneath: &str) -> Result<Vec<Utf8PathBuf>, FsError> {
    let mut files = Vec::new();
    for entry in directory.walk(beneath, CASE_LIMITS)? {
        match entry.metadata.kind {
            EntryKind::File => files.push(entry.path),
            EntryKind::Directory => {}
            kind => {
                return Err(FsError::NotRegular {
                    path: directory.path().join(entry.path),
                    kind,
                });
            }
        }
    }
    Ok(files)
}
