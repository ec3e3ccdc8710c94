//! An open directory that gives access to everything beneath it and nothing outside. Reads accept regular files only,
//! do not follow a link in the last component, and are bounded.

use std::io::{self, Read, Seek};
use std::sync::{Arc, Mutex, PoisonError};

use camino::{Utf8Path, Utf8PathBuf};
use cap_std::ambient_authority;
use cap_std::fs::Dir;

use crate::metadata::Metadata;
use crate::operation::{Faults, Operation, OperationKind};
use crate::{FsError, path, platform, project_folder};

/// A handle to a directory. Clones and subdirectories share its faults and its poison: after a failed sync, every later
/// change through any of them fails with the same error.
#[derive(Clone)]
pub struct Directory {
    pub(crate) handle: Arc<Dir>,
    root: Utf8PathBuf,
    shared: Arc<DirectoryState>,
    private: bool,
    refuses_links: bool,
}

struct DirectoryState {
    faults: Arc<dyn Faults>,
    poison: Mutex<Option<Poison>>,
}

struct Poison {
    path: Utf8PathBuf,
    kind: io::ErrorKind,
    code: Option<i32>,
}

/// A regular file, open for reading.
#[derive(Debug)]
pub struct Reader {
    file: std::fs::File,
    bytes: u64,
}

impl Directory {
    /// Opens an existing directory. Follows links in `path`, because the caller vouches for it, except in and beneath a
    /// project's folder: see [`crate::PROJECT_FOLDER`].
    pub fn open(path: &Utf8Path, faults: Arc<dyn Faults>) -> Result<Self, FsError> {
        let root = absolute(path)?;
        let operation = Operation::new(OperationKind::Read, &root);
        let fail = |cause| FsError::new(OperationKind::Read, root.clone(), cause);
        faults.before(&operation).map_err(fail)?;
        let (outside, inside) = match project_folder::split(&root) {
            Some((outside, inside)) => (outside.to_owned(), inside.to_owned()),
            None => (root.clone(), Utf8PathBuf::from(path::HERE)),
        };
        let handle = Dir::open_ambient_dir(&outside, ambient_authority()).map_err(fail)?;
        let shared = DirectoryState {
            faults,
            poison: Mutex::new(None),
        };
        let opened = Self {
            handle: Arc::new(handle),
            root: outside,
            shared: Arc::new(shared),
            private: false,
            refuses_links: false,
        };
        match inside.as_str() {
            path::HERE => Ok(opened),
            _ => opened.subdirectory(inside),
        }
    }

    /// Opens a directory, creating it and its missing ancestors durably.
    pub fn open_or_create(path: &Utf8Path, faults: Arc<dyn Faults>) -> Result<Self, FsError> {
        Self::create(path, faults, false)
    }

    /// Opens a private directory: see [`Directory::private`]. Missing directories are created private, too.
    pub fn open_or_create_private(
        path: &Utf8Path,
        faults: Arc<dyn Faults>,
    ) -> Result<Self, FsError> {
        Self::create(path, faults, true)
    }

    fn create(path: &Utf8Path, faults: Arc<dyn Faults>, private: bool) -> Result<Self, FsError> {
        let root = absolute(path)?;
        let mut existing = root.as_path();
        loop {
            match Self::open(existing, Arc::clone(&faults)) {
                Ok(directory) => {
                    let directory = Self {
                        private,
                        ..directory
                    };
                    let missing = root.strip_prefix(existing).unwrap_or(Utf8Path::new(""));
                    if missing.as_str().is_empty() {
                        return Ok(directory);
                    }
                    directory.create_dir_all(missing)?;
                    return directory.subdirectory(missing);
                }
                Err(error) if error.is_not_found() => match existing.parent() {
                    Some(parent) => existing = parent,
                    None => return Err(error),
                },
                Err(error) => return Err(error),
            }
        }
    }

    /// Returns a handle through which files and directories are created readable by their owner only.
    pub fn private(&self) -> Self {
        Self {
            private: true,
            ..self.clone()
        }
    }

    /// Reports whether files and directories created through it are readable by their owner only.
    pub fn is_private(&self) -> bool {
        self.private
    }

    /// Returns a handle that follows no links beneath it.
    pub fn without_links(&self) -> Self {
        Self {
            refuses_links: true,
            ..self.clone()
        }
    }

    /// Returns the absolute path, for messages and for code that opens it itself.
    pub fn path(&self) -> &Utf8Path {
        &self.root
    }

