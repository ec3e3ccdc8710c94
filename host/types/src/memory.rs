//! Values that extractors and explorers return.

use serde::{Deserialize, Serialize};

use crate::Attrs;

/// A verbatim quote of one event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    pub event_id: String,
    pub quote: String,
}

/// A memory that an extractor proposes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    pub id: String,
    /// `decision` or `learning`, as the extractor spelled it.
    #[serde(rename = "type")]
    pub category: String,
    /// For a learning one of the registry's kinds; empty for a decision.
    pub kind: String,
    pub title: String,
    pub body: String,
    pub confidence: f32,
    pub tags: Vec<String>,
    pub evidence: Vec<Evidence>,
    #[serde(default, skip_serializing_if = "Attrs::is_empty")]
    pub attrs: Attrs,
}

/// Summary of a session, for a reader who was not there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    pub title: String,
    pub description: String,
    pub body: String,
    pub tags: Vec<String>,
    pub evidence: Vec<Evidence>,
    #[serde(default, skip_serializing_if = "Attrs::is_empty")]
    pub attrs: Attrs,
}

/// An explorer's statement about a candidate, compared with today's memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    pub candidate_id: String,
    pub action_hint: String,
    /// Relative to the memory root.
    pub matched_file: Option<String>,
    pub overlap: f32,
    pub evidence: String,
    #[serde(default, skip_serializing_if = "Attrs::is_empty")]
    pub attrs: Attrs,
}
