//! Listing a tree without following links: what is there, in one order on every machine, up to
//! limits that stop a hostile tree before it costs anything.

use camino::{Utf8Path, Utf8PathBuf};

use crate::metadata::Metadata;
use crate::operation::{Operation, OperationKind};
use crate::{Directory, EntryKind, FsError, path};

/// How much a walk may find.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Entries of any kind.
    pub files: u64,
    /// Bytes of all regular files together.
    pub bytes: u64,
    /// Directories within directories; 1 is the walked directory's own entries.
    pub depth: u64,
}

/// Something found on a walk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Relative to the directory the walk was asked of; not UTF-8 parts are shown as well as can be.
    pub path: Utf8PathBuf,
    pub metadata: Metadata,
}

impl Directory {
    /// Everything beneath `relative` (`.` for all), sorted by name, a directory before its content.
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
        // Last in, first out: the next entry is at the end.
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

    /// The entries of one directory (`.` for this one), sorted by name; more than `limit` is an error.
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
