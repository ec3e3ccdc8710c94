//! Briefs that agents got when their sessions started.

pub use acreta_service::brief::{BriefLine, GivenBrief, LeftOut};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Limit, Text};

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BriefsQuery {
    /// The daemon's own project unless told.
    pub project_root: Option<Text<4096>>,
    /// Only of this session, as its agent calls it, or a prefix of that.
    pub session: Option<Text<200>>,
    #[serde(default)]
    pub limit: Limit<20, 200>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BriefList {
    /// The newest first, each with the reason for every line.
    pub briefs: Vec<GivenBrief>,
}
