//! Serialises syncs: of those of the same kind one runs, one waits, and any other is unnecessary, because the waiting
//! one begins later and finds the same.

use std::time::Duration;

use acreta_fs::{Directory, Lock, LockError, NoFaults};
use camino::Utf8Path;

use crate::{Context, Failure};

/// Folder of the locks in acreta's folder.
const FOLDER: &str = "locks";

/// Timeout for a running sync.
const PATIENCE: Duration = Duration::from_secs(3600);

/// Locks for syncs of one agent, or of all, from one directory.
pub(crate) struct SyncTurns {
    locks: Directory,
    name: String,
}

impl SyncTurns {
    pub(crate) fn new(
        context: &Context,
        agent: Option<&str>,
        directory: &Utf8Path,
    ) -> Result<Self, Failure> {
        let folder = context.home.folder().join(FOLDER);
        let aim = acreta_store::digest(format!("{agent:?} {directory}"));
        Ok(Self {
            locks: Directory::open_or_create_private(&folder, NoFaults::shared())?,
            name: format!("sync-{:.16}", aim),
        })
    }

    /// Returns whether one waits already.
    pub(crate) fn is_awaited(&self) -> Result<bool, Failure> {
        Ok(self.waiting()?.is_none())
    }

    /// Waits for a running one. Returns `None` if another one waits already.
    pub(crate) fn take(&self) -> Result<Option<Lock>, Failure> {
        let Some(waiting) = self.waiting()? else {
            return Ok(None);
        };
        let running = self.locks.lock(format!("{}.run", self.name), PATIENCE)?;
        // Later ones may have found something after this sync began, so they must wait for the next.
        drop(waiting);
        Ok(Some(running))
    }

    fn waiting(&self) -> Result<Option<Lock>, Failure> {
        match self
            .locks
            .lock(format!("{}.wait", self.name), Duration::ZERO)
        {
            Ok(lock) => Ok(Some(lock)),
            Err(LockError::Busy { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}
