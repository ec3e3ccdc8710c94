//! Interfaces that the caller of a sync implements: plugins, loaded only when needed, settings per project, the time,
//! and progress callbacks.

use std::collections::BTreeMap;
use std::sync::Arc;

use acreta_pipeline::{Plugins, RunOptions, TodoState};
use acreta_types::{Adapter, AdapterRoot, Description};
use camino::{Utf8Path, Utf8PathBuf};

/// An available adapter that is not loaded yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdapterEntry {
    pub id: String,
    /// SHA-256 of the component, in hex: its cached description is valid while this does not change.
    pub digest: String,
    /// Folders that a person chose instead of the adapter's candidates, by the name of the root.
    pub roots: BTreeMap<String, Utf8PathBuf>,
    /// Its description, if known without asking the adapter.
    pub described: Option<Description>,
    /// The only roots it may have; `None` if its own description applies.
    pub granted: Option<Vec<AdapterRoot>>,
    /// The projects that it may speak for, by their roots; `None` for a built-in adapter, which may for all.
    pub speaks_for: Option<Vec<Utf8PathBuf>>,
}

impl AdapterEntry {
    /// Returns true if sessions of this adapter may become memory of a project, wherever their files are.
    pub(crate) fn may_speak_for(&self, project: &Utf8Path) -> bool {
        let projects = self.speaks_for.as_ref();
        projects.is_none_or(|projects| projects.iter().any(|known| known == project))
    }
}

/// Returns the name under which the sessions of an adapter that is not built in are known everywhere: `AGENT@PLUGIN`.
/// No other adapter's sessions can have it, so that such an adapter speaks neither as a built-in agent nor as a person.
pub fn agent_of_plugin(agent: &str, plugin: &str) -> String {
    format!("{}@{plugin}", own_agent_name(agent, plugin))
}

/// Returns true if an agent's sessions come from an adapter that is not built in.
pub fn is_of_plugin(agent: &str) -> bool {
    agent.contains('@')
}

/// The sessions of one pass of a sync.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pass {
    All,
    BuiltIn,
    Plugins,
}

impl Pass {
    /// Returns the passes of a sync. Sessions of adapters that are not built in come last: one that loops until its limit
    /// delays no other agent's.
    pub(crate) fn of(adapters: &[AdapterEntry]) -> &'static [Self] {
        match adapters.iter().any(|entry| entry.speaks_for.is_some()) {
            true => &[Pass::BuiltIn, Pass::Plugins],
            false => &[Pass::All],
        }
    }

    pub(crate) fn has(self, agent: &str) -> bool {
        match self {
            Pass::All => true,
            Pass::BuiltIn => !is_of_plugin(agent),
            Pass::Plugins => is_of_plugin(agent),
        }
    }
}

/// Returns the agent's name as the adapter itself knows it.
pub fn own_agent_name<'a>(agent: &'a str, plugin: &str) -> &'a str {
    let own = agent.strip_suffix(plugin);
    own.and_then(|own| own.strip_suffix('@')).unwrap_or(agent)
}

/// The memory that a run writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// Memory of the project with this main checkout.
    Project(Utf8PathBuf),
    Global,
}

/// Plugins, settings and the time.
pub trait SyncEnvironment: Sync {
    /// Returns the adapters with a grant, in the order they are asked.
    fn adapters(&self) -> &[AdapterEntry];
    /// Loads an adapter; returns the reason on failure.
    fn adapter(&self, id: &str) -> Result<Arc<dyn Adapter>, String>;
    /// Returns the plugins and settings of a run in a scope, or the reason why there are none.
    fn run(&self, scope: &Scope) -> Result<(Plugins, RunOptions), String>;
    /// Returns true if a model is configured to read the sessions of a scope. Loads no plugin.
    fn has_model(&self, _scope: &Scope) -> bool {
        false
    }
    /// Milliseconds since 1970.
    fn now_ms(&self) -> u64;
}

/// The stages of a sync that take time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Asking adapters about new or changed files.
    Look,
    /// Archiving raw sessions.
    Rescue,
    /// Draining the queue.
    Run,
}

/// Progress callbacks of a sync. Every method does nothing by default.
pub trait Watcher: Sync {
    /// A stage begins, with the number of its items.
    fn begin(&self, _stage: Stage, _total: u64) {}
    /// One more item of the stage is done.
    fn advance(&self, _stage: Stage, _name: &str) {}
    /// A run progresses.
    fn step(&self, _session: &str, _step: &'static str, _state: TodoState) {}
    /// A named point is passed; a test may end the process here.
    fn fault_point(&self, _point: &str) {}
    /// Polled between two items: returns true if a person wants to stop.
    fn is_interrupted(&self) -> bool {
        false
    }
}
