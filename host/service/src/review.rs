//! Review: everything that waits for a person, with its evidence, and the person's decisions. Used by `acreta review`
//! and the dashboard; never offered over MCP, because only a person grants trust.
//!
//! An item's id is derived from its texts: a decision counts for what the reviewer read, and an item that has changed
//! is no longer found.

pub mod conflicts;
pub(crate) mod contradictions;

mod counts;
mod decide;
mod effect;
mod evidence;
mod items;
mod step;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::find::show::Neighbour;
use crate::projects::scopes;
use crate::remember::amend::Edit;
use crate::{Context, Failure, Kind, find::show};

pub(crate) use counts::last_counted;
pub use counts::waiting;
pub use decide::{decide, undo};
pub(crate) use evidence::quotes_in_context;
pub use evidence::{ReviewEvidence, Turn};

/// Number of similar memories offered as targets of a merge.
const ALIKE: usize = 4;

/// All waiting items, most urgent first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewQueue {
    pub waiting: ReviewCounts,
    pub items: Vec<ReviewItem>,
    /// The decisions that undo would revert.
    pub last: Vec<PastDecision>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewCounts {
    pub total: u64,
    /// Pairs of memories that contradict each other.
    pub conflicts: u64,
    pub proposals: u64,
    pub pending: u64,
    pub untrusted: u64,
}

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ReviewKind {
    /// Two memories contradict each other.
    Conflict,
    /// A maintenance, a run or an agent proposes to change a memory.
    Proposal,
    /// A statement that was said once and is not a memory yet.
    Pending,
    /// An untrusted memory.
    Untrusted,
}

impl ReviewKind {
    pub fn name(self) -> &'static str {
        match self {
            ReviewKind::Conflict => "conflict",
            ReviewKind::Proposal => "proposal",
            ReviewKind::Pending => "pending",
            ReviewKind::Untrusted => "untrusted",
        }
    }
}

/// One item that waits for a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewItem {
    pub id: String,
    pub kind: ReviewKind,
    /// `project`, `global`, or the path of another project.
    pub scope: String,
    pub title: String,
    /// The memories of the item; for a conflict, the newer first.
    pub memories: Vec<ReviewMemory>,
    /// Reason why it waits.
    pub why: String,
    /// Time of its newest evidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<u64>,
    pub actions: Vec<OfferedAction>,
}

/// A text of an item: a memory, or a possible one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewMemory {
    /// Absent if it is not a memory yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The kind of a learning, or the type of a memory without kinds.
    pub kind: String,
    pub title: String,
    /// Markdown, without the heading that repeats the title.
    pub body: String,
    pub tags: Vec<String>,
    pub trust: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReviewAction {
    Accept,
    Edit,
    Reject,
    Merge,
    Supersede,
}

impl ReviewAction {
    pub fn name(self) -> &'static str {
        match self {
            ReviewAction::Accept => "accept",
            ReviewAction::Edit => "edit",
            ReviewAction::Reject => "reject",
            ReviewAction::Merge => "merge",
            ReviewAction::Supersede => "supersede",
        }
    }
}

/// An action that an item allows, and its meaning there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OfferedAction {
    pub action: ReviewAction,
    /// For people: `keep both`.
    pub label: String,
    /// It needs the id of the memory that remains.
    pub needs_keep: bool,
}

/// One item with everything needed for a decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewDetail {
    pub item: ReviewItem,
    pub evidence: Vec<ReviewEvidence>,
    /// Effects of the actions that need no further input.
    pub effects: Vec<ActionEffect>,
    /// Similar memories with which it could be merged.
    pub alike: Vec<AlikeMemory>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AlikeMemory {
    pub id: String,
    pub title: String,
}

/// The effect of a decision on memory, computed before it is made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ActionEffect {
    pub action: ReviewAction,
    /// Sentences for people.
    pub summary: Vec<String>,
    pub files: Vec<FileDiff>,
    /// Reason why it cannot be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileDiff {
    /// New path, relative to the memory root.
    pub path: String,
    /// Lines of the readable text, each after `+`, `-` or a space; empty if it does not change.
    pub diff: String,
}

