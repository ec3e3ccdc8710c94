//! Sessions, and their conversations. Texts are redacted and otherwise unchanged.

pub use acreta_service::sessions::SessionCopy;
pub use acreta_service::sessions::reader::{RowBody, RowMatches, RowPage, SessionOutline};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Limit, MemoryType, Offset, RunRow, Text};

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionsQuery {
    /// Default: all projects.
    pub project_root: Option<Text<4096>>,
    pub agent: Option<Text<64>>,
    pub state: Option<SessionState>,
    /// Text that the title or the id must contain, ignoring case.
    pub text: Option<Text<200>>,
    #[serde(default)]
    pub offset: Offset,
    #[serde(default)]
    pub limit: Limit<50, 500>,
}

/// State of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SessionState {
    /// Its project is not registered, or it has none.
    Waiting,
    /// Not processed yet at this revision.
    New,
    Queued,
    Done,
    /// A person cancelled its job.
    Cancelled,
    /// The job for this revision is a dead letter.
    Failed,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SessionPage {
    /// Newest first.
    pub items: Vec<SessionRow>,
    pub total: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionRow {
    pub agent: String,
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Absent if it is known to have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_ms: Option<u64>,
    pub state: SessionState,
    /// Location of the session's text.
    pub copy: SessionCopy,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    pub bytes: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SessionDetail {
    #[serde(flatten)]
    pub row: SessionRow,
    /// Memories that it contributed to.
    pub memories: Vec<SessionMemory>,
    /// Newest first.
    pub runs: Vec<RunRow>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionMemory {
    pub id: String,
    pub title: String,
    #[serde(rename = "type")]
    pub memory_type: MemoryType,
    /// Empty if the type has no kinds.
    pub kind: String,
    /// Ids of the events that it quotes.
    pub events: Vec<String>,
}

/// Search in conversations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionSearchQuery {
    /// Words, `"phrases"`, `start*`, and filters: `agent:`, `project:`, `branch:`, `file:`, `tool:`, `role:`, `since:`, `until:`.
    pub q: Text<200>,
    /// Default: all projects.
    pub project_root: Option<Text<4096>>,
    pub agent: Option<Text<64>>,
    #[serde(default)]
    pub limit: Limit<50, 200>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionsFound {
    /// Hits of the best session first.
    pub hits: Vec<SessionHit>,
    /// Number of sessions that were searched.
    pub searched: u64,
    /// Number of sessions that are not indexed yet.
    pub left: u64,
    /// Number of sessions that could not be read.
    pub unreadable: u64,
}

/// A passage that was found.
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The words with some around them, on one line.
    pub snippet: String,
    /// The characters of the snippet that were looked for, from and to.
    #[serde(default)]
    pub marks: Vec<(usize, usize)>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EventsQuery {
    #[serde(default)]
    pub offset: Offset,
    #[serde(default)]
    pub limit: Limit<100, 500>,
    /// Id of an event to show in the middle of the page; `offset` is then ignored.
    pub around: Option<Text<256>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EventPage {
    pub events: Vec<SessionEvent>,
    pub total: u64,
    /// Number of events before the first one of this page.
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
    /// The text was cut.
    pub truncated: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RowsQuery {
    #[serde(default)]
    pub offset: Offset,
    #[serde(default)]
    pub limit: Limit<40, 200>,
    /// Id of an event: answers the page of `limit` rows that has it; `offset` is then ignored.
    pub around: Option<Text<256>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FindInSessionQuery {
    /// Found as it stands, in whatever case.
    pub q: Text<200>,
}
