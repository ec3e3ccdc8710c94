//! Ends a maintenance: writes its artifacts, and returns its report or records its failure.

use serde::Serialize;

use super::conflicts::conflicts;
use super::report::{MaintainAction, MaintainCounts, MaintainRecord, MaintainReport, readable};
use super::state::Maintenance;
use crate::error::RunError;
use crate::maintain::report::Conflict;
use crate::memory::workspace::{LogLevel, RunMode};
use crate::run::report::{Metrics, Todo};
use crate::run::steps::Stepwise;

#[derive(Serialize)]
pub(super) struct MaintainActions<'a> {
    run_id: &'a str,
    todos: Vec<Todo>,
    actions: &'a [MaintainRecord],
    conflicts: &'a [Conflict],
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
        self.conflicts = self.left_to_decide();
        self.folder
            .write_json("maintain_actions.json", &self.actions())?;
        Ok(self.folder.write_text(
            "report.md",
            &readable(&self.records, &self.conflicts, self.options.dry_run),
        )?)
    }

    /// Returns the conflicts that this maintenance leaves; in a dry run, those that it would leave.
    fn left_to_decide(&self) -> Vec<Conflict> {
        let writable = &self.options.writable;
        let is_settled = |id: &str| {
            self.records.iter().any(|record| {
                record.memory_id == id
                    && matches!(
                        record.action,
                        MaintainAction::Merge | MaintainAction::Supersede | MaintainAction::Archive
                    )
            })
        };
        let mut left = conflicts(
            self.writable.snapshot.iter(),
            &writable.layout,
            writable.update_overlap,
        );
        left.retain(|one| !is_settled(&one.older.id) && !is_settled(&one.newer.id));
        left
    }

    /// Writes the failure to the run's folder, best effort.
    pub(super) fn fail(&mut self, error: &RunError) {
        self.steps.fail();
        let message = self
            .steps
            .with_steps_not_run(&acreta_types::with_causes(error));
        self.log.at(LogLevel::Error, "maintain", &message);
        self.note = Some(message);
        self.save_progress();
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
            conflicts: self.conflicts,
            metrics: self.metrics,
            dry_run: self.options.dry_run,
        }
    }

    /// Returns `maintain_actions.json` for the progress so far.
    pub(super) fn actions(&self) -> MaintainActions<'_> {
        MaintainActions {
            run_id: &self.folder.run_id,
            todos: self.steps.todos(),
            actions: &self.records,
            conflicts: &self.conflicts,
            counts: MaintainCounts::of(&self.records),
            metrics: &self.metrics,
            dry_run: self.options.dry_run,
            note: self.note.as_deref(),
        }
    }
}
