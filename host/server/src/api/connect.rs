//! Agents whose sessions may be read, and projects that have memory.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Text;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Connection {
    pub agent: String,
    /// The plugin that reads its sessions.
    pub adapter: String,
    pub granted: bool,
    pub roots: Vec<String>,
    pub sessions: u64,
    /// Absent if the agent does not delete its sessions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deletes_after_days: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewConnection {
    pub agent: Text<64>,
    /// A folder of sessions. Default: where the agent usually stores them.
    pub root: Option<Text<4096>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Removed {
    pub agent: String,
    pub changed: bool,
    pub message: String,
}

/// A project, or a folder whose sessions wait.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectRow {
    pub path: String,
    pub registered: bool,
    /// False if the folder is gone, or on another machine.
    pub exists: bool,
    pub sessions: u64,
    pub memories: u64,
    /// The project's own settings apply.
    pub trusted: bool,
    /// The project used by requests that name none.
    pub current: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewProject {
    pub path: Text<4096>,
    /// Path that it had before it moved: its sessions from there become memory, too.
    pub former: Option<Text<4096>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KnownProject {
    pub path: Text<4096>,
}

/// Trust in a project's own settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProjectTrust {
    pub path: Text<4096>,
    pub trusted: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectChanged {
    pub path: String,
    pub changed: bool,
    pub message: String,
}

pub use acreta_service::connect::permissions::Exclusions;

/// Folders whose sessions are not read, for every agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExcludedFolders {
    pub folders: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExcludedFolder {
    pub folder: Text<4096>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectAdded {
    /// Path as registered: the main checkout.
    pub path: String,
    pub changed: bool,
    pub message: String,
}
