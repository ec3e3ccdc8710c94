//! Access to one scope's memory on disk. Opening and reading write nothing; only a holder of the project lock can
//! change anything.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use acreta_fs::{Directory, Faults, FsError, Lock};

use crate::{Layout, StoreError};

/// One scope's memory. The folder need not exist until something is written.
#[derive(Debug)]
pub struct Store {
    layout: Layout,
    faults: Arc<dyn Faults>,
    directory: OnceLock<Directory>,
}

/// The exclusive right to change a project's memory while the value lives.
#[derive(Debug)]
pub struct ProjectLock {
    _lock: Lock,
}

impl Store {
    /// Opens the memory that `layout` describes. It may still be empty.
    pub fn open(layout: Layout, faults: Arc<dyn Faults>) -> Result<Self, StoreError> {
        let store = Self {
            layout,
            faults,
            directory: OnceLock::new(),
        };
        store.existing()?;
        Ok(store)
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Takes the project lock; waits up to `wait` for its current holder.
    pub fn lock(&self, wait: Duration) -> Result<ProjectLock, StoreError> {
        if self.layout.is_closed() {
            return Err(StoreError::Closed {
                path: self.layout.base().to_owned(),
            });
        }
        let directory = self.created()?;
        if let Some(folder) = self.layout.lock_path().parent() {
            directory.create_dir_all(folder)?;
        }
        let lock = directory.lock(self.layout.lock_path(), wait)?;
        Ok(ProjectLock { _lock: lock })
    }

    pub(crate) fn faults(&self) -> &Arc<dyn Faults> {
        &self.faults
    }

    /// Returns the base directory, if it exists and is not closed.
    pub(crate) fn existing(&self) -> Result<Option<&Directory>, FsError> {
        if self.layout.is_closed() {
            return Ok(None);
        }
        if let Some(directory) = self.directory.get() {
            return Ok(Some(directory));
        }
        let opened = self.layout.open(&self.faults)?;
        Ok(opened.map(|directory| self.directory.get_or_init(|| directory)))
    }

    /// Returns the base directory; creates it if it does not exist.
    pub(crate) fn created(&self) -> Result<&Directory, FsError> {
        if let Some(directory) = self.existing()? {
            return Ok(directory);
        }
        let directory = self.layout.open_or_create(&self.faults)?;
        Ok(self.directory.get_or_init(|| directory))
    }
}