    /// Opens a directory beneath this one. Follows links as long as they stay beneath it and are not refused; the last
    /// component must be a directory itself.
    pub fn subdirectory(&self, relative: impl AsRef<Utf8Path>) -> Result<Self, FsError> {
        let relative = self.check_directory(relative.as_ref())?;
        let handle = self.open_directory(relative)?;
        Ok(Self {
            handle: Arc::new(handle),
            root: path::beneath(&self.root, relative),
            shared: Arc::clone(&self.shared),
            private: self.private,
            refuses_links: self.refuses_link_at(relative),
        })
    }

    /// Returns metadata of a path without following links.
    pub fn metadata(&self, relative: impl AsRef<Utf8Path>) -> Result<Metadata, FsError> {
        let relative = self.check_directory(relative.as_ref())?;
        self.lstat(relative)
            .map(|metadata| Metadata::new(&metadata))
            .map_err(|cause| FsError::new(OperationKind::Read, self.absolute(relative), cause))
    }

    /// Returns what a link says, unresolved: it may lead anywhere or nowhere.
    pub fn link_target(&self, relative: impl AsRef<Utf8Path>) -> Result<Utf8PathBuf, FsError> {
        let relative = self.check(relative.as_ref())?;
        let fail = |cause| FsError::new(OperationKind::Read, self.absolute(relative), cause);
        let target = self.handle.read_link_contents(relative).map_err(fail)?;
        Utf8PathBuf::try_from(target).map_err(|_| FsError::NotUtf8 {
            path: self.absolute(relative),
        })
    }

