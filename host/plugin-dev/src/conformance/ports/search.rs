//! Searches a folder of memory files by shared words; ties are ordered by path. Skips files that are not memory files.

use std::collections::BTreeSet;

use acreta_fs::{Directory, FsError};
use acreta_store::{Document, MEMORY_BYTES};
use acreta_types::{Attrs, Failure, MemorySearch, MemoryType, SearchHit};

use super::unavailable;
use crate::conformance::stage::files;

pub(crate) struct WordSearch {
    entries: Vec<SearchedMemory>,
}

struct SearchedMemory {
    hit: SearchHit,
    memory_type: &'static str,
    kind: String,
    tags: Vec<String>,
    words: BTreeSet<String>,
}

impl WordSearch {
    pub(crate) fn over(memory: &Directory) -> Result<Self, FsError> {
        let mut entries = Vec::new();
        for path in files(memory, ".")? {
            let folder = path.components().next().map_or("", |part| part.as_str());
            let Some(memory_type) = MemoryType::from_folder(folder) else {
                continue;
            };
            let Ok(text) = memory.read_to_string(&path, MEMORY_BYTES) else {
                continue;
            };
            let Ok(document) = Document::parse(&text) else {
                continue;
            };
            let head = document.front_matter;
            entries.push(SearchedMemory {
                words: acreta_text::tokens(&format!("{}\n{}", head.title, document.body)),
                hit: SearchHit {
                    id: head.id,
                    path: path.into_string(),
                    score: 0.0,
                    snippet: acreta_text::head(document.body.trim(), 200).to_owned(),
                },
                memory_type: memory_type.name(),
                kind: head.kind.unwrap_or_default(),
                tags: head.tags,
            });
        }
        Ok(Self { entries })
    }
}

impl MemorySearch for WordSearch {
    fn find(&self, query: &str, limit: u32, filter: &Attrs) -> Result<Vec<SearchHit>, Failure> {
        let words = acreta_text::tokens(query);
        let mut hits: Vec<SearchHit> = self
            .entries
            .iter()
            .filter(|entry| entry.passes(filter))
            .map(|entry| SearchHit {
                score: acreta_text::jaccard(&words, &entry.words),
                ..entry.hit.clone()
            })
            .filter(|hit| hit.score > 0.0)
            .collect();
        hits.sort_by(|left, right| {
            let by_score = right.score.total_cmp(&left.score);
            by_score.then_with(|| left.path.cmp(&right.path))
        });
        hits.truncate(limit as usize);
        Ok(hits)
    }
}

impl SearchedMemory {
    fn passes(&self, filter: &Attrs) -> bool {
        filter.0.iter().all(|(key, value)| match key.as_str() {
            "type" => self.memory_type == value,
            "kind" => &self.kind == value,
            "tag" => self.tags.contains(value),
            _ => true,
        })
    }
}

/// A search that always fails.
pub(crate) struct BrokenSearch;

impl MemorySearch for BrokenSearch {
    fn find(&self, _: &str, _: u32, _: &Attrs) -> Result<Vec<SearchHit>, Failure> {
        Err(unavailable("the index cannot be read"))
    }
}
