//! Syncs that take turns: of those with the same aim one runs, one waits, and any other need not, since
//! the one that waits begins later and finds what it would have found.

use std::time::Duration;

use acreta_fs::{Directory, Lock, LockError, NoFaults};
use camino::Utf8Path;

use crate::{Context, Failure};

/// Where the locks lie, in acreta's folder.
const FOLDER: &str = "locks";

/// A sync that runs longer than this is not waited for.
const PATIENCE: Duration = Duration::from_secs(3600);

/// The turns of syncs of one agent, or of all, from one directory.
pub(crate) struct Turns {
    locks: Directory,
    name: String,
}

impl Turns {
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

    /// Whether one waits, so that nobody else needs to.
    pub(crate) fn is_awaited(&self) -> Result<bool, Failure> {
        Ok(self.waiting()?.is_none())
    }

    /// Waits for one that runs. None when another waits already.
    pub(crate) fn take(&self) -> Result<Option<Lock>, Failure> {
        let Some(waiting) = self.waiting()? else {
            return Ok(None);
        };
        let running = self.locks.lock(format!("{}.run", self.name), PATIENCE)?;
        // Whoever comes from now on comes after this sync began to look, and must wait for the next.
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
