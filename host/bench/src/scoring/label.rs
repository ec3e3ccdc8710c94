//! What a labelled session says should be remembered of it, and what an extractor proposed.

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
    /// `memories`, or `nothing` when nothing is worth keeping.
    pub verdict: String,
    pub gold: Vec<Item>,
    /// True and harmless, but minor.
    pub acceptable: Vec<Item>,
    /// What was retracted, or never was anybody's will.
    pub traps: Vec<Item>,
    /// Facts a summary should name: each by any of its wordings.
    pub summary_facts: Vec<Vec<String>>,
}

/// Something that may be found.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Item {
    pub id: String,
    #[serde(rename = "type")]
    pub memory_type: String,
    pub also_type: Vec<String>,
    pub kind: Option<String>,
    pub importance: u64,
    pub statement: String,
    /// Of each group one member must stand in the text.
    pub key_terms: Vec<Vec<String>>,
    /// The passages of the session that say it.
    pub evidence: Vec<Passage>,
}

/// A passage of a session, as a label quotes it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Passage {
    pub line: u64,
    pub quote: String,
}

/// What was extracted from one session.
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
