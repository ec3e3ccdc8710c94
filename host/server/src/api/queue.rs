//! The durable queue of sessions to run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::TaskState;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QueueQuery {
    pub state: Option<TaskState>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QueueList {
    /// In the order in which they are claimed.
    pub jobs: Vec<QueueJob>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QueueJob {
    pub id: String,
    pub agent: String,
    pub session_id: String,
    pub project: String,
    /// Reason why it was enqueued: `sync`, `hot`, `cold`.
    pub mode: String,
    pub state: TaskState,
    /// Dead letter: not tried again until a person asks for it.
    pub dead: bool,
    /// Number of attempts, including the running one.
    pub attempt: u32,
    /// Earliest time of the next attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_before_ms: Option<u64>,
    pub created_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished_ms: Option<u64>,
    /// Reason why the last attempt failed, or why the job was cancelled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// Id of its last run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueueAction {
    Retry,
    Skip,
    Cancel,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QueueChanged {
    pub id: String,
    pub changed: bool,
    pub message: String,
}
