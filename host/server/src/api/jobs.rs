//! Jobs: long work that is requested first and queried later.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Problem, TaskState};

/// Options of a sync, as for `acreta sync`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SyncRequest {
    /// Only sessions of this agent.
    #[schemars(length(min = 1, max = 64))]
    pub agent: Option<String>,
    /// Only sessions that changed since this time: `2026-01-31`, `2026-01-31T12:00:00Z`, `7d`.
    #[schemars(length(min = 1, max = 40))]
    pub since: Option<String>,
    /// Maximum number of sessions to run.
    #[schemars(range(min = 1, max = 100_000))]
    pub max_sessions: Option<u64>,
    /// Include sessions that were processed already.
    #[serde(default)]
    pub force: bool,
    /// Change nothing; only report what would be done.
    #[serde(default)]
    pub dry_run: bool,
}

/// Options of a maintenance, as for `acreta maintain`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MaintainRequest {
    /// Default: all registered projects.
    #[schemars(length(min = 1, max = 4096))]
    pub project_root: Option<String>,
    /// Change nothing; only report what would be done.
    #[serde(default)]
    pub dry_run: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Accepted {
    pub job_id: String,
    /// `accepted`, or `queued` if an identical job was waiting already.
    pub state: TaskState,
    /// Id of the request that created the job, which is an earlier one if an identical job was waiting already.
    pub request_id: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JobKind {
    Sync,
    Maintain,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JobList {
    /// Newest first.
    pub jobs: Vec<JobView>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JobView {
    pub id: String,
    pub kind: JobKind,
    pub state: TaskState,
    pub created_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<JobProgress>,
    /// The output of `sync --json` or `maintain --json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Problem>,
    /// Id of the request that created the job; a new id if the schedule created it.
    pub request_id: String,
}

/// Progress of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobProgress {
    pub done: u64,
    /// Absent while unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    /// Description of the current step, for a person.
    pub message: String,
}
