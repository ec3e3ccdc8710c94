//! Files where a guest may see them: copies in a fresh folder, all with the same time, so that
//! neither the place nor the age of the originals can enter a result.

use std::time::{Duration, SystemTime};

use acreta_fs::{Directory, EntryKind, FsError, Limits, OperationKind, Scratch};
use acreta_model::Preopen;
use camino::{Utf8Path, Utf8PathBuf};

use crate::conformance::bench::NOW_MS;

/// A folder as a guest sees it under `/<name>`, gone on drop.
pub(crate) struct Staged {
    folder: Scratch,
    pub(crate) roots: [Preopen; 1],
}

/// How folders with copies are called, and folders to write into.
pub(crate) const STAGED: &str = "staged";
pub(crate) const DRAFT: &str = "draft";

/// The most a case's files may come to.
pub(crate) const CASE_LIMITS: Limits = Limits {
    files: 10_000,
    bytes: 256 * 1024 * 1024,
    depth: 16,
};

impl Staged {
    pub(crate) fn empty(scratch: &Directory, name: &str) -> Result<Self, FsError> {
        let folder = acreta_fs::scratch(scratch, STAGED)?;
        let roots = [Preopen {
            host: folder.path().to_owned(),
            guest: format!("/{name}"),
        }];
        Ok(Self { folder, roots })
    }

    /// A copy of every regular file in `source`.
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

    /// Puts a file down, or another content in its place.
    pub(crate) fn write(&self, relative: &Utf8Path, bytes: &[u8]) -> Result<(), FsError> {
        let directory = self.folder.directory();
        // A copy that nobody keeps needs no sync, so the folders are made one by one.
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

    /// The path of a file as the guest knows it.
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

/// The regular files beneath a folder, sorted; anything else there is refused.
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
