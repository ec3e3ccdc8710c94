//! The model that reads sessions, its possible cost, and a trial.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{MemoryType, SpendToday, Text};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelView {
    /// `PROVIDER` or `PROVIDER/MODEL`; absent if no model is used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current: Option<String>,
    /// Everything on this machine that could read sessions.
    pub found: Vec<ModelChoice>,
    pub spend: SpendToday,
    /// Providers that accept no calls at present, one sentence each.
    pub blocked: Vec<String>,
}

/// A model or program that could read sessions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelChoice {
    /// Name that `choose_model` accepts.
    pub name: String,
    pub label: String,
    /// `plan`, `local` or `api-key`.
    pub access: String,
    /// `ready`, `logged-out` or `unknown`.
    pub readiness: String,
    /// Destination of the text of sessions.
    pub destination: String,
    /// The command that makes it ready.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChosenModel {
    /// `PROVIDER` or `PROVIDER/MODEL`; absent to stop using a model.
    pub name: Option<Text<200>>,
}

/// Trial reading of one session by the model; nothing is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelTrial {
    pub reader: String,
    pub agent: String,
    pub session_id: String,
    pub events: u64,
    pub found: Vec<TrialFinding>,
    pub calls: u64,
    pub input_tokens: u64,
    pub output_tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_dollars: Option<f64>,
    /// Reason why a request got no reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    pub total_ms: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TrialFinding {
    #[serde(rename = "type")]
    pub memory_type: MemoryType,
    pub kind: String,
    pub title: String,
    pub body: String,
    pub quotes: Vec<String>,
}
