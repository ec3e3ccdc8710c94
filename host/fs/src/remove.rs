//! Removes a directory tree. Uses constant stack and open files, because a hostile tree may be very deep.

use std::collections::VecDeque;

use camino::{Utf8Path, Utf8PathBuf};

use crate::operation::{Operation, OperationKind};
use crate::pending::unique;
use crate::{Directory, EntryKind, FsError};

impl Directory {
    /// Removes a directory and its content without following links. Does not sync its parent.
    pub fn remove_dir_all(&self, relative: impl AsRef<Utf8Path>) -> Result<(), FsError> {
        let top = self.check(relative.as_ref())?;
        self.empty(top)?;
        self.remove_dir(top)
    }

    /// Removes one empty directory. Does not sync its parent.
    pub fn remove_dir(&self, relative: impl AsRef<Utf8Path>) -> Result<(), FsError> {
        let relative = self.check(relative.as_ref())?;
        let absolute = self.absolute(relative);
        self.change(
            Operation::new(OperationKind::RemoveDirectory, &absolute),
            || self.handle.remove_dir(relative),
        )
    }

    /// Removes everything in a directory. Moves nested directories up to `top` first, so that every path stays short.
    fn empty(&self, top: &Utf8Path) -> Result<(), FsError> {
        let mut waiting: VecDeque<Utf8PathBuf> = VecDeque::from([top.to_owned()]);
        while let Some(directory) = waiting.pop_front() {
            for entry in self.list(&directory, u64::MAX)? {
                if entry.metadata.kind != EntryKind::Directory {
                    self.remove_file(&entry.path)?;
                } else if directory == top {
                    waiting.push_back(entry.path);
                } else {
                    let moved = unique(|suffix| {
                        let to = top.join(format!(".{suffix}.removed"));
                        if self.exists(&to)? {
                            let cause = std::io::ErrorKind::AlreadyExists.into();
                            return Err(FsError::AlreadyExists { path: to, cause });
                        }
                        self.rename(&entry.path, &to)?;
                        Ok(to)
                    })?;
                    waiting.push_back(moved);
                }
            }
            if directory != top {
                self.remove_dir(&directory)?;
            }
        }
        Ok(())
    }
}
