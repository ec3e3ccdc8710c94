//! Search over scopes: the project first, global memory to fill up, never another project.

use crate::{Hit, MemoryIndex, Query, SearchError};

/// Which memory an answer may come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ScopeMode {
    /// The project's; what is left of the limit is filled up with global hits.
    #[default]
    ProjectFallbackGlobal,
    ProjectOnly,
    GlobalOnly,
}

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

/// The indexes a question may go to.
pub struct SearchScope<'a> {
    pub project: Option<&'a MemoryIndex>,
    pub global: Option<&'a MemoryIndex>,
    pub mode: ScopeMode,
}

impl SearchScope<'_> {
    /// Project hits first, each scope's best first.
    pub fn search(&self, query: &Query, now_ms: i64) -> Result<Vec<ScopedHit>, SearchError> {
        let (project, global) = match self.mode {
            ScopeMode::ProjectFallbackGlobal => (self.project, self.global),
            ScopeMode::ProjectOnly => (self.project, None),
            ScopeMode::GlobalOnly => (None, self.global),
        };
        let mut hits: Vec<ScopedHit> = Vec::new();
        for (scope, index) in [(Scope::Project, project), (Scope::Global, global)] {
            let Some(index) = index else { continue };
            let left = query.limit.saturating_sub(hits.len());
            if left == 0 {
                break;
            }
            let query = Query {
                limit: left,
                ..query.clone()
            };
            let found = index.search(&query, now_ms)?.hits;
            hits.extend(found.into_iter().map(|hit| ScopedHit { scope, hit }));
        }
        Ok(hits)
    }
}
