//! State that all sessions of a process share.

use std::collections::BTreeMap;
use std::sync::Arc;

use acreta_fs::Directory;
use camino::Utf8PathBuf;

use crate::cache::Cache;
use crate::ledger::Ledger;
use crate::provider::Provider;
use crate::scrub::Scrubber;
use crate::tape::{Player, Recorder};
use crate::{Clock, Settings};

/// What all sessions have in common. Has no `Debug`: the environment holds keys.
pub(crate) struct Shared {
    pub(crate) settings: Settings,
    pub(crate) providers: BTreeMap<String, Provider>,
    pub(crate) environment: BTreeMap<String, String>,
    pub(crate) scrubber: Scrubber,
    pub(crate) source: Source,
    pub(crate) cache: Cache,
    pub(crate) clock: Arc<dyn Clock>,
    /// Where it is kept until when providers take no calls.
    pub(crate) limits: Directory,
    pub(crate) programs: Utf8PathBuf,
    pub(crate) ledger: Arc<Ledger>,
    pub(crate) seed: u64,
}

pub(crate) enum Source {
    Off,
    Providers(Option<Recorder>),
    Tape(Player),
}
