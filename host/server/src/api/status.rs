//! Status of the daemon, and live events.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::ReviewCounts;

/// The only information that needs no token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Health {
    /// `ok`.
    pub status: String,
    pub version: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StatusView {
    pub version: String,
    pub started_ms: u64,
    /// Number of registered projects.
    pub projects: u64,
    pub sessions: Vec<SessionTotals>,
    pub queue: QueueTotals,
    pub memories: MemoryTotals,
    /// Items that wait for review in the requested projects.
    pub review: ReviewCounts,
    pub schedule: ScheduleView,
}

/// The part of the status that comes from the service.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServiceStatus {
    /// Number of registered projects.
    pub projects: u64,
    pub sessions: Vec<SessionTotals>,
    pub queue: QueueTotals,
    /// Memories of all registered projects and the global memory.
    pub memories: MemoryTotals,
    /// Items that wait for review in the requested projects.
    pub review: ReviewCounts,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionTotals {
    pub agent: String,
    pub state: super::SessionState,
    pub sessions: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QueueTotals {
    pub queued: u64,
    pub running: u64,
    /// Failed, and to be retried later.
    pub failed: u64,
    /// Failed permanently, until a person retries it.
    pub dead: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oldest_queued_ms: Option<u64>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryTotals {
    pub active: u64,
    pub archived: u64,
    pub untrusted: u64,
    pub stale: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScheduleView {
    pub sync: ScheduleLine,
    pub maintain: ScheduleLine,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScheduleLine {
    /// Absent if it is switched off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub every_seconds: Option<u64>,
    /// Time when the last one ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_ms: Option<u64>,
    pub running: bool,
}

/// A logged event, numbered by the service.
#[derive(Debug, Clone, PartialEq)]
pub struct LogEvent {
    /// Increases with every event, also across restarts.
    pub sequence: u64,
    pub at_ms: u64,
    /// `run`, `step`, `plugin`, `log`, `memory`, and others in the future.
    pub kind: String,
    pub name: String,
    pub run_id: Option<String>,
    pub request_id: Option<String>,
    /// Path of the project it belongs to.
    pub project: Option<String>,
    pub fields: Map<String, Value>,
}

/// One event of `/api/events`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LiveEvent {
    /// To be sent back as `Last-Event-ID`.
    pub id: String,
    pub at_ms: u64,
    /// `job` for jobs of this server, otherwise the service's kind.
    pub kind: String,
    /// The new state of a job, otherwise the name of the event.
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// For a job: `job_id`, `job_kind`, and its `progress` or `error` if there is one.
    pub fields: Map<String, Value>,
}

impl LiveEvent {
    /// Returns whether a listener for this project gets the event.
    pub fn concerns(&self, project_root: Option<&str>) -> bool {
        match (&self.project, project_root) {
            (Some(project), Some(wanted)) => project == wanted,
            _ => true,
        }
    }
}
