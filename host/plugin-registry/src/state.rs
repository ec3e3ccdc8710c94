//! State files with a person's decisions: read completely with a size limit, written atomically. Links are followed,
//! because people keep such files elsewhere.

use std::sync::Arc;

use acreta_fs::{Directory, Faults, FsError, LockError};
use camino::{Utf8Path, Utf8PathBuf};

use crate::table::FileError;

/// A state file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    #[error(transparent)]
    Fs(#[from] FsError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error("another acreta process is changing plugins")]
    Busy(#[source] LockError),
}

impl StateError {
    /// Returns advice on how to resolve the error.
    pub fn hint(&self) -> Option<String> {
        match self {
            StateError::Fs(_) => None,
            StateError::File(error) => Some(error.hint()),
            StateError::Busy(_) => Some("wait until it is done, and try again".to_owned()),
        }
    }
}

impl From<LockError> for StateError {
    fn from(error: LockError) -> Self {
        match error {
            LockError::Fs(error) => StateError::Fs(error),
            busy @ LockError::Busy { .. } => StateError::Busy(busy),
        }
    }
}

/// Returns the text of a file; `None` if it does not exist.
pub(crate) fn read(path: &Utf8Path, faults: &Arc<dyn Faults>) -> Result<Option<String>, FsError> {
    let text = real(path).and_then(|path| {
        let (folder, name) = split(&path);
        Directory::open(folder, Arc::clone(faults))?.read_to_string(name, FILE_BYTES)
    });
    match text {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(error),
    }
}

/// Permissions of a new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Readers {
    Owner,
    Everybody,
}

/// Replaces a file atomically.
pub(crate) fn write(
    path: &Utf8Path,
    text: &[u8],
    readers: Readers,
    faults: &Arc<dyn Faults>,
) -> Result<(), FsError> {
    let path = real(path)?;
    let (folder, name) = split(&path);
    let directory = match readers {
        Readers::Owner => Directory::open_or_create_private(folder, Arc::clone(faults)),
        Readers::Everybody => Directory::open_or_create(folder, Arc::clone(faults)),
    };
    directory?.replace(name, text)
}

const FILE_BYTES: u64 = 4 * 1024 * 1024;

fn real(path: &Utf8Path) -> Result<Utf8PathBuf, FsError> {
    match acreta_fs::canonical(path) {
        Err(error) if error.is_not_found() => Ok(path.to_owned()),
        other => other,
    }
}

/// Splits a path into folder and name.
pub(crate) fn split(path: &Utf8Path) -> (&Utf8Path, &str) {
    let folder = path.parent().filter(|folder| !folder.as_str().is_empty());
    (
        folder.unwrap_or(Utf8Path::new(".")),
        path.file_name().unwrap_or_default(),
    )
}
