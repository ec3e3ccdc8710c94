//! Language models as a plugin may ask them: through the host, within a run's budget.

use std::sync::Arc;

use camino::Utf8Path;
use serde::{Deserialize, Serialize};

use crate::Failure;

/// The models of one run.
pub trait Models: Send + Sync {
    fn left(&self) -> ModelBudget;
    /// Asks several at once; replies in the order of the requests.
    fn complete_all(&self, requests: &[ModelRequest]) -> Vec<Result<ModelReply, Failure>>;
    /// What was used so far.
    fn usage(&self) -> ModelUsage;
}

pub type SharedModels = Arc<dyn Models>;

/// Where the models of a run come from.
pub trait ModelSource: Send + Sync {
    /// `folder` is where programs that answer for a model run.
    fn session(&self, run_id: &str, folder: &Utf8Path) -> SharedModels;

    /// The model that answers for a purpose, as `provider/model`.
    fn model(&self, _purpose: &str) -> Option<String> {
        None
    }
}

/// What is left of a run's budget; the largest number where there is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelBudget {
    pub calls: u32,
    pub tokens: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelRequest {
    /// Which configured model answers: `extract`, `summarise`, `explore`, `ask`.
    pub purpose: String,
    pub messages: Vec<ModelMessage>,
    /// When set, the reply is JSON that fits this schema.
    pub json_schema: Option<String>,
    pub max_output_tokens: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelMessage {
    /// `system`, `user` or `assistant`.
    pub role: String,
    pub content: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelReply {
    pub content: String,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// Whether it came from the cache and cost nothing.
    pub cached: bool,
}

/// What models were used for, and what it took.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ModelUsage {
    /// Calls to a provider, each retry and repair counted.
    pub calls: u64,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// Replies from the cache.
    pub cached: u64,
    /// In dollars; absent when a model's price is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_dollars: Option<f64>,
    /// Requests that got no reply.
    pub failed: u64,
    /// Why the first of them got none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The stable code of that failure: `budget`, `rate-limited`, `logged-out`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem_code: Option<String>,
    /// The earliest time at which asking again may help, in milliseconds since 1970 UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_at_ms: Option<u64>,
}
