//! How the daemon stands, and what happens while somebody listens.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::ReviewCounts;

/// All that is said without a token.
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
    /// Registered ones.
    pub projects: u64,
    pub sessions: Vec<SessionTotals>,
    pub queue: QueueTotals,
    pub memories: MemoryTotals,
    /// What waits for a person in the project that was asked for.
    pub review: ReviewCounts,
    pub schedule: ScheduleView,
}

/// The part of the status that the service knows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServiceStatus {
    /// Registered ones.
    pub projects: u64,
    pub sessions: Vec<SessionTotals>,
    pub queue: QueueTotals,
    /// Of all registered projects and the global memory.
    pub memories: MemoryTotals,
    /// Of the project that was asked for.
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
    /// Failed and tried again later.
    pub failed: u64,
    /// Failed for good, until a person says so.
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
    /// Absent when it is switched off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub every_seconds: Option<u64>,
    /// When one last ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_ms: Option<u64>,
    pub running: bool,
}

/// Something that was logged, as the service numbers it.
#[derive(Debug, Clone, PartialEq)]
pub struct LogEvent {
    /// Grows with every event, also over restarts.
    pub sequence: u64,
    pub at_ms: u64,
    /// `run`, `step`, `plugin`, `log`, `memory`, and what else there is to come.
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
    /// Goes back as `Last-Event-ID`.
    pub id: String,
    pub at_ms: u64,
    /// `job` for the jobs of this server, else what the service calls it.
    pub kind: String,
    /// The new state of a job, else the name of the event.
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Of a job: `job_id`, `job_kind`, and its `progress` or `error` if there is one.
    pub fields: Map<String, Value>,
}

impl LiveEvent {
    /// Whether a listener that asked for one project is told.
    pub fn concerns(&self, project_root: Option<&str>) -> bool {
        match (&self.project, project_root) {
            (Some(project), Some(wanted)) => project == wanted,
            _ => true,
        }
    }
}
