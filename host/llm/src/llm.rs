//! The door. [`Llm`] holds what all runs of a process share: providers with their pace, the cache,
//! the day's ledger and the tape. It opens no connection before it is asked something.

use std::collections::BTreeMap;
use std::sync::Arc;

use acreta_fs::Directory;
use acreta_redact::Redactor;
use camino::Utf8PathBuf;

use crate::account::Account;
use crate::cache::Cache;
use crate::clock::Chance;
use crate::ledger::Ledger;
use crate::provider::Provider;
use crate::scrub::Scrubber;
use crate::shared::{Shared, Source};
use crate::tape::{Player, Recorder, TapeError};
use crate::{Clock, LlmSession, Run, Settings};

/// Everything from outside that a call needs.
pub struct Surroundings {
    /// Variables as the process was given them; keys are read here and nowhere else.
    pub environment: BTreeMap<String, String>,
    pub redactor: Arc<Redactor>,
    pub stores: Stores,
    /// Where agent programs run; made when the first is asked.
    pub programs: Utf8PathBuf,
    pub clock: Arc<dyn Clock>,
    /// Seed of the pauses between attempts.
    pub seed: u64,
}

/// Where things are kept. What is written there only its owner can read.
#[derive(Debug, Clone)]
pub struct Stores {
    pub cache: Directory,
    /// The day's spending. One directory for all processes of a user.
    pub ledger: Directory,
}

/// Where replies come from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Mode {
    /// Nowhere: every request fails, and nothing touches the network.
    #[default]
    Off,
    /// The providers.
    Live,
    /// The providers, and all replies are added to this file.
    Record(Utf8PathBuf),
    /// This file alone. The run's budget counts, the day's does not, nor does the cache.
    Replay(Utf8PathBuf),
}

/// Language models for all runs of a process. Clones are the same.
#[derive(Clone)]
pub struct Llm {
    shared: Arc<Shared>,
}

impl Llm {
    pub fn new(settings: Settings, around: Surroundings, mode: Mode) -> Result<Self, TapeError> {
        let source = match mode {
            Mode::Off => Source::Off,
            Mode::Live => Source::Providers(None),
            Mode::Record(path) => Source::Providers(Some(Recorder::open(&path)?)),
            Mode::Replay(path) => Source::Tape(Player::open(&path)?),
        };
        let providers = settings
            .providers
            .iter()
            .map(|(name, settings)| (name.clone(), Provider::new(settings)))
            .collect();
        let scrubber = Scrubber::new(around.redactor, &settings, &around.environment);
        let ledger = Ledger::new(&around.stores.ledger, settings.budget.per_day);
        Ok(Self {
            shared: Arc::new(Shared {
                providers,
                scrubber,
                source,
                cache: Cache::new(&around.stores.cache),
                ledger: Arc::new(ledger),
                limits: around.stores.ledger.private(),
                programs: around.programs,
                clock: around.clock,
                seed: around.seed,
                environment: around.environment,
                settings,
            }),
        })
    }

    /// The model that is asked first for a purpose.
    pub(crate) fn choice(&self, purpose: crate::Purpose) -> Option<&crate::ModelChoice> {
        let role = self.shared.settings.roles.get(&purpose)?;
        Some(&role.main)
    }

    /// Starts counting what a run spends.
    pub fn session(&self, run: Run) -> LlmSession {
        let shared = Arc::clone(&self.shared);
        let ledger = match shared.source {
            Source::Off | Source::Providers(_) => Some(Arc::clone(&shared.ledger)),
            Source::Tape(_) => None,
        };
        let budget = shared.settings.budget.per_run;
        let account = Account::new(budget, ledger, Arc::clone(&shared.clock));
        let chance = Chance::new(run.id.bytes().fold(shared.seed, |seed, byte| {
            seed.rotate_left(8) ^ u64::from(byte)
        }));
        LlmSession::new(shared, run, account, chance)
    }
}

impl std::fmt::Debug for Llm {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&String> = self.shared.providers.keys().collect();
        formatter
            .debug_struct("Llm")
            .field("providers", &names)
            .finish_non_exhaustive()
    }
}
