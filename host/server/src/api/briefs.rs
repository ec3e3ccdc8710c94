//! Briefs that agents got at the start of their sessions.

pub use acreta_service::recall::brief::{BriefLine, GivenBrief, LeftOut};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Limit, Text};

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BriefsQuery {
    /// Default: the daemon's own project.
    pub project_root: Option<Text<4096>>,
    /// Only briefs of this session: the agent's id of it, or a prefix.
    pub session: Option<Text<200>>,
    #[serde(default)]
    pub limit: Limit<20, 200>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BriefList {
    /// Newest first, each with the reason for every line.
    pub briefs: Vec<GivenBrief>,
}
