//! Runs explorers in parallel: disjoint batches, each with one thread and one fresh sandbox. Findings are logged and
//! shown; the decision about a candidate is made elsewhere.

use std::sync::Arc;
use std::time::Instant;

use acreta_types::{Candidate, Explorer, Finding, Job, PluginError, SharedSearch, Usage};
use camino::Utf8Path;

use crate::run::spans;

/// Returns the number of batches for a number of candidates.
pub(crate) fn fan_out(candidates: usize) -> usize {
    match candidates {
        0 => 0,
        1..=4 => 1,
        5..=12 => 2,
        _ => 3,
    }
}

pub(crate) struct Explored {
    pub(crate) findings: Vec<Finding>,
    pub(crate) failures: Vec<PluginError>,
    pub(crate) usages: Vec<(String, Usage)>,
    pub(crate) fan_out: usize,
    pub(crate) elapsed_ms: u64,
}

/// Asks every explorer about every candidate. If an explorer fails, its findings are missing but the run continues.
pub(crate) fn explore(
    explorers: &[Arc<dyn Explorer>],
    job_of: &dyn Fn(&str) -> Job,
    memory_root: &Utf8Path,
    search: &SharedSearch,
    candidates: &[Candidate],
) -> Explored {
    let started = Instant::now();
    let fan_out = if explorers.is_empty() {
        0
    } else {
        fan_out(candidates.len())
    };
    let mut explored = Explored {
        findings: Vec::new(),
        failures: Vec::new(),
        usages: Vec::new(),
        fan_out,
        elapsed_ms: 0,
    };
    if fan_out == 0 {
        return explored;
    }
    let size = candidates.len().div_ceil(fan_out);
    let calls: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = explorers
            .iter()
            .flat_map(|explorer| candidates.chunks(size).map(move |batch| (explorer, batch)))
            .map(|(explorer, batch)| {
                let search = Arc::clone(search);
                let job = job_of(&explorer.info().id);
                // Created here, so that it belongs to the step whichever thread ends it.
                let span = spans::of_call(explorer.info(), "explore");
                let log = tracing::dispatcher::get_default(Clone::clone);
                let call = scope.spawn(move || {
                    // The span ends in this thread and must reach the step's subscriber.
                    tracing::dispatcher::with_default(&log, move || {
                        spans::within(&span, || explorer.explore(&job, memory_root, search, batch))
                    })
                });
                (explorer, batch, call)
            })
            .collect();
        threads
            .into_iter()
            .map(|(explorer, batch, call)| (explorer, batch, call.join()))
            .collect()
    });
    for (explorer, batch, call) in calls {
        let Ok(call) = call else { continue };
        explored
            .usages
            .push((explorer.info().id.clone(), call.usage));
        match call.result {
            Ok(findings) => explored.findings.extend(
                findings
                    .into_iter()
                    .filter(|finding| is_about(finding, batch)),
            ),
            Err(error) => explored.failures.push(error),
        }
    }
    explored.elapsed_ms = started.elapsed().as_millis() as u64;
    explored
}

/// Reports whether a finding is about a candidate of the batch. Other findings are dropped.
fn is_about(finding: &Finding, batch: &[Candidate]) -> bool {
    batch
        .iter()
        .any(|candidate| candidate.id == finding.candidate_id)
}
