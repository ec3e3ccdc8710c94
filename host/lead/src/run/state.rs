//! One run as it goes on: what it was given, what it holds open, and what it has found so far. Steps read and
//! fill it; [`super::record`] makes the artifacts and the report of it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use acreta_model::SharedModels;
use acreta_store::{ProjectLock, Store};
use camino::Utf8PathBuf;

use crate::memory::workspace::{RunFolder, RunLog};
use crate::people::pending::Found;
use crate::run::normalise::Source;
use crate::run::options::{Plugins, Progress, RunOptions};
use crate::run::report::Resume;
use crate::run::report::{ActionRecord, Metrics, ReadingReport, SessionReport, Taken};
use crate::run::share;
use crate::run::steps::{Steps, Stepwise};

pub(super) struct Run<'a> {
    pub(super) source: &'a Source,
    pub(super) trace_path: Utf8PathBuf,
    pub(super) plugins: &'a Plugins,
    pub(super) options: &'a RunOptions,
    pub(super) progress: &'a dyn Progress,
    pub(super) store: Store,
    pub(super) lock: ProjectLock,
    pub(super) folder: RunFolder,
    pub(super) log: Arc<RunLog>,
    pub(super) span: tracing::Span,
    pub(super) started: Instant,
    pub(super) steps: Steps<'a>,
    pub(super) metrics: Metrics,
    pub(super) actions: Vec<ActionRecord>,
    pub(super) written: Vec<Utf8PathBuf>,
    pub(super) summary_path: Option<Utf8PathBuf>,
    pub(super) session: SessionReport,
    pub(super) note: Option<String>,
    pub(super) reading: Option<ReadingReport>,
    /// Why an extractor was not heard, when others were.
    pub(super) unheard: Option<String>,
    /// Where the next read of this session goes on, once its trace is kept.
    pub(super) resume: Option<Resume>,
    pub(super) taken: Option<Taken>,
    /// What nobody is sure of yet.
    pub(super) pending: Found,
    pub(super) models: Option<SharedModels>,
    /// The same, as each plugin that may ask them sees them.
    pub(super) shares: BTreeMap<String, Arc<share::Watched>>,
}

impl<'a> Stepwise<'a> for Run<'a> {
    fn list(&mut self) -> &mut Steps<'a> {
        &mut self.steps
    }

    fn save_progress(&self) {
        let actions = self.memory_actions();
        if let Err(error) = self.folder.write_json("memory_actions.json", &actions) {
            tracing::debug!(%error, "progress of a run lost");
        }
    }
}
