//! Agents whose sessions may be read, and projects whose memory is kept.

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
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewConnection {
    pub agent: Text<64>,
    /// A folder of sessions; where the agent usually has them unless told.
    pub root: Option<Text<4096>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Removed {
    pub agent: String,
    pub changed: bool,
    pub message: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectRow {
    pub path: String,
    pub registered: bool,
    pub exists: bool,
    pub sessions: u64,
    pub memories: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewProject {
    pub path: Text<4096>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectAdded {
    /// As it is registered: the main checkout.
    pub path: String,
    pub changed: bool,
    pub message: String,
}
