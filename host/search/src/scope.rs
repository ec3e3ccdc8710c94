//! Search across scopes: the project first, then global memory, never another project.

use crate::{Hit, MemoryIndex, Query, ScopeMode, SearchError};

/// Origin of a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    Project,
    Global,
}

/// A hit and its scope.
#[derive(Debug, Clone, PartialEq)]
pub struct ScopedHit {
    pub scope: Scope,
    pub hit: Hit,
}

/// Result of a search across scopes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ScopedFound {
    /// Project hits first; best first within each scope.
    pub hits: Vec<ScopedHit>,
    /// A warning for the user about the search.
    pub warning: Option<String>,
}

/// The indexes to search.
pub struct SearchScope<'a> {
    pub project: Option<&'a MemoryIndex>,
    pub global: Option<&'a MemoryIndex>,
    pub mode: ScopeMode,
}

impl SearchScope<'_> {
    /// Searches; returns project hits first, best first within each scope.
    pub fn search(&self, query: &Query, now_ms: i64) -> Result<Vec<ScopedHit>, SearchError> {
        self.found(query, now_ms).map(|found| found.hits)
    }

    /// Like [`Self::search`], with warnings.
    pub fn found(&self, query: &Query, now_ms: i64) -> Result<ScopedFound, SearchError> {
        let (project, global) = match self.mode {
            ScopeMode::ProjectFallbackGlobal => (self.project, self.global),
            ScopeMode::ProjectOnly => (self.project, None),
            ScopeMode::GlobalOnly => (None, self.global),
        };
        let mut all = ScopedFound::default();
        for (scope, index) in [(Scope::Project, project), (Scope::Global, global)] {
            let Some(index) = index else { continue };
            let left = query.limit.saturating_sub(all.hits.len());
            if left == 0 {
                break;
            }
            let query = Query {
                limit: left,
                ..query.clone()
            };
            let found = index.search(&query, now_ms)?;
            let hits = found.hits.into_iter();
            all.hits.extend(hits.map(|hit| ScopedHit { scope, hit }));
            all.warning = all.warning.or(found.warning);
        }
        Ok(all)
    }
}
