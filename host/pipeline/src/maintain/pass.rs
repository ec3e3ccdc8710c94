//! Maintains memory: merges duplicates, supersedes contradicted memories, archives what nobody accesses, marks what
//! names something that is gone. Never deletes, never touches summaries, changes nothing a person holds, and can be
//! undone. Idempotent: a second run finds nothing to do.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use acreta_store::{ArchivedBy, Memory, Snapshot};
use acreta_types::{Attrs, Candidate, Job, MemoryType, SharedSearch};

use crate::error::RunError;
use crate::memory::planned::milliseconds;
use crate::memory::planned::{PlannedMemory, TextChange, body_of};
use crate::memory::workspace::Times;
use crate::memory::workspace::{RunFolder, RunMode};
use crate::memory::writable::WritableMemory;
use crate::run::explore::explore;
use crate::run::options::Progress;
use crate::run::report::Metrics;
use crate::run::search::SnapshotSearch;
use crate::run::spans;
use crate::run::steps::{StepList, Stepwise};

use super::conflicts::conflicts;
use super::consolidate::Consolidation;
use super::references::References;
use super::report::{MaintainAction, MaintainRecord, MaintainReport};
use super::state::{MaintainOptions, Maintenance};
use super::undo::UndoFile;
use super::{consult, decay, undo, verify};
use crate::maintain::pair::{MemoryPair, pair_of};

/// The steps of maintenance, in order.
pub const MAINTAIN_STEPS: [&str; 6] =
    ["validate", "verify", "explore", "decide", "write", "report"];

/// Maximum number of passes over its own changes.
const PASSES: usize = 4;

/// Maintains one scope's memory.
pub fn maintain(
    options: &MaintainOptions,
    progress: &dyn Progress,
) -> Result<MaintainReport, RunError> {
    let writable = WritableMemory::open(options.writable.clone())?;
    let folder = RunFolder::create(
        &options.writable.layout,
        RunMode::Maintain,
        options.writable.now_ms,
        options.writable.seed,
        &options.writable.redactor,
        &options.writable.faults,
    )?;
    progress.started(&folder.run_id, folder.path());
    let span = spans::of_run(
        &folder.run_id,
        RunMode::Maintain,
        options.writable.layout.base(),
    );
    let _inside = span.clone().entered();
    let log = folder.log(options.writable.now_ms, Times::Told);
    let mut maintenance = Maintenance {
        refused: undo::refused(&options.writable.layout),
        options,
        progress,
        writable,
        folder,
        started: Instant::now(),
        steps: StepList::new(&MAINTAIN_STEPS, Arc::clone(&log), progress),
        log,
        metrics: Metrics::default(),
        records: Vec::new(),
        conflicts: Vec::new(),
        undo: UndoFile::default(),
        note: None,
        pairs: BTreeSet::new(),
        models: None,
    };
    maintenance.save_progress();
    let result = maintenance.steps();
    if let Err(error) = &result {
        maintenance.fail(error);
    }
    let keep = options.keep_runs;
    maintenance.folder.prune(keep, &options.shown_failures);
    spans::ended(&span, &result);
    result.map(|()| maintenance.report())
}

