//! A session in canonical form: adapters emit it, extractors read it.

use serde::{Deserialize, Serialize};

use crate::Attrs;

/// Position in the agent's own data.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The agent's own id of the record; empty if the format has none.
    pub record: String,
    /// Byte span of the record in its file; `0, 0` in a database.
    pub start: u64,
    pub end: u64,
}

/// One message, tool call, tool result or note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Unique in its session, and identical on every read of the same data.
    pub id: String,
    pub origin: Origin,
    /// `user`, `assistant`, `tool` or `system`.
    pub role: String,
    /// `text`, `thinking`, `tool-call`, `tool-result`, `injected`, `compaction`, `note`.
    pub kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<u64>,
    pub text: String,
    #[serde(default, skip_serializing_if = "Attrs::is_empty")]
    pub attrs: Attrs,
}

/// Metadata of a session, known before it is read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    pub id: String,
    pub agent: String,
    /// Guest path of the file that holds it.
    pub path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_dir: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_ms: Option<u64>,
    pub revision: String,
    #[serde(default, skip_serializing_if = "Attrs::is_empty")]
    pub attrs: Attrs,
}

/// Part of the message of a diagnostic about a record that is intact but has a type that the adapter does not know.
const UNKNOWN_TYPE: &str = " of the unknown type `";

/// A line or row that could not be read or has an unknown type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    pub record: String,
    pub start: u64,
    pub end: u64,
    pub message: String,
}

impl Diagnostic {
    /// Reports whether the record is intact but has an unknown type, because the agent is newer than the adapter.
    pub fn is_of_unknown_type(&self) -> bool {
        self.message.contains(UNKNOWN_TYPE)
    }
}
