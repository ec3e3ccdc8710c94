//! Searching memory, and asking it questions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Limit, MemoryType, Moment, Offset, ScopeMode, Status, Text, Trust};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchQuery {
    pub q: Text<2000>,
    pub project_root: Option<Text<4096>>,
    /// All registered projects, and the global memory.
    #[serde(default)]
    pub all_projects: bool,
    #[serde(rename = "type")]
    pub memory_type: Option<MemoryType>,
    pub kind: Option<Text<64>>,
    pub tag: Option<Text<64>>,
    pub agent: Option<Text<64>>,
    pub trust: Option<Trust>,
    /// Default: `active`.
    pub status: Option<Status>,
    pub since: Option<Moment>,
    /// Default: the configured scope.
    pub scope: Option<ScopeMode>,
    #[serde(default)]
    pub limit: Limit<20, 100>,
    #[serde(default)]
    pub offset: Offset,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchPage {
    pub query: String,
    /// Best hits first.
    pub hits: Vec<SearchHit>,
    /// More hits follow.
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
    /// Byte ranges of the snippet that match the query, as start and end.
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
    /// False if memory does not surely answer the question.
    pub answered: bool,
    /// One or two passages of memory, or sentences of a model with a source each; empty if the question is not answered.
    pub answer: String,
    pub sources: Vec<AskSource>,
    /// The nearest memories, if the question is not answered.
    pub nearest: Vec<AskSource>,
    /// `passages` or `model`.
    pub by: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AskSource {
    /// Number by which the answer refers to it.
    pub number: u64,
    pub id: String,
    pub scope: String,
    pub title: String,
    pub path: String,
    pub trust: Trust,
    /// Sentences of it that perhaps answer; empty if none is near, or if a model answered.
    pub passage: String,
    /// How sure it is that they answer, in percent; 0 if a model answered.
    pub sure: u64,
}
