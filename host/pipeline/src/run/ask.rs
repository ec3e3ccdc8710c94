//! The steps of a run that ask extractors and explorers, and the jobs that these get.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use acreta_session_archive::{TraceFile, TraceStats};
use acreta_store::Snapshot;
use acreta_types::{
    Call, Candidate, Finding, Job, Models, Reading, Session, SharedModels, SharedTrace, Summary,
    Usage, locked,
};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::state::RunState;
use crate::decide::accepted::{AcceptedCandidate, FOUND_BY, ResolvedCitation, note_id};
use crate::decide::gates::{GateResults, Judged, judge};
use crate::error::RunError;
use crate::memory::workspace::Summaries;
use crate::run::explore::explore;
use crate::run::report::ReadingReport;
use crate::run::search::SnapshotSearch;
use crate::run::share::ObservedModels;
use crate::run::{spans, trivial};

/// The built-in extractor of the notes that agents made in their sessions.
pub const NOTES: &str = "extractor-notes";

impl RunState<'_> {
    /// Returns the extractors' candidates, judged. `fallback_ms` is the time of evidence whose events have none.
    pub(super) fn extract(
        &mut self,
        session: &Session,
        stats: &TraceStats,
        reader: &Arc<Mutex<TraceFile>>,
        fallback_ms: u64,
    ) -> Result<GateResults, RunError> {
        let candidates = self.candidates(session, stats, reader)?;
        self.metrics.candidates = candidates.len() as u64;
        let results = judge(
            candidates,
            &mut *locked(reader),
            &self.options.redactor,
            &self.options.thresholds,
            fallback_ms,
        );
        self.save_judged(results.judged.clone())?;
        Ok(results)
    }

    pub(super) fn save_judged(&self, candidates: Vec<Judged>) -> Result<(), RunError> {
        #[derive(Serialize)]
        struct ExtractFile {
            candidates: Vec<Judged>,
        }
        let file = ExtractFile { candidates };
        Ok(self.folder.write_json("extract.json", &file)?)
    }

    /// Returns the summary and its sources; `None` if there is nothing to tell. Extractors are not asked about a
    /// trivial session.
    pub(super) fn summarise(
        &mut self,
        session: &Session,
        reader: &Arc<Mutex<TraceFile>>,
        found: &GateResults,
    ) -> Result<Option<(Summary, Vec<ResolvedCitation>)>, RunError> {
        if self.options.summaries == Some(Summaries::Off) {
            return Ok(None);
        }
        let found_nothing = found.kept.is_empty() && found.pending.is_empty();
        if found_nothing && trivial::changed_nothing(&mut *locked(reader)) {
            self.log
                .step("summarise", "nothing was decided, changed or learnt");
            return Ok(None);
        }
        let summary = self.first_summary(session, reader)?;
        if is_empty(&summary) {
            return Ok(None);
        }
        self.metrics.summaries = 1;
        Ok(Some(crate::decide::gates::tidy_summary(
            summary,
            &mut *locked(reader),
            &self.options.redactor,
        )))
    }

    /// Returns how well the session was read, judged by the model usage of its extractors.
    pub(super) fn read_by(&self) -> ReadingReport {
        let mut read = self.read_by_those_heard();
        if let Some(reason) = self.unheard.as_ref().filter(|_| read.reading.complete) {
            read.falls_short("extractor", reason);
        }
        read
    }

    fn read_by_those_heard(&self) -> ReadingReport {
        let extractors = self.plugins.extractors.iter();
        let granted: Vec<&Arc<ObservedModels>> = extractors
            .filter_map(|extractor| self.shares.get(&extractor.info().id))
            .collect();
        if granted.is_empty() {
            let shortfall = self.options.without_model.clone();
            let reading = Reading {
                complete: shortfall.is_none(),
                ..Reading::by_rules()
            };
            return ReadingReport::new(reading, shortfall, false);
        }
        let source = self.options.models.as_ref().map(|models| &models.source);
        let reader = source.and_then(|source| source.model("extract"));
        // All plugins share one account; a plugin's own share also counts refused requests.
        let usages = granted.iter().map(|models| models.usage());
        let mut usage = usages.max_by_key(|usage| usage.failed).unwrap_or_default();
        if usage.failed == 0 && granted.iter().any(|models| models.unusable() > 0) {
            usage.failed = 1;
            usage.problem = Some("a reply was empty or not the requested JSON".to_owned());
            usage.problem_code = Some("invalid-reply".to_owned());
        }
        if usage.failed == 0 && granted.iter().any(|models| models.is_short()) {
            usage.failed = 1;
            usage.problem = Some("the budget left no room for the whole session".to_owned());
            usage.problem_code = Some("budget".to_owned());
        }
        let (reading, shortfall) = Reading::with(reader.as_deref().unwrap_or("model"), &usage);
        ReadingReport::new(reading, shortfall, true)
    }

    /// Keeps the candidates whose evidence is entirely in events after the first `known`. A note may quote an earlier
    /// message.
    pub(super) fn only_new(
        kept: Vec<AcceptedCandidate>,
        known: u64,
        reader: &Arc<Mutex<TraceFile>>,
    ) -> Vec<AcceptedCandidate> {
        let reader = locked(reader);
        let cited = kept.iter().flat_map(|kept| &kept.citations);
        let new = reader.after(known, cited.map(|cited| cited.event.id.as_str()));
        let new: BTreeSet<String> = new.into_iter().map(str::to_owned).collect();
        let is_new = |kept: &AcceptedCandidate| {
            let mut citations = kept.citations.iter();
            note_id(&kept.candidate).is_some()
                || citations.all(|cited| new.contains(&cited.event.id))
        };
        kept.into_iter().filter(is_new).collect()
    }

    /// Returns the candidates of all extractors. A failing extractor is skipped if another one found something. The one that
    /// reads notes is not handed a session without any, which is nearly every one: it would read all of it for nothing.
    fn candidates(
        &mut self,
        session: &Session,
        stats: &TraceStats,
        reader: &Arc<Mutex<TraceFile>>,
    ) -> Result<Vec<Candidate>, RunError> {
        let extractors = self.plugins.extractors.clone();
        let is_one_of_several = extractors.len() > 1;
        let (mut all, mut failed) = (Vec::new(), None);
        for extractor in &extractors {
            let info = extractor.info();
            let job = self.job_of(&info.id, seed_of(session));
            let has_nothing = info.id == NOTES && !stats.may_have_notes;
            let call = spans::called(info, "extract", || match has_nothing {
                true => Call {
                    result: Ok(Vec::new()),
                    usage: Usage::default(),
                },
                false => extractor.extract(&job, session, rewound(reader)),
            });
            self.metrics.used(&info.id, info.role.name(), &call.usage);
            let candidates = match call.result {
                Ok(candidates) => candidates,
                Err(error) if is_one_of_several => {
                    self.log.problem("extract", &format!("left out: {error}"));
                    self.unheard = Some(error.to_string());
                    failed = Some(error);
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            all.extend(candidates.into_iter().map(|mut candidate| {
                candidate.attrs.0.retain(|(name, _)| name != FOUND_BY);
                if is_one_of_several {
                    // Makes ids unique.
                    candidate.id = format!("{}/{}", info.id, candidate.id);
                    let found_by = (FOUND_BY.to_owned(), info.id.clone());
                    candidate.attrs.0.push(found_by);
                }
                candidate
            }));
        }
        match failed {
            Some(error) if all.is_empty() => Err(error.into()),
            _ => Ok(all),
        }
    }

    /// Returns the first summary that says something; extractors with a model are asked first.
    fn first_summary(
        &mut self,
        session: &Session,
        reader: &Arc<Mutex<TraceFile>>,
    ) -> Result<Summary, RunError> {
        let mut extractors = self.plugins.extractors.clone();
        extractors.sort_by_key(|extractor| !self.shares.contains_key(&extractor.info().id));
        let (mut failed, mut empty) = (None, None);
        for extractor in &extractors {
            let info = extractor.info();
            let job = self.job_of(&info.id, seed_of(session));
            let call = spans::called(info, "summarise", || {
                extractor.summarise(&job, session, rewound(reader))
            });
            self.metrics.used(&info.id, info.role.name(), &call.usage);
            match call.result {
                Ok(summary) if is_empty(&summary) => empty = Some(summary),
                Ok(summary) => return Ok(summary),
                Err(error) => {
                    self.log.problem("summarise", &format!("left out: {error}"));
                    failed = Some(error);
                }
            }
        }
        match (empty, failed) {
            (Some(empty), _) => Ok(empty),
            (None, Some(error)) => Err(error.into()),
            (None, None) => Err(RunError::Refused {
                message: "no extractor is configured".to_owned(),
            }),
        }
    }

    /// Asks explorers how the candidates relate to memory.
    pub(super) fn explore(
        &mut self,
        snapshot: &Snapshot,
        kept: &[AcceptedCandidate],
    ) -> Result<Vec<Finding>, RunError> {
        let candidates: Vec<_> = kept.iter().map(|kept| kept.candidate.clone()).collect();
        let layout = &self.options.layout;
        let memory_root = layout.memory_root();
        let base = layout.open_or_create(&self.options.faults)?;
        let folder = layout.memory_path("");
        if !folder.as_str().is_empty() {
            base.create_dir_all(&folder)?;
        }
        let search: acreta_types::SharedSearch = Arc::new(SnapshotSearch::new(&snapshot.memories));
        let explored = explore(
            &self.plugins.explorers,
            &|plugin| self.job_of(plugin, self.options.seed),
            &memory_root,
            &search,
            &candidates,
        );
        self.metrics.explorer_fan_out = explored.fan_out as u64;
        self.metrics.explorer_ms += explored.elapsed_ms;
        for (plugin, usage) in &explored.usages {
            self.metrics
                .used(plugin, acreta_types::Role::Explorer.name(), usage);
        }
        for finding in &explored.findings {
            self.folder.append_json("subagents.log", finding);
        }
        for failure in &explored.failures {
            self.log
                .problem("explore", &format!("explorer left out: {failure}"));
        }
        Ok(explored.findings)
    }

    /// Returns the job of a plugin without models.
    pub(super) fn job(&self, seed: u64) -> Job {
        Job {
            now_ms: self.options.now_ms,
            seed,
            log: self.log.clone(),
            models: None,
        }
    }

    /// Returns the job of a plugin, with models if it was granted them.
    pub(super) fn job_of(&self, plugin: &str, seed: u64) -> Job {
        Job {
            models: (self.shares.get(plugin)).map(|models| Arc::clone(models) as SharedModels),
            ..self.job(seed)
        }
    }
}

/// Reports whether a summary says nothing.
fn is_empty(summary: &Summary) -> bool {
    summary.title.trim().is_empty() && summary.body.trim().is_empty()
}

fn rewound(reader: &Arc<Mutex<TraceFile>>) -> SharedTrace {
    acreta_types::TraceReader::rewind(&mut *locked(reader));
    reader.clone()
}

/// Returns a random seed derived from the session, so that a re-run is deterministic.
pub(super) fn seed_of(session: &Session) -> u64 {
    let digest = Sha256::digest(format!("{}/{}", session.agent, session.id));
    u64::from_le_bytes(digest[..8].try_into().expect("a digest has eight bytes"))
}
