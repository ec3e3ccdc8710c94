//! State of one maintenance: its inputs, its open resources and its results so far.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use acreta_types::{Explorer, ModelSource, SharedModels};

use super::decay::Seen;
use super::report::MaintainRecord;
use super::undo::{self, UndoFile};
use super::verify::Repository;
use crate::maintain::pair::MemoryPair;
use crate::maintain::report::Conflict;
use crate::memory::workspace::{RunFolder, RunLog};
use crate::memory::writable::{WritableMemory, WritableOptions};
use crate::run::options::Progress;
use crate::run::report::Metrics;
use crate::run::steps::{StepList, Stepwise};

/// Inputs of a maintenance.
pub struct MaintainOptions {
    pub writable: WritableOptions,
    pub explorers: Vec<Arc<dyn Explorer>>,
    /// Answers questions that rules cannot settle, as proposals; without it no model is asked.
    pub models: Option<Arc<dyn ModelSource>>,
    /// Only report what would be done.
    pub dry_run: bool,
    /// Compare only memories that changed since then with the rest.
    pub since_ms: Option<u64>,
    /// Accesses by memory id. A memory that is not in it does not fade.
    pub seen: BTreeMap<String, Seen>,
    /// Days, counted from 1970, on which this machine saw a session or a run.
    pub active_days: BTreeSet<u64>,
    pub repository: Arc<dyn Repository + Send + Sync>,
    /// Number of run folders to keep.
    pub keep_runs: usize,
    pub shown_failures: BTreeSet<String>,
}

pub(super) struct Maintenance<'a> {
    pub(super) options: &'a MaintainOptions,
    pub(super) progress: &'a dyn Progress,
    pub(super) writable: WritableMemory,
    pub(super) folder: RunFolder,
    pub(super) log: Arc<RunLog>,
    pub(super) started: Instant,
    pub(super) steps: StepList<'a>,
    pub(super) metrics: Metrics,
    pub(super) records: Vec<MaintainRecord>,
    /// Conflicts that are left for a person to decide.
    pub(super) conflicts: Vec<Conflict>,
    pub(super) undo: UndoFile,
    /// Changes that a person undid before: not made again.
    pub(super) refused: undo::UndoneChanges,
    pub(super) note: Option<String>,
    /// Pairs that explorers proposed in the last pass.
    pub(super) pairs: BTreeSet<MemoryPair>,
    pub(super) models: Option<SharedModels>,
}

impl<'a> Stepwise<'a> for Maintenance<'a> {
    fn list(&mut self) -> &mut StepList<'a> {
        &mut self.steps
    }

    fn save_progress(&self) {
        let actions = self.actions();
        if let Err(error) = self.folder.write_json("maintain_actions.json", &actions) {
            tracing::debug!(%error, "progress of a maintenance lost");
        }
    }
}
