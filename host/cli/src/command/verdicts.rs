//! Prints the candidates of a run with the verdict on each: `--explain` of `run` and `sync`.

use acreta_service::Failure;
use acreta_service::learn::candidates::{CandidateVerdict, candidates};
use camino::Utf8Path;

use crate::output::{count, line};

/// Prints every candidate of a run: the accepted ones, then the stopped ones with their gate.
pub(crate) fn explain(run_folder: &Utf8Path) -> Result<(), Failure> {
    let candidates = candidates(run_folder)?;
    let (taken, stopped): (Vec<_>, Vec<_>) = candidates.iter().partition(|one| one.kept);
    line(&format!(
        "{}: {} taken, {} nearly taken",
        count(candidates.len() as u64, "candidate", "candidates"),
        taken.len(),
        stopped.len()
    ));
    for candidate in taken {
        line(&considered("taken ", candidate));
        line(&format!("        {}", candidate.reason));
    }
    for candidate in stopped {
        line(&considered("nearly", candidate));
        line(&format!(
            "        stopped by the gate `{}`: {}",
            candidate.gate, candidate.reason
        ));
        if !candidate.body.is_empty() && candidate.body != candidate.title {
            line(&format!("        “{}”", one_line(&candidate.body)));
        }
    }
    Ok(())
}

fn considered(verdict: &str, candidate: &CandidateVerdict) -> String {
    let what = [candidate.memory_type.as_str(), candidate.kind.as_str()];
    let what: Vec<&str> = what.into_iter().filter(|word| !word.is_empty()).collect();
    format!(
        "{verdict}  {:.2}  {}  {}",
        candidate.confidence,
        what.join(" "),
        candidate.title
    )
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
