//! The process that answers, and live events.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The only information that needs no token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Health {
    /// `ok`.
    pub status: String,
    pub version: String,
}

/// The process that answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DaemonStatus {
    pub version: String,
    pub started_ms: u64,
    pub schedule: ScheduleView,
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
