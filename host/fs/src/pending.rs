//! A temporary file beside its target. Replaces the target durably on commit, and is removed on drop.

use std::io::{self, BufWriter, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use camino::{Utf8Path, Utf8PathBuf};

use crate::operation::{Operation, OperationKind};
use crate::{Directory, EntryKind, FsError, path};

/// See [`Directory::pending`].
#[derive(Debug)]
pub struct PendingFile {
    directory: Directory,
    temporary: Utf8PathBuf,
    target: Utf8PathBuf,
    writer: Option<BufWriter<AnnouncedFile>>,
}

/// Announces each write before it happens.
#[derive(Debug)]
struct AnnouncedFile {
    directory: Directory,
    path: Utf8PathBuf,
    file: std::fs::File,
}

impl PendingFile {
    pub(crate) fn create(directory: &Directory, target: &Utf8Path) -> Result<Self, FsError> {
        let target = directory.check(target)?;
        // Keep the permissions of the existing file.
        let mode = match directory.metadata(target) {
            Ok(found) if found.kind == EntryKind::File => found.mode,
            Ok(found) if found.kind == EntryKind::Directory => {
                return Err(FsError::NotRegular {
                    path: directory.absolute(target),
                    kind: found.kind,
                });
            }
            Ok(_) => None,
            Err(error) if error.is_not_found() => None,
            Err(error) => return Err(error),
        };
        let (temporary, file) = unique(|suffix| {
            let name = format!(".{suffix}.tmp");
            let temporary = path::join(path::parent(target), &name);
            let file = directory.create_new(&temporary, mode.unwrap_or(directory.file_mode()))?;
            Ok((temporary, file))
        })?;
        let announced = AnnouncedFile {
            directory: directory.clone(),
            path: directory.absolute(&temporary),
            file,
        };
        Ok(Self {
            directory: directory.clone(),
            temporary,
            target: target.to_owned(),
            writer: Some(BufWriter::with_capacity(64 * 1024, announced)),
        })
    }

    /// Writes all of `bytes`, like [`Write::write_all`], with an error that names the file.
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), FsError> {
        self.write_all(bytes)
            .map_err(|cause| self.write_error(cause))
    }

    /// Syncs the content, renames it into place and syncs the directory.
    pub fn commit(self) -> Result<(), FsError> {
        self.end(Self::finish)
    }

    /// Renames the content into place without syncing.
    pub fn publish(self) -> Result<(), FsError> {
        self.end(|pending, _| {
            let (temporary, target) = (&pending.temporary, &pending.target);
            pending.directory.rename(temporary, target)
        })
    }

    fn end(
        mut self,
        finish: impl FnOnce(&Self, &AnnouncedFile) -> Result<(), FsError>,
    ) -> Result<(), FsError> {
        self.flush().map_err(|cause| self.write_error(cause))?;
        let Some(writer) = self.writer.take() else {
            return Ok(());
        };
        // Taken out of the writer, so that a failure below still removes the temporary file.
        let (announced, _) = writer.into_parts();
        let result = finish(&self, &announced);
        if result.is_err() {
            self.discard();
        }
        result
    }

    fn finish(&self, announced: &AnnouncedFile) -> Result<(), FsError> {
        self.directory
            .sync(OperationKind::SyncFile, &announced.path, || {
                announced.file.sync_all()
            })?;
        self.directory.rename(&self.temporary, &self.target)?;
        self.directory.sync_directory(path::parent(&self.target))
    }

    fn write_error(&self, cause: io::Error) -> FsError {
        let path = self.directory.absolute(&self.target);
        match cause.downcast::<FsError>() {
            Ok(error) => error,
            Err(cause) => FsError::new(OperationKind::Write, path, cause),
        }
    }

    fn discard(&self) {
        // Best effort: a crash would leave the same file.
        let _ = self.directory.remove_file(&self.temporary);
    }
}

impl Write for PendingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.writer {
            Some(writer) => writer.write(bytes),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        if let Some(writer) = self.writer.take() {
            drop(writer.into_parts());
            self.discard();
        }
    }
}

impl Write for AnnouncedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Self {
            directory,
            path,
            file,
        } = self;
        directory.change(Operation::write(path, bytes), || file.write_all(bytes))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Calls `create` with different names until one is unused.
pub(crate) fn unique<T>(mut create: impl FnMut(&str) -> Result<T, FsError>) -> Result<T, FsError> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let mut attempts = 0;
    loop {
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        match create(&format!("{}-{number}", std::process::id())) {
            Err(FsError::AlreadyExists { .. }) if attempts < 1_000 => attempts += 1,
            other => return other,
        }
    }
}
