//! Inputs of a run, and its observer.

use crate::memory::workspace::Times;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use acreta_fs::Faults;
use acreta_redact::Redactor;
use acreta_store::{DraftLimits, KnownFiles, Layout};
use acreta_types::{Adapter, Explorer, Extractor, MemoryWriter, ModelSource, Shortfall};
use camino::{Utf8Path, Utf8PathBuf};

use crate::decide::thresholds::Thresholds;
use crate::memory::workspace::{RunMode, Summaries};
use crate::people::pending::PendingQuotes;
use crate::run::report::TodoState;

/// The plugins of a run, in the order they are asked.
#[derive(Clone)]
pub struct Plugins {
    pub adapters: Vec<Arc<dyn Adapter>>,
    /// All are heard: what several find is one candidate that names them.
    pub extractors: Vec<Arc<dyn Extractor>>,
    pub explorers: Vec<Arc<dyn Explorer>>,
    pub writer: Arc<dyn MemoryWriter>,
}

/// Inputs of a run. The clock and random numbers come from outside.
#[derive(Clone)]
pub struct RunOptions {
    pub layout: Layout,
    /// Files that were read before; other files are read again.
    pub known: KnownFiles,
    pub repo_name: String,
    pub mode: RunMode,
    /// Read the file with this agent's adapter, without asking the others.
    pub agent: Option<String>,
    /// The session to read, if a file holds several.
    pub session: Option<String>,
    /// Do everything but change memory.
    pub dry_run: bool,
    /// `None`: written, and ignored by git if the project's `.gitignore` says so.
    pub summaries: Option<Summaries>,
    pub thresholds: Thresholds,
    pub redactor: Arc<Redactor>,
    /// Folder for temporary staged files and drafts; outside every memory.
    pub scratch: Utf8PathBuf,
    pub draft_limits: DraftLimits,
    pub lock_wait: Duration,
    /// Number of run folders to keep per mode.
    pub keep_runs: usize,
    /// Failed runs that a person has seen: their folders may be pruned like any other.
    pub shown_failures: BTreeSet<String>,
    pub now_ms: u64,
    pub seed: u64,
    pub models: Option<GrantedModels>,
    /// Reason why a configured model is not asked in this run.
    pub without_model: Option<Shortfall>,
    /// Storage for uncertain findings; without it they are dropped.
    pub pending: Option<Arc<dyn PendingQuotes>>,
    pub times: Times,
    /// Intercepts every write of the run; tests inject failures here.
    pub faults: Arc<dyn Faults>,
}

/// Language models, and the plugins that may ask them.
#[derive(Clone)]
pub struct GrantedModels {
    pub source: Arc<dyn ModelSource>,
    /// Keyed by plugin id.
    pub plugins: BTreeMap<String, ModelShare>,
}

/// Share of a run's models that a plugin may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelShare {
    /// The whole budget of the run.
    Whole,
    Part {
        purposes: BTreeSet<String>,
        calls: u64,
        tokens: u64,
    },
}

/// Observer of a run, which may cancel it at safe points.
pub trait Progress {
    /// Called once, when the run has an id and a folder.
    fn started(&self, _run_id: &str, _run_folder: &Utf8Path) {}

    /// Called when the state of a step changes.
    fn step(&self, step: &'static str, state: TodoState);

    /// Reports whether the run should be cancelled. Called before each step.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// Reports whether this run may still change memory. Called under the project's lock, right before the commit.
    fn may_commit(&self) -> bool {
        true
    }
}
