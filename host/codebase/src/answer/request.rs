//! Requests, as the HTTP interface accepts them.

use acreta_types::Detail;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Maximum number of entries in each list.
pub(crate) fn entries(detail: Detail) -> usize {
    match detail {
        Detail::Compact => 8,
        Detail::Normal => 20,
        Detail::Verbose => 60,
    }
}

/// Maximum number of changed files that are listed.
pub(crate) fn changes(detail: Detail) -> usize {
    match detail {
        Detail::Compact => 40,
        Detail::Normal => 400,
        Detail::Verbose => 100_000,
    }
}

/// One question about a project.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ContextRequest")]
#[serde(default, deny_unknown_fields)]
pub struct Request {
    /// Reread every file.
    pub refresh: bool,
    pub detail: Detail,
    /// A task in words; files are ranked by relevance to it.
    #[schemars(length(min = 1, max = 2000))]
    pub query: Option<String>,
    /// Maximum number of tokens (estimated) of the answer.
    #[schemars(range(min = 100, max = 100_000))]
    pub budget: Option<usize>,
    /// A git revision to compare with, instead of the artifact.
    #[schemars(length(min = 1, max = 200))]
    pub since: Option<String>,
}

/// Source of hints from memory about the files of a project.
pub trait MemoryHints: Sync {
    /// Returns how relevant memory considers a path for this query, from 0 (not at all) to 1.
    fn weight(&self, path: &str, query: &str) -> f64;
}
