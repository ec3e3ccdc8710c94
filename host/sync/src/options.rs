//! Options of a sync.

use std::sync::Arc;

use acreta_fs::{Directory, FsError, NoFaults};
use acreta_redact::Redactor;
use acreta_session_archive::{ObjectStore, Places, RawArchive};
use acreta_state::StateLocation;
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

use crate::exclude::Excluded;

/// Paths and parameters of a sync.
#[derive(Clone)]
pub struct SyncOptions {
    /// The state database.
    pub state: StateLocation,
    /// Folder of the raw archive.
    pub archive: Utf8PathBuf,
    /// Storage of archives that other machines read.
    pub shared_archive: Option<Arc<dyn ObjectStore>>,
    /// Folder for temporary files.
    pub scratch: Utf8PathBuf,
    /// acreta's own folders: no file in them is a session.
    pub own_folders: Vec<Utf8PathBuf>,
    /// Folders whose sessions are not read.
    pub excluded: Excluded,
    /// The folder of the global scope.
    pub global: Utf8PathBuf,
    /// The folder of the user's confirmations.
    pub words: Utf8PathBuf,
    pub places: Places,
    /// Homes of other machines, mounted or copied here.
    pub homes: Vec<Utf8PathBuf>,
    pub redactor: Arc<Redactor>,
    /// The repository in which the sync was started; it is registered, unless `None`.
    pub current_project: Option<Utf8PathBuf>,
    pub selection: Selection,
    pub without_project: WithoutProject,
    /// Learn from sessions; otherwise they are only enqueued, for workers.
    pub learns_here: bool,
    pub workers: usize,
    /// Number of sessions, newest first, for which to repeat readings made before a model was configured.
    pub catch_up: u64,
    /// Seed for job ids and run folders.
    pub seed: u64,
}

impl SyncOptions {
    /// Opens the raw archive; creates its folder if necessary.
    pub fn open_archive(&self) -> Result<RawArchive, FsError> {
        let folder = Directory::open_or_create_private(&self.archive, NoFaults::shared())?;
        Ok(RawArchive::new(&folder).shared_in(self.shared_archive.clone()))
    }
}

/// Selects the sessions to process. All sessions are found and archived regardless.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// Only sessions of this agent.
    pub agent: Option<String>,
    /// Only sessions changed at or after this time.
    pub since_ms: Option<u64>,
    /// Only sessions changed before this time.
    pub until_ms: Option<u64>,
    /// At most this many, the newest.
    pub max_sessions: Option<u64>,
    /// Also sessions that already ran.
    pub force: bool,
    /// Only report what would be done.
    pub dry_run: bool,
}

/// Treatment of sessions without a project.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum WithoutProject {
    /// They are only archived.
    #[default]
    Archive,
    /// They are processed into the global scope.
    Global,
}
