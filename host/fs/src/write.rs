//! Changes beneath a directory, each announced before it happens. `replace` and `write_synced_new` return after the
//! data is durable; the primitive operations leave syncing to the caller.

use std::io::Write;

use camino::Utf8Path;

use crate::operation::{Operation, OperationKind};
use crate::{Directory, EntryKind, FsError, PendingFile, path, platform};

impl Directory {
    /// Creates a directory and its missing ancestors durably.
    pub fn create_dir_all(&self, relative: impl AsRef<Utf8Path>) -> Result<(), FsError> {
        let relative = self.check_directory(relative.as_ref())?;
        let mut parents: Vec<&Utf8Path> = relative.ancestors().collect();
        parents.retain(|parent| !matches!(parent.as_str(), "" | path::HERE));
        for directory in parents.into_iter().rev() {
            match self.metadata(directory).map(|found| found.kind) {
                Ok(EntryKind::Directory) => continue,
                // A link is accepted here: its target is checked when it is used.
                Ok(EntryKind::Symlink) if !self.refuses_link_at(directory) => continue,
                Ok(kind) => {
                    return Err(self.unwanted(directory, kind, |path, kind| {
                        FsError::NotDirectory { path, kind }
                    }));
                }
                Err(error) if error.is_not_found() => {}
                Err(error) => return Err(error),
            }
            match self.create_dir(directory) {
                Ok(()) => self.sync_directory(path::parent(directory))?,
                Err(FsError::AlreadyExists { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Creates one directory, without syncing its parent.
    pub fn create_dir(&self, relative: impl AsRef<Utf8Path>) -> Result<(), FsError> {
        let relative = self.check(relative.as_ref())?;
        let absolute = self.absolute(relative);
        let builder = platform::directory_builder(self.directory_mode());
        self.change(
            Operation::new(OperationKind::CreateDirectory, &absolute),
            || self.handle.create_dir_with(relative, &builder),
        )
    }

    /// Replaces or creates a file atomically: readers see the old or the new content, and the new content is durable
    /// when this returns. Keeps the permissions of an existing file.
    pub fn replace(&self, relative: impl AsRef<Utf8Path>, bytes: &[u8]) -> Result<(), FsError> {
        let mut pending = self.pending(relative)?;
        pending.append(bytes)?;
        pending.commit()
    }

    /// Like [`Self::replace`] without syncing: readers see the old or the new content, but a crash of the machine may
    /// leave neither. For reports and caches.
    pub fn replace_unsynced(
        &self,
        relative: impl AsRef<Utf8Path>,
        bytes: &[u8],
    ) -> Result<(), FsError> {
        let mut pending = self.pending(relative)?;
        pending.append(bytes)?;
        pending.publish()
    }

    /// Opens a temporary file that replaces `relative` when it is committed.
    pub fn pending(&self, relative: impl AsRef<Utf8Path>) -> Result<PendingFile, FsError> {
        PendingFile::create(self, relative.as_ref())
    }

    /// Writes a file that must not exist yet and syncs its content; its name is durable after
    /// [`Directory::sync_directory`] of its directory.
    pub fn write_synced_new(
        &self,
        relative: impl AsRef<Utf8Path>,
        bytes: &[u8],
    ) -> Result<(), FsError> {
        let relative = self.check(relative.as_ref())?;
        let absolute = self.absolute(relative);
        let mut file = self.create_new(relative, self.file_mode())?;
        self.change(Operation::write(&absolute, bytes), || file.write_all(bytes))?;
        self.sync(OperationKind::SyncFile, &absolute, || file.sync_all())
    }

    /// Appends to a file, creating it if necessary. Not synced: for logs.
    pub fn append(&self, relative: impl AsRef<Utf8Path>, bytes: &[u8]) -> Result<(), FsError> {
        let relative = self.check(relative.as_ref())?;
        let absolute = self.absolute(relative);
        self.ensure_file(relative)?;
        self.change(Operation::write(&absolute, bytes), || {
            let mut options = platform::writing(self.file_mode());
            options.append(true);
            self.handle.open_with(relative, &options)?.write_all(bytes)
        })
    }

    /// Creates an empty file if none exists; anything but a regular file is an error.
    pub(crate) fn ensure_file(&self, relative: &Utf8Path) -> Result<(), FsError> {
        match self.metadata(relative) {
            Ok(found) if found.kind == EntryKind::File => Ok(()),
            Ok(found) => {
                Err(
                    self.unwanted(relative, found.kind, |path, kind| FsError::NotRegular {
                        path,
                        kind,
                    }),
                )
            }
            Err(error) if error.is_not_found() => match self.create_new(relative, self.file_mode())
            {
                Ok(_) | Err(FsError::AlreadyExists { .. }) => Ok(()),
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        }
    }

    /// Renames beneath this directory, replacing a file at `to`. Syncs neither directory.
    pub fn rename(
        &self,
        from: impl AsRef<Utf8Path>,
        to: impl AsRef<Utf8Path>,
    ) -> Result<(), FsError> {
        let (from, to) = (self.check(from.as_ref())?, self.check(to.as_ref())?);
        let (source, target) = (self.absolute(from), self.absolute(to));
        self.change(Operation::rename(&source, &target), || {
            platform::rename(&self.handle, from, to)
        })
    }

    /// Removes a file or a link. Does not sync the directory.
    pub fn remove_file(&self, relative: impl AsRef<Utf8Path>) -> Result<(), FsError> {
        let relative = self.check(relative.as_ref())?;
        let absolute = self.absolute(relative);
        self.change(Operation::new(OperationKind::RemoveFile, &absolute), || {
            self.handle.remove_file(relative)
        })
    }

    /// Syncs a directory: names that were created, renamed or removed in it become durable.
    pub fn sync_directory(&self, relative: impl AsRef<Utf8Path>) -> Result<(), FsError> {
        let relative = self.check_directory(relative.as_ref())?;
        let kind = self.metadata(relative)?.kind;
        if kind == EntryKind::Symlink && self.refuses_link_at(relative) {
            return Err(FsError::Link {
                path: self.absolute(relative),
            });
        }
        let absolute = self.absolute(relative);
        // Failing to open the directory counts as a failed sync.
        self.sync(OperationKind::SyncDirectory, &absolute, || {
            let opened = self.open_directory(relative)?;
            platform::sync_directory(&opened.into_std_file())
        })
    }

    /// Syncs the parent, so that the name of this directory is durable: its creator may have died before.
    pub fn sync_own_name(&self) -> Result<(), FsError> {
        match self.parent() {
            Ok(Some(parent)) => parent.sync_directory(path::HERE),
            // We cannot have written to a directory that may be entered but not read.
            Ok(None) | Err(FsError::PermissionDenied { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    pub(crate) fn create_new(
        &self,
        relative: &Utf8Path,
        mode: u32,
    ) -> Result<std::fs::File, FsError> {
        let absolute = self.absolute(relative);
        let mut options = platform::writing(mode);
        options.create_new(true);
        self.change(Operation::new(OperationKind::CreateFile, &absolute), || {
            self.handle
                .open_with(relative, &options)
                .map(cap_std::fs::File::into_std)
        })
    }
}
