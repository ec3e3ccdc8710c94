//! Candidates against memories of their type. Only the candidates' tokens are kept; memories pass by.

use std::collections::BTreeSet;
use std::path::Path;

use acreta_sdk::explorer::{Candidate, Failure, Finding};
use acreta_text::{jaccard, tokens};

use crate::memories::{Folder, Warning, visit};

/// Below this, two texts have nothing to do with each other.
pub const MATCH_FLOOR: f64 = 0.30;

/// From here on, two texts are about the same thing.
pub const UPDATE_FLOOR: f64 = 0.72;

/// One finding for each candidate, in the order of the batch, and the files that were left out.
pub fn explore(
    root: &Path,
    folders: &[Folder],
    batch: &[Candidate],
) -> Result<(Vec<Finding>, Vec<Warning>), Failure> {
    let mut probes: Vec<Probe<'_>> = batch.iter().map(Probe::new).collect();
    let mut warnings = Vec::new();
    for Folder { category, folder } in folders {
        if !batch
            .iter()
            .any(|candidate| candidate.category == *category)
        {
            continue;
        }
        visit(root, folder, &mut warnings, |path, memory| {
            let memory_tokens = memory.tokens();
            for probe in &mut probes {
                if probe.candidate.category != *category {
                    continue;
                }
                let overlap = jaccard(&probe.tokens, &memory_tokens);
                let known = probe.best.as_ref().map_or(0.0, |best| best.overlap);
                if overlap >= MATCH_FLOOR && overlap > known {
                    probe.best = Some(Match {
                        path: path.to_owned(),
                        overlap,
                        adds_nothing: probe.tokens.is_subset(&memory_tokens),
                        evidence: memory.evidence(),
                        id: memory.id.clone(),
                        kind: memory.kind.clone(),
                    });
                }
            }
        })?;
    }
    Ok((probes.into_iter().map(Probe::finding).collect(), warnings))
}

/// A candidate on its way past the memories.
struct Probe<'batch> {
    candidate: &'batch Candidate,
    tokens: BTreeSet<String>,
    /// The best so far; of two that are equally good, the first by path.
    best: Option<Match>,
}

struct Match {
    path: String,
    overlap: f64,
    adds_nothing: bool,
    evidence: String,
    id: String,
    kind: String,
}

impl<'batch> Probe<'batch> {
    fn new(candidate: &'batch Candidate) -> Self {
        Self {
            candidate,
            tokens: tokens(&format!("{}\n{}", candidate.title, candidate.body)),
            best: None,
        }
    }

    fn finding(self) -> Finding {
        let candidate_id = self.candidate.id.clone();
        let Some(best) = self.best else {
            return Finding {
                candidate_id,
                action_hint: "add".to_owned(),
                matched_file: None,
                overlap: 0.0,
                evidence: String::new(),
                attrs: Vec::new(),
            };
        };
        let attrs = [("memory_id", &best.id), ("memory_kind", &best.kind)]
            .into_iter()
            .filter(|(_, value)| !value.is_empty())
            .map(|(key, value)| (key.to_owned(), value.clone()))
            .collect();
        Finding {
            candidate_id,
            action_hint: best.action_hint().to_owned(),
            matched_file: Some(best.path),
            overlap: best.overlap as f32,
            evidence: best.evidence,
            attrs,
        }
    }
}

impl Match {
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
