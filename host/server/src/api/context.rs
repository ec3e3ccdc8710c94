//! Codebases. The answers have the shapes that `context explore|delta|refresh --json` print.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Detail, Text, Whole};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContextRequest {
    pub project_root: Text<4096>,
    /// `compact` unless told.
    pub detail: Option<Detail>,
    /// Look at every file again first.
    #[serde(default)]
    pub refresh: bool,
    /// What the context is for.
    pub query: Option<Text<2000>>,
    /// The most tokens of the answer.
    pub budget: Option<Whole<100, 100_000>>,
    /// A git revision; the last exploration unless told. Only `delta` looks at it.
    pub since: Option<Text<200>>,
}

/// Which report of a codebase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContextCommand {
    Explore,
    Delta,
    /// What to read for the `query`.
    Context,
    Refresh,
}
