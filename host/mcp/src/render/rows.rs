//! The structures of the results. Their keys and key order are stable; `schema` describes them to clients.

use acreta_types::{MemoryType, Status, Trust};
use serde::Serialize;
use serde_json::Value;

#[derive(Serialize)]
pub(super) struct SearchResult {
    pub(super) notice: &'static str,
    pub(super) query: String,
    pub(super) hits: Vec<HitRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) next_cursor: Option<String>,
    pub(super) tokens: usize,
}

#[derive(Serialize)]
pub(super) struct HitRow {
    pub(super) id: String,
    #[serde(rename = "type")]
    pub(super) memory_type: MemoryType,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) kind: String,
    pub(super) title: String,
    pub(super) snippet: String,
    pub(super) trust: Trust,
    pub(super) status: Status,
    pub(super) scope: String,
    pub(super) source: String,
    pub(super) date: String,
}

#[derive(Serialize)]
pub(super) struct MemoryResult {
    pub(super) notice: &'static str,
    pub(super) id: String,
    #[serde(rename = "type")]
    pub(super) memory_type: MemoryType,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) kind: String,
    pub(super) title: String,
    pub(super) body: String,
    pub(super) tags: Vec<String>,
    pub(super) related: Vec<String>,
    pub(super) path: String,
    pub(super) scope: String,
    pub(super) trust: Trust,
    pub(super) status: Status,
    pub(super) source: String,
    pub(super) date: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) origin: Option<String>,
    pub(super) evidence: Vec<EvidenceRow>,
    pub(super) truncated: bool,
    pub(super) tokens: usize,
}

#[derive(Serialize)]
pub(super) struct SessionsResult {
    pub(super) notice: &'static str,
    pub(super) query: String,
    pub(super) hits: Vec<SessionHitRow>,
    pub(super) tokens: usize,
}

#[derive(Serialize)]
pub(super) struct SessionHitRow {
    pub(super) trust: Trust,
    pub(super) session: String,
    pub(super) title: String,
    #[serde(flatten)]
    pub(super) event: SessionEventRow,
}

#[derive(Serialize)]
pub(super) struct SessionEventRow {
    pub(super) event: String,
    pub(super) role: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tool: Option<String>,
    pub(super) date: String,
    pub(super) text: String,
}

#[derive(Serialize)]
pub(super) struct SessionResult {
    pub(super) notice: &'static str,
    pub(super) session: String,
    pub(super) title: String,
    pub(super) events: Vec<SessionEventRow>,
    pub(super) offset: usize,
    pub(super) total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) next_offset: Option<usize>,
    pub(super) tokens: usize,
}

#[derive(Serialize)]
pub(super) struct EvidenceRow {
    pub(super) source: String,
    pub(super) date: String,
    pub(super) role: String,
    pub(super) quote: String,
}

#[derive(Serialize)]
pub(super) struct AddedResult {
    pub(super) action: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) path: Option<String>,
    pub(super) message: String,
    pub(super) tokens: usize,
}

#[derive(Serialize)]
pub(super) struct NotedResult {
    pub(super) status: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<String>,
    pub(super) similar: Vec<SimilarRow>,
    pub(super) message: String,
    pub(super) tokens: usize,
}

#[derive(Serialize)]
pub(super) struct ForgottenResult {
    pub(super) message: String,
    pub(super) tokens: usize,
}

#[derive(Serialize)]
pub(super) struct SimilarRow {
    pub(super) id: String,
    pub(super) title: String,
}

#[derive(Serialize)]
pub(super) struct ChangedResult {
    pub(super) id: String,
    pub(super) path: String,
    pub(super) changed: bool,
    pub(super) message: String,
    pub(super) tokens: usize,
}

#[derive(Serialize)]
pub(super) struct ReportResult {
    pub(super) notice: &'static str,
    pub(super) report: Value,
    pub(super) tokens: usize,
}

#[derive(Serialize)]
pub(super) struct AnswerResult {
    pub(super) notice: &'static str,
    pub(super) question: String,
    pub(super) answered: bool,
    pub(super) answer: String,
    pub(super) sources: Vec<SourceRow>,
    /// The nearest memories, if the question is not answered.
    pub(super) nearest: Vec<SourceRow>,
    /// What was said about it in earlier sessions, if the question is not answered.
    pub(super) sessions: Vec<SessionHitRow>,
    pub(super) by: String,
    pub(super) truncated: bool,
    pub(super) tokens: usize,
}

#[derive(Serialize)]
pub(super) struct SourceRow {
    pub(super) number: usize,
    pub(super) id: String,
    pub(super) title: String,
    pub(super) path: String,
    pub(super) scope: String,
    pub(super) trust: Trust,
    pub(super) source: String,
    pub(super) date: String,
    pub(super) passage: String,
    pub(super) sure: u8,
}
