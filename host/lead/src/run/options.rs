//! What a run is given, and who looks on.

use crate::memory::workspace::Times;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use acreta_fs::Faults;
use acreta_model::{Adapter, Explorer, Extractor, MemoryWriter, ModelSource, Shortfall};
use acreta_redact::Redactor;
use acreta_store::{DraftLimits, KnownFiles, Layout};
use camino::{Utf8Path, Utf8PathBuf};

use crate::decide::thresholds::Thresholds;
use crate::memory::workspace::RunMode;
use crate::people::pending::PendingQuotes;
use crate::run::report::TodoState;

/// The plugins of a run, in the order they are asked.
#[derive(Clone)]
pub struct Plugins {
    pub adapters: Vec<Arc<dyn Adapter>>,
    pub extractors: Extractors,
    pub explorers: Vec<Arc<dyn Explorer>>,
    pub writer: Arc<dyn MemoryWriter>,
}

/// What a run is given. The clock and chance come from outside.
#[derive(Clone)]
pub struct RunOptions {
    pub layout: Layout,
    /// What is known of its files; what is not is read.
    pub known: KnownFiles,
    pub repo_name: String,
    pub mode: RunMode,
    /// Read the file with this agent's adapter, whatever the others say.
    pub agent: Option<String>,
    /// Which session, when a file holds several.
    pub session: Option<String>,
    /// Do everything but change memory.
    pub dry_run: bool,
    pub thresholds: Thresholds,
    pub redactor: Arc<Redactor>,
    /// Where staged files and drafts live for a moment; outside every memory.
    pub scratch: Utf8PathBuf,
    pub draft_limits: DraftLimits,
    pub lock_wait: Duration,
    /// How many run folders of a mode are kept.
    pub keep_runs: usize,
    /// Failed runs that a person has seen: their folders go like any other's.
    pub shown_failures: BTreeSet<String>,
    pub now_ms: u64,
    pub seed: u64,
    pub models: Option<GrantedModels>,
    /// Why a configured model is not asked in this run, if it is not.
    pub without_model: Option<Shortfall>,
    /// Where what is not sure waits; without it, it is let go.
    pub pending: Option<Arc<dyn PendingQuotes>>,
    pub times: Times,
    /// Looks on at everything the run writes; tests let it fail.
    pub faults: Arc<dyn Faults>,
}

/// Language models, and the plugins that may ask them.
#[derive(Clone)]
pub struct GrantedModels {
    pub source: Arc<dyn ModelSource>,
    /// By id.
    pub plugins: BTreeMap<String, ModelShare>,
}

/// How much of the models of a run a plugin may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelShare {
    /// As much as the run has.
    Whole,
    Part {
        purposes: BTreeSet<String>,
        calls: u64,
        tokens: u64,
    },
}

/// The extractors of a run, in the order they are asked.
#[derive(Clone)]
pub struct Extractors {
    pub links: Vec<Link>,
    pub chain: Chain,
}

#[derive(Clone)]
pub struct Link {
    pub extractor: Arc<dyn Extractor>,
    /// A candidate at least this sure means that it had something to say.
    pub threshold: f32,
}

/// What becomes of what several extractors say. The first summary counts either way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Chain {
    /// The first that has something to say is heard, and nobody after it.
    #[default]
    First,
    /// All are heard.
    Union,
}

impl Extractors {
    /// One alone.
    pub fn one(extractor: Arc<dyn Extractor>) -> Self {
        Self {
            links: vec![Link {
                extractor,
                threshold: 0.0,
            }],
            chain: Chain::First,
        }
    }
}

/// Looks on at a run, and may stop it where that is safe.
pub trait Progress {
    /// Told once, when the run has a name and a folder.
    fn started(&self, _run_id: &str, _run_folder: &Utf8Path) {}

    /// Told of each step as it changes.
    fn step(&self, step: &'static str, state: TodoState);

    /// Asked before each step: whether the run is no longer wanted.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// Asked under the project's lock, right before memory changes: whether this run is still the
    /// one that may change it.
    fn may_commit(&self) -> bool {
        true
    }
}
