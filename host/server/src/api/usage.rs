//! What agents used, as they recorded it.

pub use acreta_service::sessions::Unreadable;
pub use acreta_service::sessions::usage::{UsageBy, UsageFigures, UsageReport, UsageRow};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Text;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UsageQuery {
    /// Default: all projects.
    pub project_root: Option<Text<4096>>,
    #[serde(default)]
    pub by: UsageBy,
    pub agent: Option<Text<64>>,
    /// A date, a time or an age; the whole day counts.
    pub since: Option<Text<64>>,
    /// Only days before.
    pub until: Option<Text<64>>,
}
