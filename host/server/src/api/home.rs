//! The home page, and the history of a project.

pub use acreta_service::find::timeline::{
    FormerMemory, Timeline, TimelineCounts, TimelineEntry, TimelineKind,
};
pub use acreta_service::overview::home::{
    Home, HomeCounts, Learnt, LearntMemory, Leaving, LeavingSession, SpendToday,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Limit, Offset, Text, Whole};

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HomeQuery {
    /// Default: the daemon's own project.
    pub project_root: Option<Text<4096>>,
    /// All registered projects, and the global memory.
    #[serde(default)]
    pub all_projects: bool,
    /// Time of the last visit, in milliseconds. Default: a week ago.
    pub since: Option<Whole<0, 9_007_199_254_740_991>>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TimelineQuery {
    /// Default: the daemon's own project.
    pub project_root: Option<Text<4096>>,
    /// All registered projects, and the global memory.
    #[serde(default)]
    pub all_projects: bool,
    /// Default: all kinds.
    pub kind: Option<TimelineKind>,
    #[serde(default)]
    pub offset: Offset,
    #[serde(default)]
    pub limit: Limit<100, 500>,
}
