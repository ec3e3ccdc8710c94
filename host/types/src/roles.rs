//! Traits of the plugin roles, and the ports that a plugin calls back on. Implemented by the sandbox for components
//! and by plain structs in tests; callers cannot tell the difference.

use std::sync::{Arc, Mutex};

use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

use crate::{
    Attrs, Call, Candidate, Event, Failure, Finding, PluginInfo, Session, SharedModels, Summary,
};

/// Values shared by all calls of one run.
#[derive(Clone)]
pub struct Job {
    /// The run's time: the only clock a guest sees.
    pub now_ms: u64,
    /// Seed of the guest's random numbers.
    pub seed: u64,
    pub log: Arc<dyn PluginLog>,
    /// The models that the plugin may ask; `None` without a grant.
    pub models: Option<SharedModels>,
}

/// Receives the log lines of guests.
pub trait PluginLog: Send + Sync {
    fn write(&self, plugin: &str, level: &str, message: &str);
}

/// A directory handed to a guest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preopen {
    /// Without links. A link in it was put there after it was granted, and is refused.
    pub host: Utf8PathBuf,
    /// Absolute, as the guest sees it: `/claude`.
    pub guest: String,
}

/// Reads one agent's session files.
pub trait Adapter: Send + Sync {
    fn info(&self) -> &PluginInfo;
    fn describe(&self, job: &Job) -> Call<Description>;
    /// Returns the sessions in one file under `roots`; empty if the file does not belong to this agent.
    fn sessions(&self, job: &Job, roots: &[Preopen], path: &str) -> Call<Vec<Session>>;
    fn read(
        &self,
        job: &Job,
        roots: &[Preopen],
        session: &Session,
        from: &Cursor,
        sink: SharedSink,
    ) -> Call<Cursor>;
}

/// Self-description of an adapter: its agent, and the directories it asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    pub agent: String,
    pub roots: Vec<AdapterRoot>,
    /// Known keys: `deletes_after_days`: after how many days the agent deletes its sessions. `retention_setting`: the
    /// agent's setting that overrides this, as `FILE KEY`; the file is JSON in the root or, with `../`, beside it.
    pub attrs: Attrs,
}

/// A directory that an adapter asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdapterRoot {
    pub name: String,
    pub candidates: Vec<String>,
    pub patterns: Vec<String>,
    pub reason: String,
}

/// Position at which reading stopped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cursor {
    pub offset: u64,
    pub state: Vec<u8>,
}

/// Receives the events and diagnostics of an adapter.
pub trait EventSink: Send {
    fn emit(&mut self, batch: Vec<Event>) -> Result<(), Failure>;
    fn diagnose(&mut self, record: &str, start: u64, end: u64, message: &str);
}

pub type SharedSink = Arc<Mutex<dyn EventSink>>;

/// Proposes memories from a session.
pub trait Extractor: Send + Sync {
    fn info(&self) -> &PluginInfo;
    fn extract(&self, job: &Job, session: &Session, trace: SharedTrace) -> Call<Vec<Candidate>>;
    fn summarise(&self, job: &Job, session: &Session, trace: SharedTrace) -> Call<Summary>;
}

/// Paged reader of the archived trace.
pub trait TraceReader: Send {
    fn count(&self) -> u64;
    /// Returns up to `max_bytes` of text, at least one event; empty at the end.
    fn next(&mut self, max_bytes: u32) -> Result<Vec<Event>, Failure>;
    fn read(&mut self, event_id: &str) -> Result<Option<Event>, Failure>;
    fn find(&mut self, text: &str, limit: u32) -> Result<Vec<Event>, Failure>;
    fn rewind(&mut self);
}

pub type SharedTrace = Arc<Mutex<dyn TraceReader>>;

/// Compares candidates with today's memory.
pub trait Explorer: Send + Sync {
    fn info(&self) -> &PluginInfo;
    fn explore(
        &self,
        job: &Job,
        memory_root: &camino::Utf8Path,
        search: SharedSearch,
        batch: &[Candidate],
    ) -> Call<Vec<Finding>>;
}

/// Search over today's memory.
pub trait MemorySearch: Send + Sync {
    fn find(&self, query: &str, limit: u32, filter: &Attrs) -> Result<Vec<SearchHit>, Failure>;
}

pub type SharedSearch = Arc<dyn MemorySearch>;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchHit {
    pub id: String,
    /// Relative to the memory root.
    pub path: String,
    pub score: f64,
    pub snippet: String,
}

/// Drafts memory files.
pub trait MemoryWriter: Send + Sync {
    fn info(&self) -> &PluginInfo;
    /// Writes the draft into the empty directory `draft`; the caller checks and commits it.
    fn apply(
        &self,
        job: &Job,
        draft: &camino::Utf8Path,
        context: &WriteContext,
        actions: &[WriteAction],
    ) -> Call<Vec<Written>>;
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WriteContext {
    pub run_id: String,
    pub now_ms: u64,
    pub repo_name: String,
    pub raw_trace_path: String,
    pub coding_agent: String,
}

/// A file that the host asks a memory-writer to draft.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WriteAction {
    pub id: String,
    /// `add`, `update` or `merge`.
    pub operation: String,
    pub memory_id: String,
    /// Relative to the memory root; present if the file exists already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current: Option<String>,
    #[serde(default)]
    pub sources: Vec<String>,
    pub created_ms: u64,
    pub updated_ms: u64,
    #[serde(default)]
    pub related: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidate: Option<Candidate>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<Summary>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<Session>,
}

/// A file that was drafted for an action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    pub action_id: String,
    /// Relative to the draft: `<folder of the type>/<name>.md`.
    pub path: String,
}
