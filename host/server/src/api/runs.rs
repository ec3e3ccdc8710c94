//! Runs: rows, and everything that one run recorded.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Limit, TaskState, Text, Whole};

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunsQuery {
    /// Default: all registered projects.
    pub project_root: Option<Text<4096>>,
    pub state: Option<TaskState>,
    #[serde(default)]
    pub limit: Limit<50, 500>,
    /// Only runs that started before this time, in milliseconds: the `started_ms` of the last row of the previous page.
    pub before: Option<Whole<0, 9_007_199_254_740_991>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunList {
    /// Newest first.
    pub runs: Vec<RunRow>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunRow {
    pub run_id: String,
    /// `sync`, `hot`, `cold`, `maintain`, `run`.
    pub mode: String,
    pub project: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    pub state: TaskState,
    pub started_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished_ms: Option<u64>,
    /// Changes to memory: `add`, `update`, `no_op`, `archived`, or the counts of a maintenance.
    pub counts: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunDetail {
    #[serde(flatten)]
    pub row: RunRow,
    /// Folder of its artifacts on this machine.
    pub folder: String,
    /// Contents of `memory_actions.json` or `maintain_actions.json`; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report: Option<Value>,
    /// Durations of its steps, in order; empty if they were not recorded.
    pub steps: Vec<StepTime>,
    /// Lines of `agent.log`.
    pub log: Vec<String>,
    /// Lines of `subagents.log`.
    pub findings: Vec<Value>,
    /// Contents of `extract.json`.
    pub candidates: Vec<Value>,
    /// Names of the files in its folder.
    pub artifacts: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StepTime {
    pub step: String,
    pub started_ms: u64,
    /// Absent while it is running.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_ms: Option<u64>,
}
