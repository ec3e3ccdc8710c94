//! Figures for charts. Days are UTC and written `2026-01-31`; a day without events may be missing in every list except
//! `growth`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{MemoryType, RunRow, Trust};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Overview {
    pub memories: MemoryCounts,
    /// Oldest day first.
    pub growth: Vec<GrowthDay>,
    /// Number of memories by effective confidence, from lowest to highest.
    pub decay: Vec<DecayBar>,
    pub sessions: Vec<SessionDay>,
    pub runs: RunCounts,
    pub cost: Cost,
    /// Sessions that were read without the configured model and wait for it, one entry per reason.
    pub waiting_for_model: Vec<WaitingForModel>,
    pub denied: Vec<DeniedRow>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryCounts {
    pub by_type: Vec<TypeCount>,
    pub by_trust: Vec<TrustCount>,
    pub active: u64,
    pub archived: u64,
    pub stale: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TypeCount {
    #[serde(rename = "type")]
    pub memory_type: MemoryType,
    pub memories: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TrustCount {
    pub trust: Trust,
    pub memories: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GrowthDay {
    pub day: String,
    pub added: u64,
    pub archived: u64,
    /// Number at the end of the day.
    pub active: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DecayBar {
    /// Lower bound of the confidence, inclusive.
    pub from: f64,
    /// Upper bound of the confidence, exclusive; inclusive for the last bar.
    pub to: f64,
    pub memories: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionDay {
    pub day: String,
    pub agent: String,
    pub sessions: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunCounts {
    pub completed: u64,
    pub failed: u64,
    /// Newest first.
    pub recent: Vec<RunRow>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cost {
    pub days: Vec<CostDay>,
    pub total: CostTotal,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CostDay {
    pub day: String,
    pub calls: u64,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// Absent if the prices are unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dollars: Option<f64>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CostTotal {
    pub calls: u64,
    pub input_tokens: u64,
    pub output_tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dollars: Option<f64>,
}

/// Sessions that wait for a model for the same reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WaitingForModel {
    pub sessions: u64,
    /// Reason, and time of the next attempt.
    pub message: String,
}

/// Something that a plugin tried and was denied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeniedRow {
    pub plugin: String,
    pub operation: String,
    pub path: String,
    pub count: u64,
    pub run_id: String,
}
