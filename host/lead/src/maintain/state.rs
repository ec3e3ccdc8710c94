//! One maintenance as it goes on: what it was given, what it holds open, and what it has done so far.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use acreta_model::{Explorer, ModelSource, SharedModels};

use super::decay::Seen;
use super::report::MaintainRecord;
use super::undo::{self, Undo};
use super::verify::Repository;
use crate::maintain::pair::Pair;
use crate::maintain::report::Conflict;
use crate::memory::desk::{Desk, DeskOptions};
use crate::memory::workspace::{RunFolder, RunLog};
use crate::run::options::Progress;
use crate::run::report::Metrics;
use crate::run::steps::{Steps, Stepwise};

/// What maintenance is given.
pub struct MaintainOptions {
    pub desk: DeskOptions,
    pub explorers: Vec<Arc<dyn Explorer>>,
    /// Answers what rules cannot settle, with proposals; nobody is asked without it.
    pub models: Option<Arc<dyn ModelSource>>,
    /// Say what would be done, and do nothing.
    pub dry_run: bool,
    /// Compare only what changed since with the rest.
    pub since_ms: Option<u64>,
    /// What is known of accesses, by memory id. A memory that is not in it does not fade.
    pub seen: BTreeMap<String, Seen>,
    pub repository: Arc<dyn Repository + Send + Sync>,
    /// How many run folders are kept.
    pub keep_runs: usize,
    pub shown_failures: BTreeSet<String>,
}

pub(super) struct Maintenance<'a> {
    pub(super) options: &'a MaintainOptions,
    pub(super) progress: &'a dyn Progress,
    pub(super) desk: Desk,
    pub(super) folder: RunFolder,
    pub(super) log: Arc<RunLog>,
    pub(super) started: Instant,
    pub(super) steps: Steps<'a>,
    pub(super) metrics: Metrics,
    pub(super) records: Vec<MaintainRecord>,
    /// What is left for a person to decide.
    pub(super) conflicts: Vec<Conflict>,
    pub(super) undo: Undo,
    /// What a person has undone before: not done again.
    pub(super) refused: undo::Refused,
    pub(super) note: Option<String>,
    /// The pairs that explorers proposed in the last pass.
    pub(super) pairs: BTreeSet<Pair>,
    pub(super) models: Option<SharedModels>,
}

impl<'a> Stepwise<'a> for Maintenance<'a> {
    fn list(&mut self) -> &mut Steps<'a> {
        &mut self.steps
    }

    fn save_progress(&self) {
        let actions = self.actions();
        if let Err(error) = self.folder.write_json("maintain_actions.json", &actions) {
            tracing::debug!(%error, "progress of a maintenance lost");
        }
    }
}
