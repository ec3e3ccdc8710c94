//! The steps `decide` and `write` of a run: plans the changes of memory, and makes them in one commit.

use std::collections::BTreeMap;
use std::sync::Arc;

use acreta_fs::Directory;
use acreta_session_archive::PendingTrace;
use acreta_store::{Memory, ProjectLock, Snapshot};
use acreta_types::{Session, Summary, WriteContext};
use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;

use crate::decide::accepted::ResolvedCitation;
use crate::decide::contributor::Contributor;
use crate::decide::opinions::Opinions;
use crate::decide::plan::{MemoryPlan, plan};
use crate::decide::settle::{MergeRepair, settle};
use crate::error::RunError;
use crate::memory::ids::IdGenerator;
use crate::memory::planned::PlannedMemory;
use crate::memory::write::{
    PlannedSummary, PreparedChange, PutSummary, WriteJob, add_record, kept_record, prepare,
    summary_contribution,
};
use crate::people::pending::PendingUpdate;
use crate::run::ask::seed_of;
use crate::run::history::{in_use, own_summaries, same_state};
use crate::run::report::{Action, ActionRecord};
use crate::run::state::RunState;
use crate::run::weigh::WeighedFindings;

/// Result of the step `decide`.
pub(super) struct DecidedRun {
    pub(super) plan: MemoryPlan,
    /// `None` if nothing is to be told of the session.
    pub(super) summary: Option<PlannedSummary>,
    /// The session's earlier summary, if it stays instead.
    pub(super) stays: Option<Arc<Memory>>,
}

