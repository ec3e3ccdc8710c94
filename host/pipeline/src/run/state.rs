//! State of one run: its inputs, its open resources and its results so far. Steps read and fill it; [`super::record`]
//! turns it into artifacts and report.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use acreta_store::{ProjectLock, Snapshot, Store};
use acreta_types::SharedModels;
use camino::Utf8PathBuf;

use crate::error::RunError;
use crate::memory::workspace::{RunFolder, RunLog};
use crate::memory::writable::{MemoryJob, open_memory};
use crate::people::pending::PendingFindings;
use crate::run::normalise::Source;
use crate::run::options::{Plugins, Progress, RunOptions};
use crate::run::report::Resume;
use crate::run::report::{ActionRecord, Metrics, ReadSession, ReadingReport, SessionReport};
use crate::run::share;
use crate::run::steps::{StepList, Stepwise};

pub(super) struct RunState<'a> {
    pub(super) source: &'a Source,
    pub(super) trace_path: Utf8PathBuf,
    pub(super) plugins: &'a Plugins,
    pub(super) options: &'a RunOptions,
    pub(super) progress: &'a dyn Progress,
    pub(super) store: Store,
    pub(super) folder: RunFolder,
    pub(super) log: Arc<RunLog>,
    pub(super) span: tracing::Span,
    pub(super) started: Instant,
    pub(super) steps: StepList<'a>,
    pub(super) metrics: Metrics,
    pub(super) actions: Vec<ActionRecord>,
    pub(super) written: Vec<Utf8PathBuf>,
    pub(super) summary_path: Option<Utf8PathBuf>,
    pub(super) session: SessionReport,
    pub(super) note: Option<String>,
    pub(super) reading: Option<ReadingReport>,
    /// Reason why an extractor's result is missing although others answered.
    pub(super) unheard: Option<String>,
    /// Position from which the next read of this session continues, once its trace is archived.
    pub(super) resume: Option<Resume>,
    pub(super) taken: Option<ReadSession>,
    pub(super) is_unwanted: bool,
    /// Uncertain findings of this run.
    pub(super) pending: PendingFindings,
    pub(super) models: Option<SharedModels>,
    /// `models` as seen by each plugin that may ask them.
    pub(super) shares: BTreeMap<String, Arc<share::ObservedModels>>,
}

impl RunState<'_> {
    /// Finishes an interrupted commit of an earlier run, then loads memory.
    pub(super) fn open_memory(&self, lock: &ProjectLock) -> Result<Snapshot, RunError> {
        let options = self.options;
        let job = MemoryJob {
            known: &options.known,
            now_ms: options.now_ms,
            seed: options.seed,
            faults: &options.faults,
        };
        let opened = open_memory(&self.store, lock, &job)?;
        if opened.recovered {
            self.log
                .step("validate", "an interrupted commit was finished");
        }
        if opened.repaired > 0 {
            let message = format!("moved by hand: {} memories", opened.repaired);
            self.log.step("validate", &message);
        }
        Ok(opened.snapshot)
    }
}

impl<'a> Stepwise<'a> for RunState<'a> {
    fn list(&mut self) -> &mut StepList<'a> {
        &mut self.steps
    }

    fn save_progress(&self) {
        let actions = self.memory_actions();
        if let Err(error) = self.folder.write_json("memory_actions.json", &actions) {
            tracing::debug!(%error, "progress of a run lost");
        }
    }
}
