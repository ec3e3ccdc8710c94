//! Language models as plugins ask them: through the host, within a run's budget.

use std::sync::Arc;

use camino::Utf8Path;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Failure;

/// The models of one run.
pub trait Models: Send + Sync {
    fn left(&self) -> ModelBudget;
    /// Sends several requests at once; returns the replies in the order of the requests.
    fn complete_all(&self, requests: &[ModelRequest]) -> Vec<Result<ModelReply, Failure>>;
    /// Returns the usage so far.
    fn usage(&self) -> ModelUsage;
}

pub type SharedModels = Arc<dyn Models>;

/// Creates the models of a run.
pub trait ModelSource: Send + Sync {
    /// Opens the models of one run. `folder` is the working directory of programs that answer for a model.
    fn session(&self, run_id: &str, folder: &Utf8Path) -> SharedModels;

    /// Returns the model that answers for a purpose, as `provider/model`.
    fn model(&self, _purpose: &str) -> Option<String> {
        None
    }
}

/// Remainder of a run's budget; the largest number if there is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelBudget {
    pub calls: u32,
    pub tokens: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelRequest {
    /// Selects the configured model: `extract`, `summarise`, `explore`, `ask`.
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
    /// True if the reply came from the cache and cost nothing.
    pub cached: bool,
}

/// Usage of models: calls, tokens, cost and failures.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct ModelUsage {
    /// Calls to a provider; each retry and repair counts.
    pub calls: u64,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// The part of these tokens that nobody counted: a failed call that may have been billed is charged the most that it
    /// could take.
    #[serde(skip_serializing_if = "is_zero")]
    pub assumed_input_tokens: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub assumed_output_tokens: u64,
    /// Replies from the cache.
    pub cached: u64,
    /// In dollars; absent if the price of a model is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_dollars: Option<f64>,
    /// Requests that got no reply.
    pub failed: u64,
    /// Message of the first failed request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The stable code of that failure: `budget`, `rate-limited`, `logged-out`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem_code: Option<String>,
    /// The earliest time at which asking again may help, in milliseconds since 1970 UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_at_ms: Option<u64>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}