impl RunState<'_> {
    pub(super) fn decide(
        &mut self,
        snapshot: &Snapshot,
        weighed: WeighedFindings,
        opinions: &Opinions,
        summary: Option<(Summary, Vec<ResolvedCitation>)>,
    ) -> DecidedRun {
        let WeighedFindings {
            contributor,
            kept,
            keeps_summary,
        } = weighed;
        let contributor = &contributor;
        let ids = &mut IdGenerator::new(self.options.now_ms, self.options.seed, snapshot);
        let mut plan = plan(
            snapshot,
            kept,
            contributor,
            self.options.thresholds.update_overlap,
            opinions,
            |contribution| ids.founded_by(contribution),
        );
        self.pending.attach(&mut plan);
        self.actions.append(&mut plan.actions);
        let replaces: Vec<Arc<Memory>> = own_summaries(&snapshot.memories, contributor)
            .filter(|memory| !memory.is_protected())
            .cloned()
            .collect();
        let earlier = replaces.first().cloned();
        let summary = summary.filter(|_| !keeps_summary || earlier.is_none());
        let Some((summary, citations)) = summary else {
            return DecidedRun {
                plan,
                summary: None,
                stays: earlier,
            };
        };
        let Contributor {
            agent,
            session_id,
            created_ms,
            ..
        } = contributor;
        let id = match &earlier {
            Some(memory) => memory.id.clone(),
            None => ids.of_summary(agent, session_id, *created_ms),
        };
        let fresh = summary_contribution(contributor, &summary, &citations);
        let known = earlier
            .as_ref()
            .and_then(|memory| same_state(memory, &fresh));
        let related = earlier.as_ref().map(|memory| &memory.front_matter.related);
        let related = related
            .filter(|related| in_use(related, &snapshot.memories) == plan.contributed)
            .unwrap_or(&plan.contributed);
        let summary = PlannedSummary {
            id,
            summary,
            related: related.clone(),
            contribution: known.cloned().unwrap_or(fresh),
            replaces,
        };
        DecidedRun {
            plan,
            summary: Some(summary),
            stays: None,
        }
    }

    pub(super) fn write(
        &mut self,
        lock: &ProjectLock,
        snapshot: &Snapshot,
        session: &Session,
        trace: PendingTrace,
        decided: &DecidedRun,
        scratch: &Directory,
    ) -> Result<(), RunError> {
        let DecidedRun {
            plan,
            summary,
            stays,
        } = decided;
        let PreparedChange {
            change,
            paths,
            written,
            summary: put,
            // A session confirms nothing.
            words: _,
        } = self.prepare(snapshot, session, &plan.planned, summary.as_ref(), scratch)?;
        let titles = titles(&snapshot.memories, &plan.planned);
        for action in &mut self.actions {
            if let Some(path) = paths.get(&action.memory_id) {
                action.path = Some(path.to_string());
            }
            if let Some(title) = titles.get(action.memory_id.as_str()) {
                (*title).clone_into(&mut action.title);
            }
        }
        let memory_root = self.options.layout.memory_root();
        let absolute = |path: &Utf8PathBuf| acreta_fs::native(&memory_root.join(path));
        match (summary, put, stays) {
            (Some(planned), Some(PutSummary { path, action }), _) => {
                let title = &planned.summary.title;
                self.actions
                    .push(add_record(action, &planned.id, title, &path));
                let summary_path = absolute(&path);
                #[derive(Serialize)]
                struct SummaryFile<'a> {
                    summary: &'a Summary,
                    summary_path: &'a Utf8Path,
                }
                let file = SummaryFile {
                    summary: &planned.summary,
                    summary_path: &summary_path,
                };
                self.folder.write_json("summary.json", &file)?;
                self.summary_path = Some(summary_path);
            }
            (_, _, Some(memory)) => {
                let record = kept_record(&memory.id, memory.title(), &memory.path);
                self.actions.push(record);
                self.summary_path = Some(absolute(&memory.path));
            }
            _ => {}
        }
        if !self.options.dry_run {
            if !self.progress.may_commit() {
                return Err(RunError::LeaseLost);
            }
            trace.keep()?;
            if !change.files.is_empty() {
                self.store.commit(lock, &change)?;
            }
            self.set_aside(session);
        }
        self.written = written.iter().map(absolute).collect();
        Ok(())
    }

    /// Lets the writer draft the planned changes; does not write to memory yet.
    fn prepare(
        &mut self,
        snapshot: &Snapshot,
        session: &Session,
        planned: &[PlannedMemory],
        summary: Option<&PlannedSummary>,
        scratch: &Directory,
    ) -> Result<PreparedChange, RunError> {
        let job = self.job(seed_of(session));
        let run_id = self.folder.run_id.clone();
        // An existing summary keeps its repository name.
        let earlier = summary.and_then(|summary| summary.replaces.first());
        let repo_name = earlier.and_then(|memory| memory.front_matter.repo_name.clone());
        let write = WriteJob {
            writer: self.plugins.writer.as_ref(),
            job: &job,
            context: WriteContext {
                run_id: summary.map_or_else(String::new, |one| one.contribution.run_id.clone()),
                now_ms: self.options.now_ms,
                repo_name: repo_name.unwrap_or_else(|| self.options.repo_name.clone()),
                raw_trace_path: self.session.raw_trace_path.clone(),
                coding_agent: session.agent.clone(),
            },
            run_id: &run_id,
            session: Some(session),
            limits: self.options.draft_limits,
            scratch,
            faults: Arc::clone(&self.options.faults),
        };
        let info = write.writer.info().clone();
        let metrics = &mut self.metrics;
        prepare(
            &write,
            &self.store,
            &snapshot.memories,
            planned,
            summary,
            &mut |call| metrics.used(&info.id, info.role.name(), &call.usage),
        )
    }

    /// Repairs the result of a git merge, as a separate change.
    pub(super) fn settle(
        &mut self,
        lock: &ProjectLock,
        snapshot: &mut Snapshot,
        session: &Session,
        scratch: &Directory,
    ) -> Result<(), RunError> {
        let MergeRepair { planned, doubles } = settle(&snapshot.memories);
        if planned.is_empty() {
            return Ok(());
        }
        let prepared = self.prepare(snapshot, session, &planned, None, scratch)?;
        if prepared.change.files.is_empty() {
            return Ok(());
        }
        if !self.progress.may_commit() {
            return Err(RunError::LeaseLost);
        }
        self.store.commit(lock, &prepared.change)?;
        for (double, survivor) in doubles {
            let memory = snapshot.memories.iter().find(|memory| memory.id == double);
            self.actions.push(ActionRecord {
                title: memory.map_or_else(String::new, |memory| memory.title().to_owned()),
                candidate_id: None,
                action: Action::Archive,
                path: prepared.paths.get(&double).map(ToString::to_string),
                memory_id: double,
                overlap: None,
                reason: format!("memory {survivor} has the same words and stays"),
            });
        }
        let files = prepared.change.files.len();
        self.log.step(
            "decide",
            &format!("repaired after a git merge: {files} files"),
        );
        *snapshot = self
            .store
            .load_again(&self.options.known, self.options.now_ms)?;
        Ok(())
    }

    /// Stores the uncertain findings. They are not memory: a failure to store them does not fail the run.
    fn set_aside(&mut self, session: &Session) {
        let Some(waiting) = &self.options.pending else {
            return;
        };
        let found = std::mem::take(&mut self.pending);
        let kept = waiting.keep(&PendingUpdate {
            agent: session.agent.clone(),
            session_id: session.id.clone(),
            quotes: found.quotes,
            repeated: found.repeated,
            notes: found.notes,
            now_ms: self.options.now_ms,
        });
        if let Err(problem) = kept {
            let message = format!("pending records not written: {problem}");
            self.log.problem("write", &message);
        }
    }
}

/// Returns the titles of memories by id, as they will be after the change.
fn titles<'a>(
    memories: &'a [Arc<Memory>],
    planned: &'a [PlannedMemory],
) -> BTreeMap<&'a str, &'a str> {
    let before = memories.iter().map(|one| (one.id.as_str(), one.title()));
    let after = planned.iter().map(|one| (one.id.as_str(), one.title()));
    before.chain(after).collect()
}
