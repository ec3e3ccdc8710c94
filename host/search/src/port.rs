//! The index behind the port that explorers ask.

use std::sync::Arc;

use acreta_model::{Attrs, Failure, MemorySearch, MemoryType, SearchHit};

use crate::{Filter, MemoryIndex, Query};

/// Search at one point in time, as plugins see it.
pub struct SearchPort {
    pub index: Arc<MemoryIndex>,
    pub now_ms: i64,
}

impl MemorySearch for SearchPort {
    fn find(&self, query: &str, limit: u32, filter: &Attrs) -> Result<Vec<SearchHit>, Failure> {
        let Some(filter) = filter_of(filter) else {
            return Ok(Vec::new());
        };
        let query = Query {
            limit: limit as usize,
            filter,
            ..Query::new(query)
        };
        let found = self
            .index
            .search(&query, self.now_ms)
            .map_err(|error| Failure {
                code: "search".to_owned(),
                message: error.to_string(),
                retryable: true,
            })?;
        Ok(found
            .hits
            .into_iter()
            .map(|hit| SearchHit {
                id: hit.id,
                path: hit.path.into_string(),
                score: f64::from(hit.score),
                snippet: hit.snippet.text,
            })
            .collect())
    }
}

/// `None` when it asks for a type there is not. Keys it does not know are left alone.
fn filter_of(attrs: &Attrs) -> Option<Filter> {
    let mut filter = Filter::default();
    if let Some(name) = attrs.get("type") {
        filter.types.insert(MemoryType::from_name(name)?);
    }
    filter.kinds.extend(attrs.get("kind").map(str::to_owned));
    filter.tags.extend(attrs.get("tag").map(str::to_owned));
    Some(filter)
}