/// Decisions, applied in order.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewRequest {
    #[schemars(length(min = 1, max = 500))]
    pub decisions: Vec<ReviewDecision>,
    /// Only report what each decision would do on its own.
    #[serde(default)]
    pub dry_run: bool,
}

/// A decision on one item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewDecision {
    /// The item's id.
    #[schemars(length(min = 1, max = 200))]
    pub id: String,
    pub action: ReviewAction,
    /// The memory that remains. Default for a conflict: the newer one.
    #[schemars(length(min = 1, max = 200))]
    pub keep: Option<String>,
    /// The reviewer's own wording, for an edit.
    pub edit: Option<ReviewEdit>,
}

/// The fields to change; absent ones stay.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewEdit {
    #[schemars(length(min = 1, max = 200))]
    pub title: Option<String>,
    #[schemars(length(min = 1, max = 20_000))]
    pub body: Option<String>,
    #[schemars(length(max = 12), inner(length(min = 1, max = 64)))]
    pub tags: Option<Vec<String>>,
}

impl From<ReviewEdit> for Edit {
    fn from(edit: ReviewEdit) -> Self {
        Edit {
            title: edit.title,
            body: edit.body,
            tags: edit.tags,
            ..Edit::default()
        }
    }
}

/// Result of decisions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewReport {
    pub decisions: Vec<DecisionReport>,
    pub waiting: ReviewCounts,
    /// Nothing was changed: these are the effects that the decisions would have.
    pub dry_run: bool,
}

impl ReviewReport {
    /// Returns how many decisions were not made.
    pub fn failed(&self) -> usize {
        let failed = |one: &&DecisionReport| one.effect.problem.is_some();
        self.decisions.iter().filter(failed).count()
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionReport {
    pub id: String,
    pub title: String,
    pub message: String,
    pub effect: ActionEffect,
}

/// A decision that can be undone, or was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PastDecision {
    pub id: String,
    pub action: String,
    pub title: String,
    pub at_ms: u64,
}

/// Result of undo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewUndone {
    /// Last decision first.
    pub undone: Vec<PastDecision>,
    pub waiting: ReviewCounts,
}

/// Lists all waiting items.
pub fn list(context: &Context) -> Result<ReviewQueue, Failure> {
    let found = items::all(context)?;
    let items: Vec<ReviewItem> = found.into_iter().map(|one| one.item).collect();
    Ok(ReviewQueue {
        waiting: counts::count(items.iter().map(|item| item.kind)),
        items,
        last: decide::last(context)?,
    })
}

/// Shows one item, by its id, a unique prefix, or the id of its memory.
pub fn show(id: &str, context: &Context) -> Result<ReviewDetail, Failure> {
    let found = items::all(context)?;
    let one = items::find(&found, id)?;
    let evidence = evidence::of(one, context);
    let effects = decide::effects(one, context)?;
    let alike = match one.item.kind {
        ReviewKind::Untrusted => alike(one.item.memories.first(), context)?,
        _ => Vec::new(),
    };
    Ok(ReviewDetail {
        item: one.item.clone(),
        evidence,
        effects,
        alike,
    })
}

/// Returns active memories that are linked to one or similar.
fn alike(memory: Option<&ReviewMemory>, context: &Context) -> Result<Vec<AlikeMemory>, Failure> {
    let Some(id) = memory.and_then(|memory| memory.id.as_ref()) else {
        return Ok(Vec::new());
    };
    let scopes = scopes::browsed(context)?;
    let own = scopes::find_in(context, &scopes, id)?;
    let near = show::related(id, ALIKE, &scopes, context)?.related;
    let near = near.into_iter();
    let is_target = |other: &Neighbour| {
        scopes::find_in(context, &scopes, &other.id).is_ok_and(|found| {
            found.layout == own.layout
                && found.memory.memory_type == own.memory.memory_type
                && found.memory.status() == acreta_store::Status::Active
        })
    };
    let near = near.filter(is_target).map(|other| AlikeMemory {
        id: other.id,
        title: other.title,
    });
    Ok(near.collect())
}

fn no_item(id: &str) -> Failure {
    Failure::new(
        Kind::Missing,
        format!("no waiting item has the id `{id}`"),
    )
    .hint("it was decided already, or its text has changed; `acreta review --list` shows the waiting items")
}
