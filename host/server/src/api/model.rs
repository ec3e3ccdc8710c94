//! Who reads sessions, what that may cost, and a trial.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{MemoryType, SpendToday, Text};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelView {
    /// `PROVIDER` or `PROVIDER/MODEL`; absent when nobody is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current: Option<String>,
    /// Whoever could read sessions on this machine.
    pub found: Vec<ModelChoice>,
    pub spend: SpendToday,
    /// Providers that take no calls for now, a sentence for each.
    pub blocked: Vec<String>,
}

/// Something that could read sessions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelChoice {
    /// As `choose_model` takes it.
    pub name: String,
    pub label: String,
    /// `plan`, `local` or `api-key`.
    pub access: String,
    /// `ready`, `logged-out` or `unknown`.
    pub readiness: String,
    /// Where sessions go.
    pub destination: String,
    /// The command that makes it ready.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChosenModel {
    /// `PROVIDER` or `PROVIDER/MODEL`; nobody is asked any more when it is absent.
    pub name: Option<Text<200>>,
}

/// One session as the model read it; nothing of it is kept.
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
    /// Why a request got no reply.
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
