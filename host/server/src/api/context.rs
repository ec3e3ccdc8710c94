//! Codebases. The answers have the shapes that `context explore|delta|refresh --json` print.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Detail, Text, Whole};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContextRequest {
    pub project_root: Text<4096>,
    /// Default: `compact`.
    pub detail: Option<Detail>,
    /// Scan every file again first.
    #[serde(default)]
    pub refresh: bool,
    /// The task that the context is for.
    pub query: Option<Text<2000>>,
    /// Maximum number of tokens of the answer.
    pub budget: Option<Whole<100, 100_000>>,
    /// A git revision. Default: the last exploration. Only used by `delta`.
    pub since: Option<Text<200>>,
}

/// Kind of codebase report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContextCommand {
    Explore,
    Delta,
    /// Files to read for the `query`.
    Context,
    Refresh,
}
