//! The files of a model. A person configured the folder, so links in it are followed: downloads are often links to a
//! cache.

use std::io::Read;

use acreta_fs::{Directory, FsError, NoFaults, Reader, Stamp, canonical};
use camino::{Utf8Path, Utf8PathBuf};

use super::ModelError;

/// The folder of a model.
#[derive(Debug, Clone)]
pub(crate) struct ModelFolder(Utf8PathBuf);

impl ModelFolder {
    pub(crate) fn new(path: &Utf8Path) -> Self {
        Self(path.to_owned())
    }

    pub(crate) fn file(&self, name: &str) -> Utf8PathBuf {
        self.0.join(name)
    }

    /// Returns the stamp of a file, following links; `None` if it does not exist.
    pub(crate) fn stamp(&self, name: &str) -> Option<Stamp> {
        let resolved = canonical(&self.file(name)).ok()?;
        let directory = Directory::open(resolved.parent()?, NoFaults::shared()).ok()?;
        let metadata = directory.metadata(resolved.file_name()?).ok()?;
        Some(metadata.stamp())
    }

    /// Opens a file of at most `limit` bytes.
    pub(crate) fn open(&self, name: &str, limit: u64) -> Result<Reader, ModelError> {
        let path = self.file(name);
        let open = || {
            let resolved = canonical(&path)?;
            let parent = resolved.parent().unwrap_or(&self.0);
            let directory = Directory::open(parent, NoFaults::shared())?;
            directory.open_reader(resolved.file_name().unwrap_or(name))
        };
        let reader = open().map_err(|cause: FsError| match cause {
            cause if cause.is_not_found() => ModelError::Missing { path: path.clone() },
            cause => ModelError::Unreadable {
                path: path.clone(),
                cause,
            },
        })?;
        if reader.size() > limit {
            return Err(ModelError::TooLarge { path, limit });
        }
        Ok(reader)
    }

    /// Reads a file of at most `limit` bytes.
    pub(crate) fn read(&self, name: &str, limit: u64) -> Result<Vec<u8>, ModelError> {
        let reader = self.open(name, limit)?;
        let mut bytes = Vec::with_capacity(reader.size() as usize);
        match reader.take(limit).read_to_end(&mut bytes) {
            Ok(_) => Ok(bytes),
            Err(cause) => Err(self.damaged(name, &cause)),
        }
    }

    /// Like [`Self::read`]; returns `None` if the file does not exist.
    pub(crate) fn read_if_there(
        &self,
        name: &str,
        limit: u64,
    ) -> Result<Option<Vec<u8>>, ModelError> {
        match self.read(name, limit) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(ModelError::Missing { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(crate) fn damaged(&self, name: &str, what: &impl ToString) -> ModelError {
        ModelError::Damaged {
            path: self.file(name),
            what: what.to_string(),
        }
    }

    pub(crate) fn unsupported(&self, what: impl Into<String>) -> ModelError {
        ModelError::Unsupported {
            path: self.0.clone(),
            what: what.into(),
        }
    }

    pub(crate) fn failed(&self, what: &impl ToString) -> ModelError {
        ModelError::Failed {
            path: self.0.clone(),
            what: what.to_string(),
        }
    }
}
