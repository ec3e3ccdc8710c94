//! Compares candidates with the memories that the host's search finds for them.

use std::path::Path;

use acreta_sdk::explorer::{Candidate, Failure, Finding};
use acreta_text::{jaccard, tokens};

use crate::memories::{Memories, Warning};

/// Below this overlap, two texts are unrelated.
pub const MATCH_FLOOR: f64 = 0.15;

/// From this overlap on, two texts are about the same subject.
pub const UPDATE_FLOOR: f64 = 0.72;

/// Maximum number of memories reported for one candidate.
pub const MATCHES: usize = 4;

/// Returns the nearest memories of each candidate, nearest first, or a finding that there is none, in the order of the
/// batch; and the files that were left out.
pub fn explore(
    root: &Path,
    find: &dyn Fn(&Candidate) -> Result<Vec<String>, Failure>,
    batch: &[Candidate],
) -> Result<(Vec<Finding>, Vec<Warning>), Failure> {
    let mut memories = Memories::new(root);
    let mut findings = Vec::new();
    for candidate in batch {
        let matches = matches(&mut memories, candidate, find(candidate)?);
        if matches.is_empty() {
            findings.push(nothing(candidate));
        }
        findings.extend(matches.into_iter().map(|one| one.finding(candidate)));
    }
    Ok((findings, memories.warnings))
}

struct Match {
    path: String,
    overlap: f64,
    adds_nothing: bool,
    evidence: String,
    id: String,
    kind: String,
}

fn matches(memories: &mut Memories<'_>, candidate: &Candidate, paths: Vec<String>) -> Vec<Match> {
    let own = tokens(&format!("{}\n{}", candidate.title, candidate.body));
    let mut matches = Vec::new();
    for path in paths {
        let Some(memory) = memories.get(&path) else {
            continue;
        };
        // In maintenance a candidate is a memory itself.
        if memory.id == candidate.id {
            continue;
        }
        let memory_tokens = memory.tokens();
        let overlap = jaccard(&own, &memory_tokens);
        if overlap >= MATCH_FLOOR {
            matches.push(Match {
                overlap,
                adds_nothing: own.is_subset(&memory_tokens),
                evidence: memory.evidence(),
                id: memory.id.clone(),
                kind: memory.kind.clone(),
                path,
            });
        }
    }
    matches.sort_by(|left, right| {
        right
            .overlap
            .total_cmp(&left.overlap)
            .then_with(|| left.path.cmp(&right.path))
    });
    matches.truncate(MATCHES);
    matches
}

fn nothing(candidate: &Candidate) -> Finding {
    Finding {
        candidate_id: candidate.id.clone(),
        action_hint: "add".to_owned(),
        matched_file: None,
        overlap: 0.0,
        evidence: String::new(),
        attrs: Vec::new(),
    }
}

impl Match {
    fn finding(self, candidate: &Candidate) -> Finding {
        let action_hint = self.action_hint().to_owned();
        let attrs = [("memory_id", self.id), ("memory_kind", self.kind)]
            .into_iter()
            .filter(|(_, value)| !value.is_empty())
            .map(|(key, value)| (key.to_owned(), value))
            .collect();
        Finding {
            candidate_id: candidate.id.clone(),
            action_hint,
            matched_file: Some(self.path),
            overlap: self.overlap as f32,
            evidence: self.evidence,
            attrs,
        }
    }

    fn action_hint(&self) -> &'static str {
        if self.adds_nothing {
            "no-op"
        } else if self.overlap >= UPDATE_FLOOR {
            "update"
        } else {
            "add"
        }
    }
}
