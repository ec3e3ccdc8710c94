//! Labels of a session (what should be remembered) and results of an extractor.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The labels of one session.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Label {
    /// Path of the session file, below the folder of sessions.
    pub file: String,
    /// Id of the session, for a file that holds several.
    pub session: Option<String>,
    pub agent: String,
    /// `memories`, or `nothing` if nothing is worth keeping.
    pub verdict: String,
    pub gold: Vec<LabelItem>,
    /// True and harmless, but minor.
    pub acceptable: Vec<LabelItem>,
    /// Statements that were retracted, or that nobody wanted.
    pub traps: Vec<LabelItem>,
    /// Facts that a summary should name, each in any of its wordings.
    pub summary_facts: Vec<Vec<String>>,
}

/// A memory that may be found.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct LabelItem {
    pub id: String,
    #[serde(rename = "type")]
    pub memory_type: String,
    pub also_type: Vec<String>,
    pub kind: Option<String>,
    pub importance: u64,
    pub statement: String,
    /// One member of each group must occur in the text.
    pub key_terms: Vec<Vec<String>>,
    /// The passages of the session that support it.
    pub evidence: Vec<Passage>,
}

/// A passage of a session, as a label quotes it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Passage {
    pub line: u64,
    pub quote: String,
}

/// Results for one session.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Extracted {
    pub candidates: Vec<Proposal>,
    pub summary: String,
    /// The text of every event that a candidate cites, by event id.
    #[serde(skip)]
    pub cited: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Proposal {
    #[serde(rename = "type")]
    pub memory_type: String,
    pub kind: String,
    pub title: String,
    pub body: String,
    pub confidence: f64,
    #[serde(skip_serializing)]
    pub evidence: Vec<Citation>,
}

/// An event that a candidate cites.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Citation {
    pub event_id: String,
}
