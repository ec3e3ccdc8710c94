//! Lists a tree without following links, in the same order on every machine, within limits that stop a hostile tree
//! early.

use camino::{Utf8Path, Utf8PathBuf};

use crate::metadata::Metadata;
use crate::operation::{Operation, OperationKind};
use crate::{Directory, EntryKind, FsError, path};

/// Limits of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of entries of any kind.
    pub files: u64,
    /// Maximum total size of regular files.
    pub bytes: u64,
    /// Maximum depth; 1 means the entries of the walked directory only.
    pub depth: u64,
}

/// An entry found by a walk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Relative to the walked directory; components that are not UTF-8 are converted lossily.
    pub path: Utf8PathBuf,
    pub metadata: Metadata,
}

impl Directory {
    /// Returns everything beneath `relative` (`.` for all), sorted by name, a directory before its content.
    pub fn walk(
        &self,
        relative: impl AsRef<Utf8Path>,
        limits: Limits,
    ) -> Result<Vec<Entry>, FsError> {
        let top = self.check_directory(relative.as_ref())?;
        let over = |limit, allowed| FsError::OverLimit {
            path: self.absolute(top),
            limit,
            allowed,
        };
        let mut found: Vec<Entry> = Vec::new();
        let mut bytes: u64 = 0;
        // A stack: the next entry is at the end.
        let mut waiting = Vec::new();
        let mut directory = Some((top.to_owned(), 1));
        loop {
            if let Some((path, depth)) = directory.take() {
                if depth > limits.depth {
                    return Err(over("levels of directories", limits.depth));
                }
                let known = (found.len() + waiting.len()) as u64;
                let entries = match self.list(&path, limits.files.saturating_sub(known)) {
                    Err(FsError::OverLimit { limit, .. }) => return Err(over(limit, limits.files)),
                    other => other?,
                };
                waiting.extend(entries.into_iter().rev().map(|entry| (entry, depth)));
            }
            let Some((entry, depth)) = waiting.pop() else {
                return Ok(found);
            };
            match entry.metadata.kind {
                EntryKind::Directory => directory = Some((entry.path.clone(), depth + 1)),
                EntryKind::File => bytes = bytes.saturating_add(entry.metadata.bytes),
                _ => {}
            }
            if bytes > limits.bytes {
                return Err(over("bytes", limits.bytes));
            }
            found.push(entry);
        }
    }

    /// Returns the entries of one directory (`.` for this one), sorted by name; more than `limit` is an error.
    pub fn list(&self, relative: impl AsRef<Utf8Path>, limit: u64) -> Result<Vec<Entry>, FsError> {
        let directory = self.check_directory(relative.as_ref())?;
        let absolute = self.absolute(directory);
        let fail = |cause| FsError::new(OperationKind::Read, absolute.clone(), cause);
        self.faults()
            .before(&Operation::new(OperationKind::Read, &absolute))
            .map_err(fail)?;
        let mut entries = Vec::new();
        for entry in self.open_directory(directory)?.entries().map_err(fail)? {
            let entry = entry.map_err(fail)?;
            if entries.len() as u64 >= limit {
                return Err(FsError::OverLimit {
                    path: absolute,
                    limit: "entries",
                    allowed: limit,
                });
            }
            let mut metadata = match Metadata::of_entry(&entry) {
                Ok(metadata) => metadata,
                // Removed since it was listed.
                Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => continue,
                Err(cause) => return Err(fail(cause)),
            };
            let name = entry.file_name();
            if name.to_str().is_none() {
                metadata.kind = EntryKind::Other;
            }
            entries.push(Entry {
                path: path::join(directory, name.to_string_lossy().as_ref()),
                metadata,
            });
        }
        entries.sort_by(|left, right| left.path.as_str().cmp(right.path.as_str()));
        Ok(entries)
    }
}
