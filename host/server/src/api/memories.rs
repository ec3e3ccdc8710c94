//! Memories: rows, details, and changes by a person.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Limit, ListScope, MemoryType, Offset, Status, Text, Trust, WriteScope};

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoriesQuery {
    pub project_root: Option<Text<4096>>,
    /// All registered projects, and the global memory.
    #[serde(default)]
    pub all_projects: bool,
    #[serde(rename = "type")]
    pub memory_type: Option<MemoryType>,
    pub kind: Option<Text<64>>,
    pub tag: Option<Text<64>>,
    pub trust: Option<Trust>,
    /// Default: `active`.
    pub status: Option<Status>,
    pub stale: Option<bool>,
    pub scope: Option<ListScope>,
    /// Text that the title must contain, ignoring case.
    pub text: Option<Text<200>>,
    /// Default: `updated`.
    pub sort: Option<MemorySort>,
    /// Also count how many memories each further filter would leave.
    pub facets: Option<bool>,
    #[serde(default)]
    pub offset: Offset,
    #[serde(default)]
    pub limit: Limit<50, 500>,
}

pub use acreta_service::find::pages::{FacetCount, MemoryFacets, MemorySort};
pub use acreta_service::find::provenance::{MemoryProvenance, MemoryUse, MemoryVersion};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryPage {
    pub items: Vec<MemoryRow>,
    /// Number of memories that match the filters.
    pub total: u64,
    pub offset: u64,
    pub limit: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facets: Option<MemoryFacets>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryRow {
    pub id: String,
    /// `project`, `global`, or the path of another project.
    pub scope: String,
    #[serde(rename = "type")]
    pub memory_type: MemoryType,
    /// Empty if the type has no kinds.
    pub kind: String,
    pub title: String,
    pub tags: Vec<String>,
    pub trust: Trust,
    pub status: Status,
    pub stale: bool,
    /// From 0 to 1, at the time of the last evidence.
    pub confidence: f64,
    /// From 0 to 1, reduced by age and raised by use.
    pub effective_confidence: f64,
    /// Days, `2026-01-31`.
    pub created: String,
    pub updated: String,
    /// `<agent>/<session id>`, `person`, or `import/<file>`.
    pub source: String,
    /// Relative to the memory root.
    pub path: String,
    /// Number of proposals that wait for a person.
    pub open_proposals: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryDetail {
    #[serde(flatten)]
    pub row: MemoryRow,
    /// Markdown.
    pub body: String,
    /// Digest of the file; an edit has to name it.
    pub digest: String,
    pub related: Vec<Link>,
    /// Earlier memories; earlier texts of this memory are titles without an id.
    pub supersedes: Vec<Link>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<Link>,
    pub evidence: Vec<EvidenceQuote>,
    pub proposals: Vec<MemoryProposal>,
    /// Day of the last comparison with the repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_verified: Option<String>,
    /// Files and symbols that it names and that no longer exist.
    pub missing: Vec<String>,
    /// Who brought it by git, and with which commit, if that was somebody else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Link {
    /// Absent if it is not a memory, or no longer one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub title: String,
}

/// A word-for-word quote and its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EvidenceQuote {
    pub agent: String,
    pub session_id: String,
    pub run_id: String,
    /// `user`, `assistant` or `tool`.
    pub role: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<u64>,
    pub quote: String,
    pub event_id: String,
}

/// A proposed change that waits for a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryProposal {
    pub run_id: String,
    pub operation: ProposedOperation,
    pub title: String,
    pub body: String,
    pub kind: String,
    pub tags: Vec<String>,
    pub confidence: f64,
    pub reason: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProposedOperation {
    Update,
    Archive,
}

/// A new memory, written by a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryNote {
    pub title: Text<200>,
    pub body: Text<20_000>,
    /// Default: inferred from the text.
    #[serde(rename = "type")]
    pub memory_type: Option<MemoryType>,
    pub kind: Option<Text<64>>,
    #[serde(default)]
    #[schemars(length(max = 12))]
    pub tags: Vec<Text<64>>,
    /// Default: `project`.
    pub scope: Option<WriteScope>,
    pub project_root: Option<Text<4096>>,
}

pub use acreta_service::remember::add::Remembered as MemoryAdded;

/// The fields to change. At least one of title, body, tags and kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryEdit {
    pub title: Option<Text<200>>,
    pub body: Option<Text<20_000>>,
    #[schemars(length(max = 12))]
    pub tags: Option<Vec<Text<64>>>,
    pub kind: Option<Text<64>>,
    /// Digest of the version that was read.
    pub expected_digest: Text<128>,
    pub project_root: Option<Text<4096>>,
}

/// A person's change to a memory that keeps its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryChange {
    Confirm,
    Reject,
    Archive,
    Restore,
    /// Accept the first waiting proposal.
    Accept,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryChanged {
    pub id: String,
    pub path: String,
    pub changed: bool,
    pub message: String,
}
