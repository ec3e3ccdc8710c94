//! How a sync is asked for.

use std::sync::Arc;

use acreta_redact::Redactor;
use acreta_sessions::Places;
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

use crate::exclude::Excluded;

/// Where things are and what is wanted.
#[derive(Clone)]
pub struct SyncOptions {
    /// The state database.
    pub state_file: Utf8PathBuf,
    /// Where raw sessions are rescued to.
    pub archive: Utf8PathBuf,
    /// Where files live for a moment.
    pub scratch: Utf8PathBuf,
    /// acreta's own folders: nothing in them is anybody's session.
    pub own_folders: Vec<Utf8PathBuf>,
    /// Whose sessions are not to be read.
    pub excluded: Excluded,
    /// The folder of the global scope.
    pub global: Utf8PathBuf,
    /// The folder of the user's words for memories.
    pub words: Utf8PathBuf,
    pub places: Places,
    pub redactor: Arc<Redactor>,
    /// The repository the sync was started in: registered, unless this is none.
    pub current_project: Option<Utf8PathBuf>,
    pub selection: Selection,
    pub without_project: WithoutProject,
    pub workers: usize,
    /// How many sessions back those are read again that were read before a model was configured.
    pub catch_up: u64,
    /// Chance for job ids and run folders.
    pub seed: u64,
}

/// Which sessions are worked through. All are found and kept safe whatever this says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// Only of this agent.
    pub agent: Option<String>,
    /// Only changed at or after this time.
    pub since_ms: Option<u64>,
    /// Only changed before this time.
    pub until_ms: Option<u64>,
    /// At most so many, the newest.
    pub max_sessions: Option<u64>,
    /// Also those that ran already.
    pub force: bool,
    /// Say what would be done, and do nothing.
    pub dry_run: bool,
}

/// What becomes of sessions that belong to no project.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum WithoutProject {
    /// They are kept safe and no more.
    #[default]
    Archive,
    /// They are worked into the global scope.
    Global,
}
