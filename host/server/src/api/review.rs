//! The review queue, and decisions on its items.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Text;

pub use acreta_service::review::{
    ActionEffect, AlikeMemory, DecisionReport, FileDiff, OfferedAction, PastDecision, ReviewAction,
    ReviewCounts, ReviewDetail, ReviewEvidence, ReviewItem, ReviewKind, ReviewMemory, ReviewQueue,
    ReviewReport, ReviewUndone, Turn,
};

/// Decisions, applied in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewRequest {
    #[schemars(length(min = 1, max = 500))]
    pub decisions: Vec<ReviewChoice>,
    /// Only report what each decision would do on its own.
    #[serde(default)]
    pub dry_run: bool,
    pub project_root: Option<Text<4096>>,
    /// All registered projects, and the global memory.
    #[serde(default)]
    pub all_projects: bool,
}

/// A decision on one item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewChoice {
    /// The item's id.
    pub id: Text<200>,
    pub action: ReviewAction,
    /// The memory that remains. Default for a conflict: the newer one.
    pub keep: Option<Text<200>>,
    /// The reviewer's own wording, for an edit.
    pub title: Option<Text<200>>,
    pub body: Option<Text<20_000>>,
}
