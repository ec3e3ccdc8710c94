//! The entry point. [`Llm`] holds the state that all runs of a process share: providers with their rate limits, the
//! cache, the daily ledger and the tape. It opens no connection before the first request.

use std::collections::BTreeMap;
use std::sync::Arc;

use acreta_fs::Directory;
use acreta_redact::Redactor;
use camino::Utf8PathBuf;

use crate::account::RunAccount;
use crate::cache::Cache;
use crate::clock::PseudoRandom;
use crate::ledger::DayLedger;
use crate::provider::Provider;
use crate::scrub::Scrubber;
use crate::shared::{ReplySource, SharedModelState};
use crate::tape::{Player, TapeError, TapeRecorder};
use crate::{Clock, LlmSession, Run, Settings};

/// External inputs of a call.
pub struct Surroundings {
    /// Environment variables of the process; keys are read only from here.
    pub environment: BTreeMap<String, String>,
    pub redactor: Arc<Redactor>,
    pub stores: Stores,
    /// The day's spending of all processes that share its limits.
    pub ledger: Arc<dyn DayLedger>,
    /// Folder in which agent programs run; created at the first use.
    pub programs: Utf8PathBuf,
    pub clock: Arc<dyn Clock>,
    /// Seed of the retry backoff.
    pub seed: u64,
}

/// Storage directories. Files in them are readable only by their owner.
#[derive(Debug, Clone)]
pub struct Stores {
    pub cache: Directory,
    /// Until when providers accept no calls. One directory for all processes of a user.
    pub limits: Directory,
}

/// Source of replies.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Mode {
    /// None: every request fails, and nothing touches the network.
    #[default]
    Off,
    /// The providers.
    Live,
    /// The providers; all replies are appended to this file.
    Record(Utf8PathBuf),
    /// Only this file. The run's budget applies; the day's budget and the cache are not used.
    Replay(Utf8PathBuf),
}

/// Language models for all runs of a process. Clones share their state.
#[derive(Clone)]
pub struct Llm {
    shared: Arc<SharedModelState>,
}

impl Llm {
    pub fn new(settings: Settings, around: Surroundings, mode: Mode) -> Result<Self, TapeError> {
        let source = match mode {
            Mode::Off => ReplySource::Off,
            Mode::Live => ReplySource::Providers(None),
            Mode::Record(path) => ReplySource::Providers(Some(TapeRecorder::open(&path)?)),
            Mode::Replay(path) => ReplySource::Tape(Player::open(&path)?),
        };
        let providers = settings
            .providers
            .iter()
            .map(|(name, settings)| (name.clone(), Provider::new(settings)))
            .collect();
        let scrubber = Scrubber::new(around.redactor, &settings, &around.environment);
        Ok(Self {
            shared: Arc::new(SharedModelState {
                providers,
                scrubber,
                source,
                cache: Cache::new(&around.stores.cache),
                ledger: around.ledger,
                limits: around.stores.limits.private(),
                programs: around.programs,
                clock: around.clock,
                seed: around.seed,
                environment: around.environment,
                settings,
            }),
        })
    }

    /// Returns the first model for a purpose.
    pub(crate) fn choice(&self, purpose: crate::Purpose) -> Option<&crate::ModelChoice> {
        let role = self.shared.settings.roles.get(&purpose)?;
        Some(&role.main)
    }

    /// Starts the accounting of a run.
    pub fn session(&self, run: Run) -> LlmSession {
        let shared = Arc::clone(&self.shared);
        let ledger = match shared.source {
            ReplySource::Off | ReplySource::Providers(_) => Some(Arc::clone(&shared.ledger)),
            ReplySource::Tape(_) => None,
        };
        let budget = shared.settings.budget;
        let account = RunAccount::new(budget, ledger, Arc::clone(&shared.clock));
        let chance = PseudoRandom::new(run.id.bytes().fold(shared.seed, |seed, byte| {
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
