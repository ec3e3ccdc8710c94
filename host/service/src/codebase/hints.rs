//! Hints from memory about files: those named by memories near a task.

use acreta_codebase::MemoryHints;
use acreta_pipeline::References;
use acreta_search::Query;
use acreta_store::{Trust, WordsFile};
use camino::Utf8Path;

use crate::process::clock::now_ms;
use crate::projects::repository::ends_with;
use crate::projects::scopes::MemoryScope;
use crate::{Context, Failure};

/// Names of files and folders, each with the relevance of the memory that names it.
pub(crate) struct FromMemory {
    names: Vec<(String, f64)>,
}

/// Number of memories whose names are used.
const MEMORIES: usize = 12;

/// Factor for a file in a named folder, compared with a named file.
const FOLDER: f64 = 0.5;

/// Factor for untrusted memories.
const UNTRUSTED: f64 = 0.5;

impl FromMemory {
    /// Returns the hints of a project's memory; empty if it has none.
    pub(crate) fn about(
        query: &str,
        project: &Utf8Path,
        context: &Context,
    ) -> Result<Self, Failure> {
        let mut names = Vec::new();
        let layout = context.layout(project);
        if !layout.has_memory()? {
            return Ok(Self { names });
        }
        let scope = MemoryScope {
            name: project.to_string(),
            layout,
        };
        let index = scope.index(context);
        let query = Query {
            limit: MEMORIES,
            ..Query::new(query.to_owned())
        };
        let now = i64::try_from(now_ms()).unwrap_or(i64::MAX);
        let hits = index.search(&query, now)?.hits;
        let best = hits.first().map_or(0.0, |hit| f64::from(hit.score));
        let store = scope.store()?;
        let words = WordsFile::new(store.layout());
        for hit in hits {
            let Some(memory) = store.read_with(&words, hit.memory_type, &hit.path)? else {
                continue;
            };
            let trust = match hit.trust {
                Trust::Untrusted => UNTRUSTED,
                _ => 1.0,
            };
            let nearness = f64::from(hit.score) / best.max(f64::MIN_POSITIVE);
            let named = References::of(memory.title(), memory.body()).paths;
            names.extend(named.into_iter().map(|name| (name, nearness * trust)));
        }
        Ok(Self { names })
    }
}

impl MemoryHints for FromMemory {
    fn weight(&self, path: &str, _query: &str) -> f64 {
        let weight = |(name, nearness): &(String, f64)| {
            let is_within = || {
                path.strip_prefix(name.as_str())
                    .is_some_and(|after| after.starts_with('/'))
            };
            if ends_with(path, name) {
                *nearness
            } else if is_within() {
                nearness * FOLDER
            } else {
                0.0
            }
        };
        self.names.iter().map(weight).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_what_lies_in_folders_are_told_by_name() {
        let named = |name: &str, nearness| (name.to_owned(), nearness);
        let hints = FromMemory {
            names: vec![named("src/queue.rs", 0.8), named("docs", 1.0)],
        };
        let table = [
            ("src/queue.rs", 0.8),
            ("host/src/queue.rs", 0.8),
            ("src/other_queue.rs", 0.0),
            ("docs/guide.md", 0.5),
            ("docsmith/guide.md", 0.0),
        ];
        for (path, expected) in table {
            assert_eq!(hints.weight(path, "any"), expected, "{path}");
        }
    }
}
