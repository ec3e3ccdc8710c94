//! Runs: a row for each, and all that one left behind.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Limit, TaskState, Text, Whole};

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunsQuery {
    /// All registered projects unless told.
    pub project_root: Option<Text<4096>>,
    pub state: Option<TaskState>,
    #[serde(default)]
    pub limit: Limit<50, 500>,
    /// Only runs that started before this time, in milliseconds: the `started_ms` of the last row
    /// of the page before.
    pub before: Option<Whole<0, 9_007_199_254_740_991>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunList {
    /// The newest first.
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
    /// What it did to memory: `add`, `update`, `no_op`, `archived`, or what a maintenance counts.
    pub counts: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunDetail {
    #[serde(flatten)]
    pub row: RunRow,
    /// Where its artifacts are, on this machine.
    pub folder: String,
    /// `memory_actions.json` or `maintain_actions.json`, as it is; absent when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report: Option<Value>,
    /// How long its steps took, in their order; empty where nobody wrote that down.
    pub steps: Vec<StepTime>,
    /// Lines of `agent.log`.
    pub log: Vec<String>,
    /// Lines of `subagents.log`.
    pub findings: Vec<Value>,
    /// From `extract.json`.
    pub candidates: Vec<Value>,
    /// Names of the files in its folder.
    pub artifacts: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StepTime {
    pub step: String,
    pub started_ms: u64,
    /// Absent while it goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_ms: Option<u64>,
}
