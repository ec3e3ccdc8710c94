//! Finding memories, and asking them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Limit, MemoryType, Moment, Offset, ScopeMode, Status, Text, Trust};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchQuery {
    pub q: Text<2000>,
    pub project_root: Option<Text<4096>>,
    #[serde(rename = "type")]
    pub memory_type: Option<MemoryType>,
    pub kind: Option<Text<64>>,
    pub tag: Option<Text<64>>,
    pub agent: Option<Text<64>>,
    pub trust: Option<Trust>,
    /// `active` unless told.
    pub status: Option<Status>,
    pub since: Option<Moment>,
    /// What the configuration says unless told.
    pub scope: Option<ScopeMode>,
    #[serde(default)]
    pub limit: Limit<20, 100>,
    #[serde(default)]
    pub offset: Offset,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchPage {
    pub query: String,
    /// The best first.
    pub hits: Vec<SearchHit>,
    /// Whether something comes after them.
    pub more: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchHit {
    pub id: String,
    pub scope: String,
    #[serde(rename = "type")]
    pub memory_type: MemoryType,
    pub kind: String,
    pub title: String,
    pub path: String,
    pub trust: Trust,
    pub status: Status,
    pub score: f64,
    pub snippet: String,
    /// Bytes of the snippet that fit the query, from and to.
    pub marks: Vec<(u64, u64)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AskRequest {
    pub question: Text<4000>,
    pub project_root: Option<Text<4096>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AskAnswer {
    pub question: String,
    /// False when nothing in memory answers the question.
    pub answered: bool,
    /// One or two sentences of memory, or a model's with a source each; empty when it is not answered.
    pub answer: String,
    pub sources: Vec<AskSource>,
    /// The memories nearest to a question that is not answered.
    pub nearest: Vec<AskSource>,
    /// `passages` or `model`.
    pub by: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AskSource {
    /// As the answer names it.
    pub number: u64,
    pub id: String,
    pub scope: String,
    pub title: String,
    pub path: String,
    pub trust: Trust,
}
