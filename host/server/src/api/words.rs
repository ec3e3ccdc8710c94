//! Types that requests of many routes share.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The body of a call without parameters: `{}`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoBody {}

/// The project of a request. Default: the server's own.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InProject {
    #[schemars(length(min = 1, max = 4096))]
    pub project_root: Option<String>,
}

/// The projects of a request. Default: the server's own.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InProjects {
    #[schemars(length(min = 1, max = 4096))]
    pub project_root: Option<String>,
    /// All registered projects, and the global memory.
    #[serde(default)]
    pub all_projects: bool,
}

/// A request that has to name its project.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OfProject {
    #[schemars(length(min = 1, max = 4096))]
    pub project_root: String,
}
