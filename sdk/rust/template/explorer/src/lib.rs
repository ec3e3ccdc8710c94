//! Finds the nearest memory of each candidate by the words they share. The host searches; a finding is a hint, and the
//! host decides.

use std::collections::BTreeSet;

use acreta_sdk::explorer::{Candidate, Explorer, Failure, Finding, Host};

/// Maximum number of memories examined for a candidate.
const LOOKED_AT: u32 = 5;

/// Minimum share of common words at which a memory covers the same subject.
const SAME: f32 = 0.5;

/// Minimum share at which the candidate adds nothing.
const NOTHING_NEW: f32 = 0.9;

/// The explorer.
pub struct ExamplePlugin;

acreta_sdk::explorer!(ExamplePlugin);

impl Explorer for ExamplePlugin {
    fn explore(batch: &[Candidate], host: &impl Host) -> Result<Vec<Finding>, Failure> {
        let mut findings = Vec::new();
        for candidate in batch {
            findings.push(finding(candidate, host)?);
        }
        Ok(findings)
    }
}

fn finding(candidate: &Candidate, host: &impl Host) -> Result<Finding, Failure> {
    let filter = [("type".to_owned(), candidate.category.clone())];
    let said = format!("{} {}", candidate.title, candidate.body);
    let mut nearest = Finding::add(candidate);
    for hit in host.find(&said, LOOKED_AT, &filter)? {
        let overlap = overlap(&said, &hit.snippet);
        if overlap <= nearest.overlap || overlap < SAME {
            continue;
        }
        nearest = if overlap < NOTHING_NEW {
            Finding::update(candidate, &hit.path, overlap, &hit.snippet)
        } else {
            Finding::no_op(candidate, &hit.path, overlap, &hit.snippet)
        };
    }
    Ok(nearest)
}

/// Computes the share of the candidate's words that the memory also has.
fn overlap(said: &str, known: &str) -> f32 {
    let (said, known) = (words(said), words(known));
    if said.is_empty() {
        return 0.0;
    }
    said.intersection(&known).count() as f32 / said.len() as f32
}

fn words(text: &str) -> BTreeSet<String> {
    text.split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| word.len() > 2)
        .map(str::to_lowercase)
        .collect()
}
