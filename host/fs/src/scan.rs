//! Finds files in a large tree of another program. Follows no links, examines only wanted entries, and continues past
//! unreadable ones, which are reported separately.

use camino::{Utf8Path, Utf8PathBuf};
use cap_std::fs::DirEntry;

use crate::operation::{Operation, OperationKind};
use crate::{Directory, EntryKind, FsError, Metadata, Stamp, path};

/// Selects the files of a scan. Paths are relative to the scanned directory.
pub trait Wanted {
    /// Reports whether anything wanted can be beneath this directory.
    fn enters(&self, directory: &Utf8Path) -> bool;
    /// Reports whether this regular file is wanted.
    fn takes(&self, file: &Utf8Path) -> bool;
}

/// Limits of a scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScanLimits {
    /// Maximum number of files; the scan stops there.
    pub files: u64,
    /// Maximum depth; 1 means the entries of the scanned directory only.
    pub depth: u64,
}

impl Default for ScanLimits {
    fn default() -> Self {
        Self {
            files: 1_000_000,
            depth: 64,
        }
    }
}

/// A regular file found by a scan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scanned {
    /// Relative to the scanned directory.
    pub path: Utf8PathBuf,
    pub stamp: Stamp,
}

impl Directory {
    /// Returns the wanted files beneath this directory, sorted by path, and the errors.
    pub fn scan(&self, wanted: &impl Wanted, limits: ScanLimits) -> (Vec<Scanned>, Vec<FsError>) {
        let mut scan = TreeScan {
            directory: self,
            wanted,
            limits,
            files: 0,
            full: false,
            found: Vec::new(),
            problems: Vec::new(),
        };
        scan.enter(Utf8Path::new(path::HERE), 1);
        (scan.found, scan.problems)
    }
}

struct TreeScan<'a, W> {
    directory: &'a Directory,
    wanted: &'a W,
    limits: ScanLimits,
    files: u64,
    /// The limit of files was exceeded: the scan stops.
    full: bool,
    found: Vec<Scanned>,
    problems: Vec<FsError>,
}

/// A wanted file, or a directory to enter.
enum ScanEntry {
    Directory(Utf8PathBuf),
    File(Scanned),
}

impl<W: Wanted> TreeScan<'_, W> {
    /// Scans one directory and those beneath it; closes its handle before opening them.
    fn enter(&mut self, relative: &Utf8Path, depth: u64) {
        if depth > self.limits.depth {
            return self.problems.push(FsError::OverLimit {
                path: self.directory.absolute(relative),
                limit: "levels of directories",
                allowed: self.limits.depth,
            });
        }
        let mut entries = match self.read(relative) {
            Ok(entries) => entries,
            // Removed since it was listed; only the scanned directory itself must exist.
            Err(error) if error.is_not_found() && depth > 1 => return,
            Err(error) => return self.problems.push(error),
        };
        entries.sort_unstable_by(|left, right| left.path().as_str().cmp(right.path().as_str()));
        for entry in entries {
            match entry {
                ScanEntry::File(file) => self.found.push(file),
                ScanEntry::Directory(path) if !self.full => self.enter(&path, depth + 1),
                ScanEntry::Directory(_) => {}
            }
        }
    }

    fn read(&mut self, relative: &Utf8Path) -> Result<Vec<ScanEntry>, FsError> {
        let absolute = self.directory.absolute(relative);
        let fail = |cause| FsError::new(OperationKind::Read, absolute.clone(), cause);
        self.directory
            .faults()
            .before(&Operation::new(OperationKind::Read, &absolute))
            .map_err(fail)?;
        let opened = self.directory.open_directory(relative)?;
        let mut prefix = match relative.as_str() {
            path::HERE => String::new(),
            directory => format!("{directory}/"),
        };
        let mut seen = Vec::new();
        for entry in opened.entries().map_err(fail)? {
            match entry {
                Ok(_) if self.full => break,
                Ok(entry) => seen.extend(self.look(&mut prefix, &entry)),
                // A listing that breaks off keeps the entries read so far.
                Err(cause) => {
                    self.problems.push(fail(cause));
                    break;
                }
            }
        }
        Ok(seen)
    }

    /// Examines an entry of the directory `prefix`, which is restored afterwards.
    fn look(&mut self, prefix: &mut String, entry: &DirEntry) -> Option<ScanEntry> {
        let name = entry.file_name();
        let length = prefix.len();
        prefix.push_str(&name.to_string_lossy());
        let relative = Utf8Path::new(prefix.as_str());
        let seen = self.seen(relative, entry).and_then(|seen| {
            if seen.is_some() && name.to_str().is_none() {
                let path = self.directory.absolute(relative);
                return Err(FsError::NotUtf8 { path });
            }
            Ok(seen)
        });
        prefix.truncate(length);
        match seen {
            Ok(Some(ScanEntry::File(_))) if self.files >= self.limits.files => {
                self.full = true;
                self.problems.push(FsError::OverLimit {
                    path: self.directory.path().to_owned(),
                    limit: "files",
                    allowed: self.limits.files,
                });
                None
            }
            Ok(seen) => {
                self.files += u64::from(matches!(seen, Some(ScanEntry::File(_))));
                seen
            }
            // Removed since it was listed.
            Err(error) if error.is_not_found() => None,
            Err(error) => {
                self.problems.push(error);
                None
            }
        }
    }

    /// Returns the entry if it is wanted.
    fn seen(&self, relative: &Utf8Path, entry: &DirEntry) -> Result<Option<ScanEntry>, FsError> {
        let fail = |cause| {
            let path = self.directory.absolute(relative);
            FsError::new(OperationKind::Read, path, cause)
        };
        let mut kind = entry.file_type().map_err(fail)?;
        if !kind.is_file() && !kind.is_dir() && !kind.is_symlink() {
            // Some file systems do not report the type in a listing.
            kind = entry.metadata().map_err(fail)?.file_type();
        }
        if kind.is_dir() && self.wanted.enters(relative) {
            return Ok(Some(ScanEntry::Directory(relative.to_owned())));
        }
        if !kind.is_file() || !self.wanted.takes(relative) {
            return Ok(None);
        }
        let metadata = Metadata::of_entry(entry).map_err(fail)?;
        let is_file = metadata.kind == EntryKind::File;
        Ok(is_file.then(|| {
            ScanEntry::File(Scanned {
                path: relative.to_owned(),
                stamp: metadata.stamp(),
            })
        }))
    }
}

impl ScanEntry {
    fn path(&self) -> &Utf8Path {
        match self {
            ScanEntry::Directory(path) => path,
            ScanEntry::File(file) => &file.path,
        }
    }
}
