//! What can be asked, as the HTTP envelope has it.

use acreta_model::Detail;
use serde::{Deserialize, Serialize};

/// Entries of each list.
pub(crate) fn entries(detail: Detail) -> usize {
    match detail {
        Detail::Compact => 8,
        Detail::Normal => 20,
        Detail::Verbose => 60,
    }
}

/// Changed files that are named.
pub(crate) fn changes(detail: Detail) -> usize {
    match detail {
        Detail::Compact => 40,
        Detail::Normal => 400,
        Detail::Verbose => 100_000,
    }
}

/// One question about a project.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Request {
    /// Read everything again.
    pub refresh: bool,
    pub detail: Detail,
    /// A task in words: files are ranked by what they have to do with it.
    pub query: Option<String>,
    /// The most tokens (o200k) the answer may have.
    pub budget: Option<usize>,
    /// A git revision that changes are told from, instead of the artifact.
    pub since: Option<String>,
}

/// What memory says about the files of a project.
pub trait MemoryHints: Sync {
    /// How much memory has to say about a path for this query: 0 for nothing, 1 for a lot.
    fn weight(&self, path: &str, query: &str) -> f64;
}
