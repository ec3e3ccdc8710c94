//! The steps of a run that ask extractors and explorers, and the jobs that these get.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use acreta_model::{
    Candidate, Finding, Job, Models, Reading, Session, SharedModels, SharedTrace, Summary, locked,
};
use acreta_sessions::TraceFile;
use acreta_store::Snapshot;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::state::RunState;
use crate::decide::accepted::is_pending;
use crate::decide::accepted::{AcceptedCandidate, ResolvedCitation};
use crate::decide::gates::{GateResults, Judged, judge};
use crate::error::RunError;
use crate::run::explore::explore;
use crate::run::options::{Chain, Extractors};
use crate::run::report::ReadingReport;
use crate::run::search::SnapshotSearch;
use crate::run::share::ObservedModels;
use crate::run::spans;

impl RunState<'_> {
    /// Returns the extractors' candidates, judged. `fallback_ms` is the time of evidence whose events have none.
    pub(super) fn extract(
        &mut self,
        session: &Session,
        reader: &Arc<Mutex<TraceFile>>,
        fallback_ms: u64,
    ) -> Result<GateResults, RunError> {
        let candidates = self.candidates(session, reader)?;
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

    /// Returns the summary and its sources; `None` if the extractor has nothing to tell, as after a greeting.
    pub(super) fn summarise(
        &mut self,
        session: &Session,
        reader: &Arc<Mutex<TraceFile>>,
    ) -> Result<Option<(Summary, Vec<ResolvedCitation>)>, RunError> {
        let summary = self.first_summary(session, reader)?;
        if summary.title.trim().is_empty() && summary.body.trim().is_empty() {
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
        let links = &self.plugins.extractors.links;
        let granted: Vec<&Arc<ObservedModels>> = links
            .iter()
            .filter_map(|link| self.shares.get(&link.extractor.info().id))
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

    /// Keeps the candidates whose evidence is entirely in events after the first `known`.
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
            citations.all(|cited| new.contains(&cited.event.id))
        };
        kept.into_iter().filter(is_new).collect()
    }

    /// Returns the candidates of the extractors. A failing extractor is skipped, unless all fail.
    fn candidates(
        &mut self,
        session: &Session,
        reader: &Arc<Mutex<TraceFile>>,
    ) -> Result<Vec<Candidate>, RunError> {
        let Extractors { links, chain } = self.plugins.extractors.clone();
        let (mut all, mut failed, mut heard) = (Vec::new(), None, 0);
        for link in &links {
            let info = link.extractor.info();
            let job = self.job_of(&info.id, seed_of(session));
            let call = spans::called(info, "extract", || {
                link.extractor.extract(&job, session, rewound(reader))
            });
            self.metrics.used(&info.id, info.role.name(), &call.usage);
            let mut candidates = match call.result {
                Ok(candidates) => candidates,
                Err(error) if links.len() > 1 => {
                    self.log.problem("extract", &format!("left out: {error}"));
                    self.unheard = Some(error.to_string());
                    failed = Some(error);
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            heard += 1;
            let is_sure = |candidate: &Candidate| {
                candidate.confidence >= link.threshold && !is_pending(candidate)
            };
            let had_something_to_say = candidates.iter().any(is_sure);
            if links.len() > 1 {
                // Prefixes the extractor's id, which also makes ids unique.
                for candidate in &mut candidates {
                    candidate.id = format!("{}/{}", info.id, candidate.id);
                }
            }
            match chain {
                Chain::First if had_something_to_say => return Ok(candidates),
                // Pending candidates are kept whichever extractor is asked next.
                Chain::First => all.extend(candidates.into_iter().filter(is_pending)),
                Chain::Union => all.extend(candidates),
            }
        }
        match failed {
            Some(error) if heard == 0 => Err(error.into()),
            _ => Ok(all),
        }
    }

    /// Returns the summary of the first extractor that has one.
    fn first_summary(
        &mut self,
        session: &Session,
        reader: &Arc<Mutex<TraceFile>>,
    ) -> Result<Summary, RunError> {
        let links = self.plugins.extractors.links.clone();
        let mut failed = None;
        for link in &links {
            let info = link.extractor.info();
            let job = self.job_of(&info.id, seed_of(session));
            let call = spans::called(info, "summarise", || {
                link.extractor.summarise(&job, session, rewound(reader))
            });
            self.metrics.used(&info.id, info.role.name(), &call.usage);
            match call.result {
                Ok(summary) => return Ok(summary),
                Err(error) => {
                    self.log.problem("summarise", &format!("left out: {error}"));
                    failed = Some(error);
                }
            }
        }
        Err(match failed {
            Some(error) => error.into(),
            None => RunError::Refused {
                message: "no extractor is configured".to_owned(),
            },
        })
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
        let search: acreta_model::SharedSearch = Arc::new(SnapshotSearch::new(&snapshot.memories));
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
                .used(plugin, acreta_model::Role::Explorer.name(), usage);
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

fn rewound(reader: &Arc<Mutex<TraceFile>>) -> SharedTrace {
    acreta_model::TraceReader::rewind(&mut *locked(reader));
    reader.clone()
}

/// Returns a random seed derived from the session, so that a re-run is deterministic.
pub(super) fn seed_of(session: &Session) -> u64 {
    let digest = Sha256::digest(format!("{}/{}", session.agent, session.id));
    u64::from_le_bytes(digest[..8].try_into().expect("a digest has eight bytes"))
}
