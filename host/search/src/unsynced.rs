//! A tantivy directory that does not sync. The index is a cache: after a power failure its files may be torn, checksums
//! detect that, and it is rebuilt. Syncing ten files would take most of the time of adding one memory.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    AntiCallToken, Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, TerminatingWrite,
    WatchCallback, WatchHandle, WritePtr,
};

/// Restricts the permissions of an index's files: tantivy creates files readable by others, although in a private folder.
pub(crate) fn close_to_others(index: &acreta_fs::Directory) {
    // Best effort: nobody else can enter the folder, and `doctor` retries.
    let _ = index.close_to_others(None);
}

#[derive(Debug, Clone)]
pub(crate) struct UnsyncedDirectory {
    mapped: MmapDirectory,
    folder: PathBuf,
}

impl UnsyncedDirectory {
    pub(crate) fn open(folder: &Path) -> tantivy::Result<Self> {
        Ok(Self {
            mapped: MmapDirectory::open(folder)?,
            folder: folder.to_owned(),
        })
    }
}

impl Directory for UnsyncedDirectory {
    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let file = private().create_new(true).open(self.folder.join(path));
        let file = file.map_err(|cause| match cause.kind() {
            io::ErrorKind::AlreadyExists => OpenWriteError::FileAlreadyExists(path.to_owned()),
            _ => OpenWriteError::wrap_io_error(cause, path.to_owned()),
        })?;
        Ok(BufWriter::new(Box::new(UnsyncedFile(file))))
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        // One process writes at a time, so a fixed name suffices.
        let mut name = path.as_os_str().to_owned();
        name.push(".new");
        let new = self.folder.join(name);
        let mut file = private().create(true).truncate(true).open(&new)?;
        file.write_all(data)?;
        #[expect(
            clippy::disallowed_methods,
            reason = "the engine writes its files itself; nothing is lost with them"
        )]
        std::fs::rename(new, self.folder.join(path))
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.mapped.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.mapped.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.mapped.exists(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.mapped.atomic_read(path)
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        // The engine would create it for everybody.
        let file = self.folder.join(&lock.filepath);
        let created = private().create(true).truncate(false).open(file);
        created.map_err(|cause| LockError::IoError(Arc::new(cause)))?;
        self.mapped.acquire_lock(lock)
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.mapped.watch(callback)
    }
}

/// Returns how a file is opened that only this user may read: an index is built while others look.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

struct UnsyncedFile(File);

impl Write for UnsyncedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl TerminatingWrite for UnsyncedFile {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        self.0.flush()
    }
}
