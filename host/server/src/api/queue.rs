//! The durable queue: sessions that wait to be run.

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
    /// In the order in which they are taken.
    pub jobs: Vec<QueueJob>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QueueJob {
    pub id: String,
    pub agent: String,
    pub session_id: String,
    pub project: String,
    /// Why it was put down: `sync`, `hot`, `cold`.
    pub mode: String,
    pub state: TaskState,
    /// Nothing is done with it until a person says so.
    pub dead: bool,
    /// Attempts that were made, with the one that runs.
    pub attempt: u32,
    /// It is not tried before this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_before_ms: Option<u64>,
    pub created_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished_ms: Option<u64>,
    /// Why the last attempt did not succeed, or why it was cancelled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// Its last run.
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