    /// Reports whether the name exists, even as a dangling link.
    pub fn exists(&self, relative: impl AsRef<Utf8Path>) -> Result<bool, FsError> {
        match self.metadata(relative) {
            Ok(_) => Ok(true),
            Err(error) if error.is_not_found() => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Reads a regular file of at most `max_bytes`.
    pub fn read(&self, relative: impl AsRef<Utf8Path>, max_bytes: u64) -> Result<Vec<u8>, FsError> {
        let relative = relative.as_ref();
        let reader = self.open_reader(relative)?;
        let too_large = || FsError::TooLarge {
            path: self.absolute(relative),
            limit: max_bytes,
        };
        if reader.bytes > max_bytes {
            return Err(too_large());
        }
        let mut bytes = Vec::with_capacity(reader.bytes as usize);
        reader
            .file
            .take(max_bytes.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|cause| FsError::new(OperationKind::Read, self.absolute(relative), cause))?;
        if bytes.len() as u64 > max_bytes {
            return Err(too_large());
        }
        Ok(bytes)
    }

    /// Like [`Self::read`], as text.
    pub fn read_to_string(
        &self,
        relative: impl AsRef<Utf8Path>,
        max_bytes: u64,
    ) -> Result<String, FsError> {
        let relative = relative.as_ref();
        String::from_utf8(self.read(relative, max_bytes)?).map_err(|_| FsError::NotUtf8 {
            path: self.absolute(relative),
        })
    }

    /// Opens a regular file for reading in pieces.
    pub fn open_reader(&self, relative: impl AsRef<Utf8Path>) -> Result<Reader, FsError> {
        let relative = self.check(relative.as_ref())?;
        let absolute = self.absolute(relative);
        let fail = |cause| FsError::new(OperationKind::Read, absolute.clone(), cause);
        let not_regular = |kind| {
            self.unwanted(relative, kind, |path, kind| FsError::NotRegular {
                path,
                kind,
            })
        };

        self.shared
            .faults
            .before(&Operation::new(OperationKind::Read, &absolute))
            .map_err(fail)?;
        // Checked before opening, because opening a fifo or a device has side effects, and again after, because the
        // file may have been replaced in between.
        let seen = self.lstat(relative).map_err(fail)?;
        if !seen.is_file() {
            return Err(not_regular(Metadata::new(&seen).kind));
        }
        let file = self
            .handle
            .open_with(relative, &platform::reading())
            .map_err(fail)?;
        let opened = file.metadata().map_err(fail)?;
        if !opened.is_file() || platform::identity(&seen) != platform::identity(&opened) {
            return Err(not_regular(Metadata::new(&opened).kind));
        }
        Ok(Reader {
            bytes: opened.len(),
            file: file.into_std(),
        })
    }

    /// Reports whether every link beneath it is refused.
    pub(crate) fn refuses_links(&self) -> bool {
        self.refuses_links
    }

    /// Opens the parent directory, with the same faults and poison; `None` at the root.
    pub(crate) fn parent(&self) -> Result<Option<Self>, FsError> {
        let Some(parent) = self.root.parent() else {
            return Ok(None);
        };
        let handle = Dir::open_ambient_dir(parent, ambient_authority())
            .map_err(|cause| FsError::new(OperationKind::Read, parent.to_owned(), cause))?;
        Ok(Some(Self {
            handle: Arc::new(handle),
            root: parent.to_owned(),
            ..self.clone()
        }))
    }

    /// Returns the absolute form of a checked path, for messages and operations.
    pub(crate) fn absolute(&self, relative: &Utf8Path) -> Utf8PathBuf {
        path::beneath(&self.root, relative)
    }

    pub(crate) fn faults(&self) -> Arc<dyn Faults> {
        Arc::clone(&self.shared.faults)
    }

    pub(crate) fn file_mode(&self) -> u32 {
        if self.private { 0o600 } else { 0o666 }
    }

    pub(crate) fn directory_mode(&self) -> u32 {
        if self.private { 0o700 } else { 0o777 }
    }

    /// Opens a directory for listing and syncing, without following a final link.
    pub(crate) fn open_directory(&self, relative: &Utf8Path) -> Result<Dir, FsError> {
        let fail = |cause| FsError::new(OperationKind::Read, self.absolute(relative), cause);
        self.check_directory(relative)?;
        let seen = self.lstat(relative).map_err(fail)?;
        if !seen.is_dir() {
            let kind = Metadata::new(&seen).kind;
            return Err(
                self.unwanted(relative, kind, |path, kind| FsError::NotDirectory {
                    path,
                    kind,
                }),
            );
        }
        platform::open_directory(&self.handle, relative).map_err(fail)
    }

    /// Announces a change, performs it, and records a failed sync.
    pub(crate) fn change<T>(
        &self,
        operation: Operation<'_>,
        action: impl FnOnce() -> io::Result<T>,
    ) -> Result<T, FsError> {
        self.check_poison()?;
        match self
            .shared
            .faults
            .before(&operation)
            .and_then(|()| action())
        {
            Ok(value) => {
                self.shared.faults.after(&operation);
                Ok(value)
            }
            Err(cause) => {
                if operation.kind.is_sync() {
                    self.poison(operation.path, &cause);
                }
                Err(FsError::new(
                    operation.kind,
                    operation.path.to_owned(),
                    cause,
                ))
            }
        }
    }

    /// Announces a sync and performs it.
    pub(crate) fn sync(
        &self,
        kind: OperationKind,
        path: &Utf8Path,
        action: impl FnOnce() -> io::Result<()>,
    ) -> Result<(), FsError> {
        let passes = self.shared.faults.passes_syncs();
        self.change(Operation::new(kind, path), || {
            if passes { action() } else { Ok(()) }
        })
    }

    /// Fails with the first sync error, if there was one: further writes are refused.
    pub fn check_poison(&self) -> Result<(), FsError> {
        let poison = self
            .shared
            .poison
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        match &*poison {
            None => Ok(()),
            Some(poison) => Err(FsError::Sync {
                path: poison.path.clone(),
                cause: poison.code.map_or_else(
                    || io::Error::from(poison.kind),
                    io::Error::from_raw_os_error,
                ),
            }),
        }
    }

    fn poison(&self, path: &Utf8Path, cause: &io::Error) {
        let mut poison = self
            .shared
            .poison
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        poison.get_or_insert_with(|| Poison {
            path: path.to_owned(),
            kind: cause.kind(),
            code: cause.raw_os_error(),
        });
    }

    pub(crate) fn lstat(&self, relative: &Utf8Path) -> io::Result<cap_std::fs::Metadata> {
        if relative.as_str() == path::HERE {
            self.handle.dir_metadata()
        } else {
            self.handle.symlink_metadata(relative)
        }
    }
}

impl std::fmt::Debug for Directory {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_tuple("Directory")
            .field(&self.root)
            .finish()
    }
}

impl Reader {
    /// Size when it was opened.
    pub fn size(&self) -> u64 {
        self.bytes
    }

    /// Returns the open file, to map it.
    pub fn into_file(self) -> std::fs::File {
        self.file
    }
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.read(buffer)
    }
}

impl Seek for Reader {
    fn seek(&mut self, position: io::SeekFrom) -> io::Result<u64> {
        self.file.seek(position)
    }
}

fn absolute(path: &Utf8Path) -> Result<Utf8PathBuf, FsError> {
    camino::absolute_utf8(path)
        .map(|path| path::native(&path))
        .map_err(|cause| FsError::new(OperationKind::Read, path.to_owned(), cause))
}
