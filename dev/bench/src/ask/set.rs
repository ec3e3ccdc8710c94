//! The file of questions: projects with their memories, and questions with the memories that answer them.

use std::path::Path;

use serde::Deserialize;

use crate::Outcome;

#[derive(Deserialize)]
pub(crate) struct Set {
    pub(crate) projects: Vec<ProjectSet>,
}

#[derive(Deserialize)]
pub(crate) struct ProjectSet {
    pub(crate) name: String,
    pub(crate) memories: Vec<MemoryText>,
    pub(crate) questions: Vec<Question>,
}

#[derive(Deserialize)]
pub(crate) struct MemoryText {
    pub(crate) id: String,
    #[serde(rename = "type")]
    pub(crate) memory_type: String,
    #[serde(default)]
    pub(crate) kind: Option<String>,
    pub(crate) title: String,
    pub(crate) body: String,
}

#[derive(Deserialize)]
pub(crate) struct Question {
    #[serde(rename = "q")]
    pub(crate) text: String,
    /// Ids of memories that answer it; empty if none does.
    #[serde(rename = "answer")]
    pub(crate) answers: Vec<String>,
    /// The sentence that answers it.
    #[serde(default)]
    pub(crate) quote: String,
}

impl Set {
    pub(crate) fn read(file: &Path) -> Outcome<Self> {
        let text = std::fs::read_to_string(file)
            .map_err(|error| format!("{}: {error}", file.display()))?;
        let set =
            serde_json::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(set)
    }
}
