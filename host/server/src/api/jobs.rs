//! Long work: asked for, then looked at.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Moment, Problem, TaskState, Text, Whole};

/// What `acreta sync` takes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SyncRequest {
    /// Only the sessions of this agent.
    pub agent: Option<Text<64>>,
    /// Only sessions that changed since then.
    pub since: Option<Moment>,
    /// At most so many sessions are run.
    pub max_sessions: Option<Whole<1, 100_000>>,
    /// Also sessions that memory has already.
    #[serde(default)]
    pub force: bool,
    /// Look, and write nothing.
    #[serde(default)]
    pub dry_run: bool,
}

/// What `acreta maintain` takes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MaintainRequest {
    /// All registered projects unless told.
    pub project_root: Option<Text<4096>>,
    /// Look, and write nothing.
    #[serde(default)]
    pub dry_run: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Accepted {
    pub job_id: String,
    /// `accepted`, or `queued` where the same job was waiting already.
    pub state: TaskState,
    /// Of the request that asked first, where the same job was waiting already.
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
    /// The newest first.
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
    /// What `sync --json` or `maintain --json` prints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Problem>,
    /// Of the request that asked for it; one of its own when the schedule did.
    pub request_id: String,
}

/// How far a job is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobProgress {
    pub done: u64,
    /// Absent while nobody knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    /// What is being done, for a person.
    pub message: String,
}
