//! Search over scopes: the project first, global memory to fill up, never another project.

use crate::{Hit, MemoryIndex, Query, ScopeMode, SearchError};

/// Where a hit comes from.
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

/// What a search over scopes gave.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ScopedFound {
    /// Project hits first, each scope's best first.
    pub hits: Vec<ScopedHit>,
    /// What a person should know about how it was searched.
    pub warning: Option<String>,
}

/// The indexes a question may go to.
pub struct SearchScope<'a> {
    pub project: Option<&'a MemoryIndex>,
    pub global: Option<&'a MemoryIndex>,
    pub mode: ScopeMode,
}

impl SearchScope<'_> {
    /// Project hits first, each scope's best first.
    pub fn search(&self, query: &Query, now_ms: i64) -> Result<Vec<ScopedHit>, SearchError> {
        self.found(query, now_ms).map(|found| found.hits)
    }

    /// The same, with what is to be said about it.
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
