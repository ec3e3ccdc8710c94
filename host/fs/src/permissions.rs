//! Removes access of other users. Changes only permissions, never content, so a crash cannot leave it half done.

use camino::{Utf8Path, Utf8PathBuf};

use crate::{Directory, EntryKind, FsError, OperationKind, path, platform};

/// Maximum number of entries of one directory.
const ENTRIES: u64 = 10_000_000;

impl Directory {
    /// Reports whether other users have any access to this directory itself.
    pub fn is_open_to_others(&self) -> Result<bool, FsError> {
        Ok(is_open(self.metadata(path::HERE)?.mode))
    }

    /// Removes access of other users from this directory and everything in it, without following links. A file with
    /// several hard links keeps its mode: a staged session is the agent's own file, and it is not reachable through
    /// this directory. Of the folder `working`, only the folder itself is closed: the guests of other processes write
    /// in it meanwhile, and nobody else gets through. Returns the changed paths and the errors.
    pub fn close_to_others(&self, working: Option<&Utf8Path>) -> (Vec<Utf8PathBuf>, Vec<FsError>) {
        let mut closed = Vec::new();
        let mut problems = Vec::new();
        let mut waiting = vec![Utf8PathBuf::from(path::HERE)];
        while let Some(folder) = waiting.pop() {
            self.close(&folder, &mut closed, &mut problems);
            if working.is_some_and(|working| working == folder) {
                continue;
            }
            let entries = match self.list(&folder, ENTRIES) {
                Ok(entries) => entries,
                Err(error) if error.is_not_found() => continue,
                Err(error) => {
                    problems.push(error);
                    continue;
                }
            };
            for entry in entries {
                match entry.metadata.kind {
                    EntryKind::Directory => waiting.push(entry.path),
                    EntryKind::File
                        if entry.metadata.links == 1 && is_open(entry.metadata.mode) =>
                    {
                        self.close(&entry.path, &mut closed, &mut problems);
                    }
                    _ => {}
                }
            }
        }
        (closed, problems)
    }

    fn close(
        &self,
        relative: &Utf8PathBuf,
        closed: &mut Vec<Utf8PathBuf>,
        problems: &mut Vec<FsError>,
    ) {
        let mode = match self.metadata(relative) {
            Ok(found) if is_open(found.mode) => found.mode.unwrap_or_default(),
            // Also a file that was removed in the meantime.
            _ => return,
        };
        let changed = platform::set_mode(&self.handle, relative, mode & 0o700);
        let path = self.absolute(relative);
        match changed {
            Ok(()) => closed.push(path),
            Err(cause) => problems.push(FsError::new(OperationKind::Write, path, cause)),
        }
    }
}

impl Directory {
    /// Lets everybody run a file who may read it; no-op if the system has no such permission.
    pub fn make_executable(&self, relative: impl AsRef<Utf8Path>) -> Result<(), FsError> {
        let relative = self.check(relative.as_ref())?;
        let Some(mode) = self.metadata(relative)?.mode else {
            return Ok(());
        };
        let failed = |cause| FsError::new(OperationKind::Write, self.absolute(relative), cause);
        platform::set_mode(&self.handle, relative, mode | (mode & 0o444) >> 2).map_err(failed)
    }
}

fn is_open(mode: Option<u32>) -> bool {
    mode.is_some_and(|mode| mode & 0o077 != 0)
}
