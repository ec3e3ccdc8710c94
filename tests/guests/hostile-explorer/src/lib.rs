//! An explorer that attacks the sandbox if its config says so (`attack`, see `hostile-attacks`). Otherwise it is
//! honest: it finds nothing.

use acreta_sdk::explorer::{Candidate, Failure, Finding, Guest, host};
use hostile_attacks::Turn;

pub struct Hostile;

impl Guest for Hostile {
    fn explore(batch: Vec<Candidate>) -> Result<Vec<Finding>, Failure> {
        match hostile_attacks::turn("explore", "explore", host::config::get, host::log::write) {
            Turn::Honest => Ok(Vec::new()),
            Turn::Reported(message) => Err(failure("report", message)),
            Turn::Special(order) if order.attack == "junk" => Ok(junk(&batch)),
            Turn::Special(order) => Err(failure("unknown-attack", order.attack)),
        }
    }
}

/// Returns findings that are valid only by their types.
fn junk(batch: &[Candidate]) -> Vec<Finding> {
    let known = batch
        .first()
        .map_or("c-1", |candidate| candidate.id.as_str());
    let mut findings = vec![
        finding("no-such-candidate", "update", Some("decisions/a.md"), 1.0),
        finding("", "", None, 0.0),
        finding(known, "delete", Some("decisions/a.md"), 0.9),
        finding(known, "update", Some("../../etc/passwd"), 1.0),
        finding(known, "update", Some("/etc/passwd"), 1.0),
        finding(known, "update", Some("decisions/no-such-file.md"), 1.0),
        finding(known, "update", Some("archived/decisions/a.md"), 1.0),
        finding(known, "update", Some(""), f32::NAN),
        finding(known, "no-op", None, f32::INFINITY),
        finding(known, "no-op", Some("decisions/\0.md"), -7.0),
    ];
    let flood = finding(known, "update", Some("decisions/a.md"), 0.99);
    findings.extend(std::iter::repeat_n(flood, 10_000));
    findings
}

fn finding(
    candidate_id: &str,
    action_hint: &str,
    matched_file: Option<&str>,
    overlap: f32,
) -> Finding {
    Finding {
        candidate_id: candidate_id.to_owned(),
        action_hint: action_hint.to_owned(),
        matched_file: matched_file.map(str::to_owned),
        overlap,
        evidence: "\u{1b}[31mred\u{1b}[0m \u{202e}\0".to_owned(),
        attrs: vec![("memory_id".to_owned(), "../forged".to_owned())],
    }
}

fn failure(code: &str, message: String) -> Failure {
    Failure {
        code: code.to_owned(),
        message,
        retryable: false,
    }
}

#[cfg(target_family = "wasm")]
acreta_sdk::explorer::export!(Hostile);
