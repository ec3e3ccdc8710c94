//! Search over today's memory by shared words: what explorers ask. Reads a snapshot, writes nothing.

use std::collections::BTreeSet;

use acreta_model::{Attrs, Failure, MemorySearch, SearchHit};
use acreta_store::Memory;
use acreta_text::{head, jaccard, tokens};

use crate::plan::body_of;

pub(crate) struct WordSearch {
    entries: Vec<Entry>,
}

struct Entry {
    id: String,
    path: String,
    memory_type: &'static str,
    kind: String,
    tags: Vec<String>,
    snippet: String,
    tokens: BTreeSet<String>,
}

impl WordSearch {
    pub(crate) fn new(memories: &[Memory]) -> Self {
        let entries = memories
            .iter()
            .filter(|memory| !memory.is_archived())
            .map(|memory| Entry {
                id: memory.id.clone(),
                path: memory.path.to_string(),
                memory_type: memory.memory_type.name(),
                kind: memory.kind().to_owned(),
                tags: memory.front_matter.tags.clone(),
                snippet: head(body_of(memory), 200).to_owned(),
                tokens: tokens(&format!("{}\n{}", memory.title(), body_of(memory))),
            })
            .collect();
        Self { entries }
    }
}

impl MemorySearch for WordSearch {
    fn find(&self, query: &str, limit: u32, filter: &Attrs) -> Result<Vec<SearchHit>, Failure> {
        let query = tokens(query);
        let mut hits: Vec<SearchHit> = self
            .entries
            .iter()
            .filter(|entry| entry.passes(filter))
            .map(|entry| SearchHit {
                id: entry.id.clone(),
                path: entry.path.clone(),
                score: jaccard(&query, &entry.tokens),
                snippet: entry.snippet.clone(),
            })
            .filter(|hit| hit.score > 0.0)
            .collect();
        hits.sort_by(|left, right| {
            right
                .score
                .total_cmp(&left.score)
                .then_with(|| left.id.cmp(&right.id))
        });
        hits.truncate(limit as usize);
        Ok(hits)
    }
}

impl Entry {
    fn passes(&self, filter: &Attrs) -> bool {
        filter.0.iter().all(|(key, value)| match key.as_str() {
            "type" => self.memory_type == value,
            "kind" => &self.kind == value,
            "tag" => self.tags.contains(value),
            _ => true,
        })
    }
}