impl Maintenance<'_> {
    fn steps(&mut self) -> Result<(), RunError> {
        self.todo("validate", |maintenance| {
            for problem in &maintenance.writable.snapshot.problems {
                let message = format!("memory problem: {problem}");
                maintenance.log.problem("validate", &message);
            }
            Ok(())
        })?;
        for _ in 0..PASSES {
            let done_before = self.records.len();
            self.pass()?;
            if self.options.dry_run || self.records.len() == done_before {
                break;
            }
        }
        self.consult()?;
        self.todo("report", Maintenance::save_report)
    }

    /// Asks a model what rules left open, without the lock, and commits its proposals.
    fn consult(&mut self) -> Result<(), RunError> {
        let Some(source) = &self.options.models else {
            return Ok(());
        };
        let run_id = self.folder.run_id.clone();
        let models = source.session(&run_id, self.folder.path());
        let model = source
            .model("maintain")
            .unwrap_or_else(|| "a model".to_owned());
        self.models = Some(Arc::clone(&models));
        let items = self.todo("decide", |maintenance| {
            let items = maintenance.items(&run_id);
            let before = maintenance.writable.snapshot.clone();
            let pairs = &maintenance.pairs;
            let consultation = maintenance
                .writable
                .released(|snapshot| consult::consult(&items, snapshot, pairs, &models))?;
            for problem in &consultation.problems {
                let message = format!("{model} did not answer: {problem}");
                maintenance.log.problem("decide", &message);
            }
            let now = &maintenance.writable.snapshot;
            let find = |snapshot: &Snapshot, id: &str| {
                let mut memories = snapshot.memories.iter();
                memories.find(|memory| memory.id == id).cloned()
            };
            let mut items = maintenance.items(&run_id);
            consult::record(
                &mut items,
                consultation,
                |id| find(&before, id) == find(now, id),
                &model,
                &maintenance.options.writable.redactor,
            );
            Ok(items)
        })?;
        self.write_items(&run_id, items)
    }

    /// One pass over all active memories, with one commit.
    fn pass(&mut self) -> Result<(), RunError> {
        let run_id = self.folder.run_id.clone();
        let mut items = self.items(&run_id);
        self.todo("verify", |maintenance| {
            maintenance.verify(&mut items);
            Ok(())
        })?;
        let mut pairs = self.todo("explore", Maintenance::explore)?;
        // Explorers look for similar texts; a text that revokes another may share only its subject.
        if self.options.since_ms.is_none() {
            let writable = &self.options.writable;
            let found = conflicts(
                self.writable.snapshot.iter(),
                &writable.layout,
                writable.update_overlap,
            );
            pairs.extend(
                found
                    .iter()
                    .map(|one| pair_of(&one.older.id, &one.newer.id)),
            );
        }
        self.todo("decide", |maintenance| {
            items.consolidate(&pairs, &maintenance.refused.pairs);
            maintenance.pairs = pairs;
            maintenance.fade(&mut items);
            Ok(())
        })?;
        self.write_items(&run_id, items)
    }

    /// Returns all active memories in their current state.
    fn items(&self, run_id: &str) -> Consolidation {
        let writable = &self.options.writable;
        let in_use =
            |memory: &&Memory| memory.memory_type != MemoryType::Summary && !memory.is_archived();
        let memories = self.writable.snapshot.iter().filter(in_use);
        Consolidation::new(memories, run_id, writable.update_overlap, writable.now_ms)
    }

    /// Commits the planned changes of the items.
    fn write_items(&mut self, run_id: &str, mut items: Consolidation) -> Result<(), RunError> {
        let mut records = std::mem::take(&mut items.records);
        let planned: Vec<PlannedMemory> = items
            .by_id
            .into_values()
            .map(|item| item.planned)
            .filter(is_changed)
            .collect();
        self.todo("write", |maintenance| {
            maintenance.write(run_id, &planned, &mut records)
        })?;
        self.records.extend(records);
        Ok(())
    }

    fn verify(&self, items: &mut Consolidation) {
        let snapshot = &self.writable.snapshot;
        let references: BTreeMap<&str, References> = snapshot
            .memories
            .iter()
            .filter(|memory| items.by_id.contains_key(&memory.id))
            .map(|memory| (memory.id.as_str(), verify::references(memory)))
            .collect();
        let mut wanted = References::default();
        for one in references.values() {
            wanted.extend(one);
        }
        let Some(sighting) = self.options.repository.look(&wanted) else {
            self.log.problem(
                "verify",
                "the repository cannot be read: nothing is verified",
            );
            return;
        };
        let now_ms = self.options.writable.now_ms;
        for (id, references) in references {
            let Some(item) = items.by_id.get_mut(id) else {
                continue;
            };
            let verified = verify::verified(&item.planned.state, &references, &sighting, now_ms);
            let Some((state, change)) = verified else {
                continue;
            };
            item.planned.state = state;
            let (action, reason) = match change {
                verify::VerificationResult::Stale(reason) => (MaintainAction::Stale, reason),
                verify::VerificationResult::Fresh => (
                    MaintainAction::Fresh,
                    "missing names exist again".to_owned(),
                ),
                verify::VerificationResult::Verified => (
                    MaintainAction::Verify,
                    format!(
                        "{} found in the repository",
                        item.planned.state.verified.len()
                    ),
                ),
            };
            items.record(action, id, None, None, reason);
        }
    }

    /// Returns pairs of memories that may belong together, according to explorers that compare each with all.
    fn explore(&mut self) -> Result<BTreeSet<MemoryPair>, RunError> {
        let snapshot = &self.writable.snapshot;
        let since_ms = self.options.since_ms.unwrap_or(0);
        let in_use =
            |memory: &&Memory| memory.memory_type != MemoryType::Summary && !memory.is_archived();
        let memories: Vec<&Memory> = snapshot.iter().filter(in_use).collect();
        let candidates: Vec<Candidate> = memories
            .iter()
            .filter(|memory| {
                let updated = memory.front_matter.updated.as_deref();
                updated.and_then(milliseconds).unwrap_or(u64::MAX) >= since_ms
            })
            .map(|memory| candidate(memory))
            .collect();
        let by_path: BTreeMap<&str, &str> = memories
            .iter()
            .map(|memory| (memory.path.as_str(), memory.id.as_str()))
            .collect();
        let search: SharedSearch = Arc::new(SnapshotSearch::new(&snapshot.memories));
        let job = Job {
            now_ms: self.options.writable.now_ms,
            seed: self.options.writable.seed,
            log: self.log.clone(),
            models: None,
        };
        let memory_root = self.options.writable.layout.memory_root();
        let mut pairs = BTreeSet::new();
        if candidates.len() < 2 && since_ms == 0 {
            return Ok(pairs);
        }
        let explored = explore(
            &self.options.explorers,
            &|_| job.clone(),
            &memory_root,
            &search,
            &candidates,
        );
        self.metrics.explorer_fan_out += explored.fan_out as u64;
        self.metrics.explorer_ms += explored.elapsed_ms;
        for (plugin, usage) in &explored.usages {
            let role = acreta_types::Role::Explorer.name();
            self.metrics.used(plugin, role, usage);
        }
        for failure in &explored.failures {
            let message = format!("explorer left out: {failure}");
            self.log.problem("explore", &message);
        }
        for finding in &explored.findings {
            let matched = finding.matched_file.as_deref();
            let Some(other) = matched.and_then(|path| by_path.get(path)) else {
                continue;
            };
            if *other != finding.candidate_id {
                self.folder.append_json("subagents.log", finding);
                pairs.insert(pair_of(&finding.candidate_id, other));
            }
        }
        Ok(pairs)
    }

    /// Archives memories that were not accessed for a long time, unless a person holds them.
    fn fade(&self, items: &mut Consolidation) {
        let options = self.options;
        for memory in &self.writable.snapshot.memories {
            let id = memory.id.as_str();
            let is_left = !items.is_in_use(id)
                || items.is_held(id)
                || self.refused.archived.contains(id)
                || !matches!(
                    items.by_id.get(id).map(|item| &item.planned.text),
                    Some(TextChange::Stays)
                );
            if is_left {
                continue;
            }
            let seen = options.seen.get(id);
            if let Some(reason) =
                decay::faded(memory, seen, &options.active_days, options.writable.now_ms)
                && let Some(item) = items.by_id.get_mut(id)
            {
                item.planned.archive(ArchivedBy::Decay);
                items.record(MaintainAction::Archive, id, None, None, reason);
            }
        }
    }

    fn write(
        &mut self,
        run_id: &str,
        planned: &[PlannedMemory],
        records: &mut [MaintainRecord],
    ) -> Result<(), RunError> {
        let metrics = &mut self.metrics;
        let info = self.options.writable.writer.info().clone();
        let prepared =
            self.writable
                .prepare(run_id, run_id, planned, self.log.clone(), &mut |usage| {
                    metrics.used(&info.id, info.role.name(), usage)
                })?;
        for record in records {
            let path = prepared.paths.get(&record.memory_id);
            record.path = path.map(ToString::to_string);
        }
        if self.options.dry_run || prepared.change.files.is_empty() {
            return Ok(());
        }
        if !self.progress.may_commit() {
            return Err(RunError::LeaseLost);
        }
        // Saved before anything changes: a change that cannot be undone is not made.
        self.undo.add(&self.options.writable, &prepared.change)?;
        self.undo.save(&self.folder)?;
        self.writable.commit(&prepared)
    }
}

/// Reports whether anything of a memory must be written.
fn is_changed(planned: &PlannedMemory) -> bool {
    let Some(before) = &planned.before else {
        return true;
    };
    let evidence = before.evidence.as_ref();
    !matches!(planned.text, TextChange::Stays)
        || before
            .state
            .as_ref()
            .is_some_and(|state| *state != planned.state)
        || before.state.is_none() && !planned.state.proposals.is_empty()
        || before.state.is_none() && planned.state.last_verified.is_some()
        || evidence.is_some_and(|evidence| evidence.contributions != planned.contributions)
        || evidence.is_none() && !planned.contributions.is_empty()
}

/// Returns a memory as a candidate for explorers.
fn candidate(memory: &Memory) -> Candidate {
    Candidate {
        id: memory.id.clone(),
        category: memory.memory_type.name().to_owned(),
        kind: memory.kind().to_owned(),
        title: memory.title().to_owned(),
        body: body_of(memory).to_owned(),
        confidence: memory.front_matter.confidence.unwrap_or(0.5),
        tags: memory.front_matter.tags.clone(),
        evidence: Vec::new(),
        attrs: Attrs::default(),
    }
}
