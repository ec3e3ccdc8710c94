//! Reports of maintenance: `maintain_actions.json`, `report.md` and the payload of `maintain --json`. Keys and order
//! are stable; `docs/formats.md` has the schema.

use std::collections::BTreeMap;
use std::fmt::Write;

use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

use crate::run::report::Metrics;

/// An action on a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MaintainAction {
    /// Archived because another memory contains all of it.
    Merge,
    /// Superseded by a newer memory; it stays readable.
    Supersede,
    /// Archived because nobody accesses it.
    Archive,
    /// A person holds it: the change was proposed instead.
    Propose,
    /// Links to its neighbours were updated.
    Relate,
    /// Something that it names is gone.
    Stale,
    /// Missing names exist again.
    Fresh,
    /// It was compared with the repository.
    Verify,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MaintainRecord {
    pub action: MaintainAction,
    pub memory_id: String,
    #[serde(default)]
    pub title: String,
    /// The memory it was merged into, superseded by or compared with.
    pub other: Option<String>,
    /// Relative to the memory root, after the run.
    pub path: Option<String>,
    pub overlap: Option<f64>,
    pub reason: String,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MaintainCounts {
    pub merged: u64,
    pub superseded: u64,
    pub archived: u64,
    pub proposed: u64,
    pub related: u64,
    pub stale: u64,
    pub fresh: u64,
    pub verified: u64,
}

impl MaintainCounts {
    pub(super) fn of(records: &[MaintainRecord]) -> Self {
        let count = |wanted: MaintainAction| {
            let records = records.iter().filter(|record| record.action == wanted);
            records.count() as u64
        };
        Self {
            merged: count(MaintainAction::Merge),
            superseded: count(MaintainAction::Supersede),
            archived: count(MaintainAction::Archive),
            proposed: count(MaintainAction::Propose),
            related: count(MaintainAction::Relate),
            stale: count(MaintainAction::Stale),
            fresh: count(MaintainAction::Fresh),
            verified: count(MaintainAction::Verify),
        }
    }
}

/// Payload of `maintain --json`.
#[derive(Debug, Clone, Serialize)]
pub struct MaintainReport {
    pub run_id: String,
    pub run_folder: Utf8PathBuf,
    pub artifacts: BTreeMap<&'static str, Utf8PathBuf>,
    pub counts: MaintainCounts,
    pub actions: Vec<MaintainRecord>,
    /// Conflicts that a person must decide after the run.
    pub conflicts: Vec<Conflict>,
    pub metrics: Metrics,
    pub dry_run: bool,
}

/// Returns the report for a person: `report.md`.
pub(super) fn readable(
    records: &[MaintainRecord],
    conflicts: &[Conflict],
    dry_run: bool,
) -> String {
    let mut text = String::from("# Maintenance\n");
    if dry_run {
        text.push_str("\nA dry run: nothing was changed. This would be done:\n");
    }
    if records.is_empty() && conflicts.is_empty() {
        text.push_str("\nEverything is in order: nothing to do.\n");
    }
    let titles = [
        (MaintainAction::Merge, "Merged into another memory"),
        (MaintainAction::Supersede, "Superseded by a newer memory"),
        (MaintainAction::Archive, "Archived: not accessed"),
        (
            MaintainAction::Propose,
            "Proposed, because a person holds it",
        ),
        (MaintainAction::Stale, "Stale: names something that is gone"),
        (MaintainAction::Fresh, "No longer stale"),
        (MaintainAction::Relate, "Related to its neighbours"),
        (MaintainAction::Verify, "Compared with the repository"),
    ];
    for (action, title) in titles {
        let records: Vec<_> = records
            .iter()
            .filter(|record| record.action == action)
            .collect();
        if records.is_empty() {
            continue;
        }
        // Writing to a string does not fail.
        let _ = write!(text, "\n## {title}\n\n");
        for record in records {
            let path = record.path.as_deref().unwrap_or(&record.memory_id);
            let _ = writeln!(text, "- {} ({path}): {}", record.title, record.reason);
        }
    }
    if !conflicts.is_empty() {
        text.push_str("\n## Conflicts, for a person to decide\n\n");
    }
    for conflict in conflicts {
        let (newer, older) = (&conflict.newer, &conflict.older);
        let _ = writeln!(
            text,
            "- {} \"{}\" against the older {} \"{}\": {}",
            newer.id, newer.title, older.id, older.title, conflict.reason
        );
    }
    text
}

/// Two active memories of which only one can hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conflict {
    pub older: ConflictingMemory,
    pub newer: ConflictingMemory,
    /// The evidence that they disagree, as a sentence for people.
    pub reason: String,
    /// The newer replaces the older, beyond doubt. Others are for a person to decide, and both are told until then.
    #[serde(skip)]
    pub is_certain: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConflictingMemory {
    pub id: String,
    pub title: String,
}
