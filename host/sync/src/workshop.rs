//! What a sync is given by whoever calls it: plugins, which are loaded only when they are needed,
//! settings per project, the time, and somebody who looks on.

use std::collections::BTreeMap;
use std::sync::Arc;

use acreta_lead::{Plugins, RunOptions, TodoState};
use acreta_model::{Adapter, AdapterRoot, Description};
use camino::Utf8PathBuf;

/// An adapter that may be asked, not yet loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdapterEntry {
    pub id: String,
    /// SHA-256 of the component, in hex: what it asks for is known as long as this does not change.
    pub digest: String,
    /// Folders a person chose instead of those the adapter looks for, by the name of the root.
    pub roots: BTreeMap<String, Utf8PathBuf>,
    /// Its description, where it is known without asking the adapter.
    pub described: Option<Description>,
    /// The only roots it may have; none where what it describes itself counts.
    pub granted: Option<Vec<AdapterRoot>>,
}

/// Whose memory a run writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// Of the project with this main checkout.
    Project(Utf8PathBuf),
    Global,
}

/// Plugins, settings and the time.
pub trait Workshop: Sync {
    /// The adapters that are granted something, in the order they are asked.
    fn adapters(&self) -> &[AdapterEntry];
    /// Loads an adapter; says why not.
    fn adapter(&self, id: &str) -> Result<Arc<dyn Adapter>, String>;
    /// The plugins and settings of a run in a scope; says why there are none.
    fn run(&self, scope: &Scope) -> Result<(Plugins, RunOptions), String>;
    /// Reports whether a model is to read the sessions of a scope. Loads no plugin.
    fn has_model(&self, _scope: &Scope) -> bool {
        false
    }
    /// Milliseconds since 1970.
    fn now_ms(&self) -> u64;
}

/// The parts of a sync that take time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Asking adapters about files that are new or changed.
    Look,
    /// Archiving raw sessions.
    Rescue,
    /// Working through the queue.
    Run,
}

/// Looks on at a sync. Every method does nothing unless it is said otherwise.
pub trait Watcher: Sync {
    /// A stage begins, with so many things to do.
    fn begin(&self, _stage: Stage, _total: u64) {}
    /// One more is done, or (with an empty name) counted in later.
    fn advance(&self, _stage: Stage, _name: &str) {}
    /// A run goes on.
    fn step(&self, _session: &str, _step: &'static str, _state: TodoState) {}
    /// A named point is passed; a test may end the process here.
    fn passing(&self, _point: &str) {}
    /// Asked between two things: whether a person wants to stop.
    fn is_interrupted(&self) -> bool {
        false
    }
}
