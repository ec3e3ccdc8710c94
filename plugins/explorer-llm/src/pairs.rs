//! Selects the memories for a candidate: the nearest of each type by the host's search, without summaries.

use std::path::Path;

use acreta_sdk::explorer::{Candidate, Failure, Host};
use explorer_overlap::Memories;

use crate::request::Note;

/// Number of memories of each type that are compared with a candidate.
const NEAREST: u32 = 4;

/// Summaries describe what happened; nothing that is learnt replaces them.
const SUMMARY: &str = "summary";

/// A candidate and a memory.
pub(crate) struct Pair {
    /// The candidate's index in the batch.
    pub(crate) candidate: usize,
    pub(crate) path: String,
    pub(crate) memory_id: String,
    /// Title and first line of the memory.
    pub(crate) evidence: String,
    pub(crate) known: Note,
    pub(crate) new: Note,
}

/// Returns the pairs of a batch, by candidate, the nearest memories first.
pub(crate) fn pairs(
    root: &Path,
    batch: &[Candidate],
    host: &impl Host,
) -> Result<Vec<Pair>, Failure> {
    let mut memories = Memories::new(root);
    let mut pairs = Vec::new();
    let types = host.memory_types();
    let types = types.iter().filter(|one| one.name != SUMMARY);
    let types: Vec<&str> = types.map(|one| one.name.as_str()).collect();
    for (number, candidate) in batch.iter().enumerate() {
        let new = Note::of(candidate);
        let query = format!("{}\n{}", candidate.title, candidate.body);
        for memory_type in &types {
            let filter = [("type".to_owned(), (*memory_type).to_owned())];
            for hit in host.find(&query, NEAREST, &filter)? {
                let Some(memory) = memories.get(&hit.path) else {
                    continue;
                };
                let known = Note::new(memory_type, &memory.kind, &memory.title, memory.text());
                // In maintenance a candidate is a memory itself; and reading a session again finds what was learnt from
                // it before.
                if memory.id == candidate.id || known.has_the_words_of(&new) {
                    continue;
                }
                pairs.push(Pair {
                    candidate: number,
                    memory_id: memory.id.clone(),
                    evidence: memory.evidence(),
                    known,
                    new: new.clone(),
                    path: hit.path,
                });
            }
        }
    }
    for warning in memories.warnings() {
        host.log("warn", &warning.to_string());
    }
    Ok(pairs)
}
