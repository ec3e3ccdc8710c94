//! What maintenance says of itself: `maintain_actions.json`, `report.md` and the payload of
//! `maintain --json`. Keys and order are a promise; `docs/formats.md` has the schema.

use std::collections::BTreeMap;
use std::fmt::Write;

use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

use super::Maintenance;
use crate::error::RunError;
use crate::report::{Metrics, Todo};
use crate::workspace::RunMode;

/// What was done about a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MaintainAction {
    /// It went into the archive because another memory says it all.
    Merge,
    /// It stays readable, and a newer one stands instead.
    Supersede,
    /// It went into the archive because nobody asks for it.
    Archive,
    /// A person holds it: what would have been done is proposed.
    Propose,
    /// It names its neighbours.
    Relate,
    /// Something it names is gone.
    Stale,
    /// What was gone is back.
    Fresh,
    /// It was compared with the repository.
    Verify,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MaintainRecord {
    pub action: MaintainAction,
    pub memory_id: String,
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
    fn of(records: &[MaintainRecord]) -> Self {
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

/// What `maintain --json` prints.
#[derive(Debug, Clone, Serialize)]
pub struct MaintainReport {
    pub run_id: String,
    pub run_folder: Utf8PathBuf,
    pub artifacts: BTreeMap<&'static str, Utf8PathBuf>,
    pub counts: MaintainCounts,
    pub actions: Vec<MaintainRecord>,
    pub metrics: Metrics,
    pub dry_run: bool,
}

#[derive(Serialize)]
struct MaintainActions<'a> {
    run_id: &'a str,
    todos: &'a [Todo],
    actions: &'a [MaintainRecord],
    counts: MaintainCounts,
    metrics: &'a Metrics,
    dry_run: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
}

impl Maintenance<'_> {
    pub(super) fn save_report(&mut self) -> Result<(), RunError> {
        self.metrics.total_ms = self.started.elapsed().as_millis() as u64;
        if let Some(models) = &self.models {
            self.metrics.llm = models.usage();
        }
        let todos = self.steps.all_done();
        self.folder
            .write_json("maintain_actions.json", &self.actions(&todos))?;
        Ok(self
            .folder
            .write_text("report.md", &readable(&self.records, self.options.dry_run))?)
    }

    /// Leaves word of the failure in the folder; what cannot be written any more is not missed.
    pub(super) fn fail(&mut self, error: &RunError) {
        self.steps.fail();
        let message = acreta_model::with_causes(error);
        self.log.step("maintain", &message);
        self.note = Some(message);
        let todos = self.steps.todos();
        let actions = self.actions(&todos);
        if let Err(error) = self.folder.write_json("maintain_actions.json", &actions) {
            tracing::debug!(%error, "report of a failed maintenance lost");
        }
    }

    pub(super) fn report(self) -> MaintainReport {
        MaintainReport {
            run_id: self.folder.run_id.clone(),
            run_folder: self.folder.path().to_owned(),
            artifacts: RunMode::Maintain
                .artifacts()
                .iter()
                .map(|name| (*name, self.folder.artifact(name)))
                .collect(),
            counts: MaintainCounts::of(&self.records),
            actions: self.records,
            metrics: self.metrics,
            dry_run: self.options.dry_run,
        }
    }

    fn actions<'a>(&'a self, todos: &'a [Todo]) -> MaintainActions<'a> {
        MaintainActions {
            run_id: &self.folder.run_id,
            todos,
            actions: &self.records,
            counts: MaintainCounts::of(&self.records),
            metrics: &self.metrics,
            dry_run: self.options.dry_run,
            note: self.note.as_deref(),
        }
    }
}

/// The same for a person.
fn readable(records: &[MaintainRecord], dry_run: bool) -> String {
    let mut text = String::from("# Maintenance\n");
    if dry_run {
        text.push_str("\nA dry run: nothing was changed.\n");
    }
    if records.is_empty() {
        text.push_str("\nEverything is in order: nothing to do.\n");
    }
    let titles = [
        (MaintainAction::Merge, "Merged into another memory"),
        (MaintainAction::Supersede, "Superseded by a newer memory"),
        (MaintainAction::Archive, "Archived: nobody asks for it"),
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
        // Writing into a string does not fail.
        let _ = write!(text, "\n## {title}\n\n");
        for record in records {
            let path = record.path.as_deref().unwrap_or("");
            let _ = writeln!(text, "- {} {path}: {}", record.memory_id, record.reason);
        }
    }
    text
}
