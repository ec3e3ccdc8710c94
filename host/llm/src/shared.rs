//! State that all sessions of a process share.

use std::collections::BTreeMap;
use std::sync::Arc;

use acreta_fs::Directory;
use camino::Utf8PathBuf;

use crate::cache::Cache;
use crate::ledger::DayLedger;
use crate::provider::Provider;
use crate::scrub::Scrubber;
use crate::tape::{Player, TapeRecorder};
use crate::{Clock, Settings};

/// State of all sessions. Has no `Debug`, because the environment contains keys.
pub(crate) struct SharedModelState {
    pub(crate) settings: Settings,
    pub(crate) providers: BTreeMap<String, Provider>,
    pub(crate) environment: BTreeMap<String, String>,
    pub(crate) scrubber: Scrubber,
    pub(crate) source: ReplySource,
    pub(crate) cache: Cache,
    pub(crate) clock: Arc<dyn Clock>,
    /// Directory that stores until when providers accept no calls.
    pub(crate) limits: Directory,
    pub(crate) programs: Utf8PathBuf,
    pub(crate) ledger: Arc<dyn DayLedger>,
    pub(crate) seed: u64,
}

pub(crate) enum ReplySource {
    Off,
    Providers(Option<TapeRecorder>),
    Tape(Player),
}
