//! A folder as shared storage (`file://`), for example on a network drive. It has to exist: a folder that is not
//! mounted must not be mistaken for an empty one.

use std::io::{self, Read};

use acreta_fs::{Directory, FsError, OperationKind, join, scratch};
use camino::{Utf8Path, Utf8PathBuf};

use super::{ObjectError, ObjectStore, existing};

#[derive(Debug)]
pub struct FolderStore {
    address: String,
    path: Utf8PathBuf,
}

impl FolderStore {
    /// Takes an address `file:///folder`. The folder is opened when it is used.
    pub fn new(address: &str) -> Result<Self, ObjectError> {
        let path = address.strip_prefix("file://").unwrap_or(address);
        // `file:///C:/folder` is `C:/folder`.
        let is_drive = path.as_bytes().get(2) == Some(&b':');
        let path = Utf8PathBuf::from(if is_drive { &path[1..] } else { path });
        if !path.is_absolute() {
            return Err(ObjectError::Address {
                address: address.to_owned(),
                reason: "it has no absolute path".to_owned(),
            });
        }
        Ok(Self {
            address: address.to_owned(),
            path,
        })
    }

    fn root(&self) -> Result<Directory, ObjectError> {
        existing(&self.path).map_err(|cause| self.fail(cause))
    }

    fn fail(&self, cause: FsError) -> ObjectError {
        ObjectError::Folder {
            store: self.address.clone(),
            cause,
        }
    }

    fn write(&self, name: &Utf8Path, from: &Directory, file: &str) -> Result<(), FsError> {
        let root = existing(&self.path)?;
        if root.exists(name)? {
            return Ok(());
        }
        let folder = name.parent().unwrap_or(Utf8Path::new(""));
        root.create_dir_all(folder)?;
        let folder = root.subdirectory(folder)?;
        let workplace = scratch(&folder, WORKPLACE)?;
        copy(from, file, workplace.directory(), CONTENT)?;
        let made = workplace.path().file_name().unwrap_or_default();
        folder.rename(join(made, CONTENT), name.file_name().unwrap_or_default())?;
        folder.sync_directory(".")
    }
}

impl ObjectStore for FolderStore {
    fn address(&self) -> &str {
        &self.address
    }

    fn put(&self, name: &str, from: &Directory, file: &str) -> Result<(), ObjectError> {
        self.write(Utf8Path::new(name), from, file)
            .map_err(|cause| self.fail(cause))
    }

    fn get(&self, name: &str, into: &Directory, file: &str) -> Result<(), ObjectError> {
        copy(&self.root()?, name, into, file).map_err(|cause| match cause.is_not_found() {
            true => ObjectError::Missing {
                store: self.address.clone(),
                name: name.to_owned(),
            },
            false => self.fail(cause),
        })
    }

    fn contains(&self, name: &str) -> Result<bool, ObjectError> {
        self.root()?.exists(name).map_err(|cause| self.fail(cause))
    }

    fn delete(&self, name: &str) -> Result<(), ObjectError> {
        let root = self.root()?;
        match root.remove_file(name) {
            Ok(()) => {}
            Err(error) if error.is_not_found() => return Ok(()),
            Err(error) => return Err(self.fail(error)),
        }
        let folder = Utf8Path::new(name).parent().unwrap_or(Utf8Path::new("."));
        root.sync_directory(folder)
            .map_err(|cause| self.fail(cause))
    }
}

/// Name prefix of the directories in which objects are written; a process that died may have left one.
const WORKPLACE: &str = ".put";

const CONTENT: &str = "content";

fn copy(from: &Directory, source: &str, into: &Directory, target: &str) -> Result<(), FsError> {
    let mut reader = from.open_reader(source)?;
    let mut pending = into.pending(target)?;
    let mut buffer = vec![0; 128 * 1024];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return pending.commit(),
            Ok(count) => pending.append(&buffer[..count])?,
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
            Err(cause) => {
                return Err(FsError::Io {
                    path: from.path().join(source),
                    action: OperationKind::Read,
                    cause,
                });
            }
        }
    }
}
