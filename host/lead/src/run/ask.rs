//! The steps of a run that ask extractors and explorers, and what each of them is given.

use std::sync::{Arc, Mutex, PoisonError};

use acreta_fs::Directory;
use acreta_model::{Job, Session, SharedTrace, Summary};
use acreta_sessions::TraceFile;
use acreta_store::Snapshot;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::Run;
use crate::error::RunError;
use crate::explore::explore;
use crate::gates::{Cited, Judged, Kept, judge};
use crate::plan::Contributor;
use crate::search::WordSearch;
use crate::spans;

impl Run<'_> {
    pub(super) fn extract(
        &mut self,
        session: &Session,
        reader: &Arc<Mutex<TraceFile>>,
        contributor: &Contributor,
    ) -> Result<Vec<Kept>, RunError> {
        let extractor = &self.plugins.extractor;
        let job = self.job_of(&extractor.info().id, seed_of(session));
        let call = spans::called(extractor.info(), "extract", || {
            extractor.extract(&job, session, rewound(reader))
        });
        self.metrics.used(
            &extractor.info().id,
            extractor.info().role.name(),
            &call.usage,
        );
        let candidates = call.result?;
        self.metrics.candidates = candidates.len() as u64;
        let (judged, kept) = judge(
            candidates,
            &mut *locked(reader),
            &self.options.redactor,
            &self.options.thresholds,
            contributor.last_ms.unwrap_or(contributor.created_ms),
        );
        #[derive(Serialize)]
        struct Extract {
            candidates: Vec<Judged>,
        }
        self.folder
            .write_json("extract.json", &Extract { candidates: judged })?;
        Ok(kept)
    }

    pub(super) fn summarise(
        &mut self,
        session: &Session,
        reader: &Arc<Mutex<TraceFile>>,
    ) -> Result<(Summary, Vec<Cited>), RunError> {
        let extractor = &self.plugins.extractor;
        let job = self.job_of(&extractor.info().id, seed_of(session));
        let call = spans::called(extractor.info(), "summarise", || {
            extractor.summarise(&job, session, rewound(reader))
        });
        self.metrics.used(
            &extractor.info().id,
            extractor.info().role.name(),
            &call.usage,
        );
        let summary = call.result?;
        self.metrics.summaries = 1;
        Ok(crate::gates::tidy_summary(
            summary,
            &mut *locked(reader),
            &self.options.redactor,
        ))
    }

    pub(super) fn explore(&mut self, snapshot: &Snapshot, kept: &[Kept]) -> Result<(), RunError> {
        let candidates: Vec<_> = kept.iter().map(|kept| kept.candidate.clone()).collect();
        let memory_root = self.options.layout.memory_root();
        Directory::open_or_create(&memory_root, Arc::clone(&self.options.faults))?;
        let search: acreta_model::SharedSearch = Arc::new(WordSearch::new(&snapshot.memories));
        let explored = explore(
            &self.plugins.explorers,
            &|plugin| self.job_of(plugin, self.options.seed),
            &memory_root,
            &search,
            &candidates,
        );
        self.metrics.explorer_fan_out = explored.fan_out as u64;
        self.metrics.explorer_ms = explored.elapsed_ms;
        for (plugin, usage) in &explored.usages {
            self.metrics
                .used(plugin, acreta_model::Role::Explorer.name(), usage);
        }
        for finding in &explored.findings {
            self.folder.append_json("subagents.log", finding);
        }
        for failure in &explored.failures {
            self.log
                .step("explore", &format!("explorer left out: {failure}"));
        }
        Ok(())
    }

    /// What a plugin without models gets.
    pub(super) fn job(&self, seed: u64) -> Job {
        Job {
            now_ms: self.options.now_ms,
            seed,
            log: self.log.clone(),
            models: None,
        }
    }

    /// What a plugin gets that may ask models if it was granted them.
    pub(super) fn job_of(&self, plugin: &str, seed: u64) -> Job {
        let granted = self.options.models.as_ref();
        let is_granted = granted.is_some_and(|models| models.plugins.contains(plugin));
        Job {
            models: self.models.clone().filter(|_| is_granted),
            ..self.job(seed)
        }
    }
}

fn locked(reader: &Arc<Mutex<TraceFile>>) -> std::sync::MutexGuard<'_, TraceFile> {
    reader.lock().unwrap_or_else(PoisonError::into_inner)
}

fn rewound(reader: &Arc<Mutex<TraceFile>>) -> SharedTrace {
    acreta_model::TraceReader::rewind(&mut *locked(reader));
    reader.clone()
}

/// Chance that belongs to the session: a re-run rolls the same dice.
pub(super) fn seed_of(session: &Session) -> u64 {
    let digest = Sha256::digest(format!("{}/{}", session.agent, session.id));
    u64::from_le_bytes(digest[..8].try_into().expect("a digest has eight bytes"))
}
