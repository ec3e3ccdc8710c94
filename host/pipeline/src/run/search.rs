//! Word search over today's memory, for explorers. Works on a snapshot, writes nothing, and gives the same answer for
//! the same memory on every machine.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use acreta_store::Memory;
use acreta_text::{head, tokens};
use acreta_types::{Attrs, Failure, MemorySearch, SearchHit};

use crate::memory::planned::body_of;

pub(crate) struct SnapshotSearch {
    entries: Vec<IndexedMemory>,
    /// Indices of the entries that contain a word.
    words: HashMap<String, Vec<u32>>,
}

struct IndexedMemory {
    id: String,
    path: String,
    memory_type: &'static str,
    kind: String,
    tags: Vec<String>,
    snippet: String,
    /// Number of distinct words.
    words: usize,
}

impl SnapshotSearch {
    pub(crate) fn new(memories: &[Arc<Memory>]) -> Self {
        let mut search = Self {
            entries: Vec::new(),
            words: HashMap::new(),
        };
        for memory in memories.iter().filter(|memory| !memory.is_archived()) {
            let body = body_of(memory);
            let words = tokens(&format!("{}\n{body}", memory.title()));
            let number = u32::try_from(search.entries.len()).unwrap_or(u32::MAX);
            search.entries.push(IndexedMemory {
                id: memory.id.clone(),
                path: memory.path.to_string(),
                memory_type: memory.memory_type.name(),
                kind: memory.kind().to_owned(),
                tags: memory.front_matter.tags.clone(),
                snippet: head(body, 200).to_owned(),
                words: words.len(),
            });
            for word in words {
                search.words.entry(word).or_default().push(number);
            }
        }
        search
    }

    /// Returns the entries that share a word with the query, each with the number of shared words.
    fn shared(&self, query: &BTreeSet<String>) -> Vec<(&IndexedMemory, usize)> {
        let mut shared = vec![0_usize; self.entries.len()];
        for word in query {
            for number in self.words.get(word).into_iter().flatten() {
                shared[*number as usize] += 1;
            }
        }
        let entries = self.entries.iter().zip(shared);
        entries.filter(|(_, shared)| *shared > 0).collect()
    }
}

impl MemorySearch for SnapshotSearch {
    fn find(&self, query: &str, limit: u32, filter: &Attrs) -> Result<Vec<SearchHit>, Failure> {
        let query = tokens(query);
        let mut hits: Vec<(f64, &IndexedMemory)> = self
            .shared(&query)
            .into_iter()
            .filter(|(entry, _)| entry.passes(filter))
            .map(|(entry, shared)| {
                let all = query.len() + entry.words - shared;
                (shared as f64 / all as f64, entry)
            })
            .collect();
        let limit = limit as usize;
        if limit < hits.len() {
            hits.select_nth_unstable_by(limit, best_first);
            hits.truncate(limit);
        }
        hits.sort_unstable_by(best_first);
        Ok(hits
            .into_iter()
            .map(|(score, entry)| SearchHit {
                id: entry.id.clone(),
                path: entry.path.clone(),
                score,
                snippet: entry.snippet.clone(),
            })
            .collect())
    }
}

fn best_first(left: &(f64, &IndexedMemory), right: &(f64, &IndexedMemory)) -> Ordering {
    right
        .0
        .total_cmp(&left.0)
        .then_with(|| left.1.id.cmp(&right.1.id))
}

impl IndexedMemory {
    fn passes(&self, filter: &Attrs) -> bool {
        filter.0.iter().all(|(key, value)| match key.as_str() {
            "type" => self.memory_type == value,
            "kind" => &self.kind == value,
            "tag" => self.tags.contains(value),
            _ => true,
        })
    }
}
