//! Sessions, and the conversation in one. Texts are redacted, and given as they are otherwise.

pub use acreta_service::sessions::SessionCopy;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Limit, MemoryType, Offset, RunRow, Text};

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionsQuery {
    /// All projects unless told.
    pub project_root: Option<Text<4096>>,
    pub agent: Option<Text<64>>,
    pub state: Option<SessionState>,
    /// Must be in the title or the id, in any case.
    pub text: Option<Text<200>>,
    #[serde(default)]
    pub offset: Offset,
    #[serde(default)]
    pub limit: Limit<50, 500>,
}

/// Where a session stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SessionState {
    /// Its project is not registered, or it has none.
    Waiting,
    /// Nothing was done yet at this revision.
    New,
    Queued,
    Done,
    /// The job for this revision is a dead letter.
    Failed,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SessionPage {
    /// The newest first.
    pub items: Vec<SessionRow>,
    pub total: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionRow {
    pub agent: String,
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Absent when it is known to have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_ms: Option<u64>,
    pub state: SessionState,
    /// Where its text is.
    pub copy: SessionCopy,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    pub bytes: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SessionDetail {
    #[serde(flatten)]
    pub row: SessionRow,
    /// What it led to.
    pub memories: Vec<SessionMemory>,
    /// The newest first.
    pub runs: Vec<RunRow>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionMemory {
    pub id: String,
    pub title: String,
    #[serde(rename = "type")]
    pub memory_type: MemoryType,
    /// Empty when the type has no kinds.
    pub kind: String,
    /// Ids of the events that it quotes.
    pub events: Vec<String>,
}

/// A text to look for in conversations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionSearchQuery {
    /// Looked for as it is, in any case.
    pub q: Text<200>,
    /// All projects unless told.
    pub project_root: Option<Text<4096>>,
    pub agent: Option<Text<64>>,
    #[serde(default)]
    pub limit: Limit<50, 200>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionsFound {
    /// Of the newest sessions first.
    pub hits: Vec<SessionHit>,
    /// Sessions that were looked through.
    pub searched: u64,
    /// Sessions that were not, because enough was found before.
    pub left: u64,
    /// Sessions that could not be read.
    pub unreadable: u64,
}

/// A place where the text stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionHit {
    pub agent: String,
    pub session_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    pub event_id: String,
    pub role: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<u64>,
    /// The text with some words around it, on one line.
    pub snippet: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EventsQuery {
    #[serde(default)]
    pub offset: Offset,
    #[serde(default)]
    pub limit: Limit<100, 500>,
    /// The id of an event: the page has it in its middle, and `offset` is not looked at.
    pub around: Option<Text<256>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EventPage {
    pub events: Vec<SessionEvent>,
    pub total: u64,
    /// How many events come before the first of these.
    pub offset: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SessionEvent {
    pub id: String,
    /// `user`, `assistant`, `tool` or `system`.
    pub role: String,
    /// `text`, `thinking`, `tool-call`, `tool-result`, `injected`, `compaction` or `note`.
    pub kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<u64>,
    pub text: String,
    pub attrs: Map<String, Value>,
    /// Whether the text goes on after what is given.
    pub truncated: bool,
}
