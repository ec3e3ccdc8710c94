//! Output of a run about itself: its artifacts, and the report for its caller.

use std::collections::BTreeMap;

use acreta_session_archive::{PendingTrace, TraceStats};
use acreta_types::Session;
use camino::Utf8Path;
use serde::Serialize;

use super::state::RunState;
use crate::error::RunError;
use crate::memory::workspace::Times;
use crate::memory::workspace::{ARTIFACTS, LogLevel};
use crate::run::report::{Counts, MemoryActions, RunReport, SessionReport};
use crate::run::spans;
use crate::run::steps::Stepwise;

impl RunState<'_> {
    pub(super) fn note_session(&mut self, session: &Session, trace: &PendingTrace) {
        self.span
            .record("agent", session.agent.as_str())
            .record("session", session.id.as_str());
        let stats = trace.stats();
        self.session = SessionReport {
            agent: session.agent.clone(),
            id: session.id.clone(),
            project_dir: session.project_dir.clone(),
            events: stats.events,
            diagnostics: stats.diagnostics_total,
            unknown_types: stats.unknown_types,
            first_diagnostics: stats.diagnostics.iter().take(5).cloned().collect(),
            redactions: stats
                .redactions
                .iter()
                .map(|(rule, count)| (rule.to_owned(), count))
                .collect(),
            raw_trace_path: acreta_fs::join(self.options.layout.traces(), trace.target())
                .into_string(),
        };
        #[derive(Serialize)]
        struct SessionLogLine<'a> {
            run_id: &'a str,
            trace_path: &'a Utf8Path,
            repo_name: &'a str,
            session: &'a Session,
            stats: &'a TraceStats,
        }
        self.folder.append_json(
            "session.log",
            &SessionLogLine {
                run_id: &self.folder.run_id,
                trace_path: &self.trace_path,
                repo_name: &self.options.repo_name,
                session,
                stats,
            },
        );
    }

    /// Ends a run without news: the session is empty, or memory has a later state or a stronger reading of it.
    pub(super) fn stop_early(&mut self, why: String) -> Result<(), RunError> {
        self.log.step("normalise", &why);
        self.steps.skip_to_report();
        self.note = Some(self.steps.with_steps_not_run(&why));
        self.folder
            .write_json("extract.json", &BTreeMap::from([("candidates", [(); 0])]))?;
        self.todo("report", |run| run.save_report())
    }

    /// Ends a run without changing memory after the session was read: an earlier reading is stronger, or there is
    /// nothing to keep.
    pub(super) fn stop_unwritten(&mut self, why: String) -> Result<(), RunError> {
        self.log.step("summarise", &why);
        self.steps.skip_to_report();
        self.note = Some(self.steps.with_steps_not_run(&why));
        self.todo("report", |run| run.save_report())
    }

    pub(super) fn save_report(&mut self) -> Result<(), RunError> {
        self.measure();
        Ok(self
            .folder
            .write_json("memory_actions.json", &self.memory_actions())?)
    }

    fn measure(&mut self) {
        self.metrics.total_ms = self.started.elapsed().as_millis() as u64;
        if self.options.times == Times::LeftOut {
            self.metrics.leave_times_out();
        }
        if let Some(models) = &self.models {
            self.metrics.llm = models.usage();
        }
    }

    /// Records the outcome in the run's span.
    pub(super) fn tell_end(&self, result: &Result<(), RunError>) {
        let counts = Counts::of(&self.actions);
        self.span
            .record("added", counts.add)
            .record("updated", counts.update)
            .record("archived", counts.archived);
        spans::ended(&self.span, result);
    }

    /// Writes the failure to the run's folder, best effort.
    pub(super) fn fail(&mut self, error: &RunError) {
        self.steps.fail();
        let message = self
            .steps
            .with_steps_not_run(&acreta_types::with_causes(error));
        self.log.at(LogLevel::Error, "run", &message);
        self.note = Some(message);
        self.written.clear();
        self.summary_path = None;
        self.measure();
        self.save_progress();
    }

    /// Returns `memory_actions.json` for the progress so far.
    pub(super) fn memory_actions(&self) -> MemoryActions {
        MemoryActions {
            run_id: self.folder.run_id.clone(),
            trace_path: self.trace_path.clone(),
            todos: self.steps.todos(),
            actions: self.actions.clone(),
            counts: Counts::of(&self.actions),
            written_memory_paths: self.written.clone(),
            summary_path: self.summary_path.clone(),
            metrics: self.metrics.clone(),
            reading: self.reading.clone(),
            note: self.note.clone(),
        }
    }

    pub(super) fn report(self) -> RunReport {
        RunReport {
            run_id: self.folder.run_id.clone(),
            run_folder: self.folder.path().to_owned(),
            artifacts: ARTIFACTS
                .map(|name| (name, self.folder.artifact(name)))
                .into(),
            counts: Counts::of(&self.actions),
            written_memory_paths: self.written,
            summary_path: self.summary_path,
            metrics: self.metrics,
            reading: self.reading,
            session: self.session,
            actions: self.actions,
            note: self.note,
            dry_run: self.options.dry_run,
            resume: self.resume,
            taken: self.taken,
            is_unwanted: self.is_unwanted,
        }
    }
}
