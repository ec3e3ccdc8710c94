//! Searches memory: `memory search`, `GET /api/search`, and the tool `memory_search`.

pub use acreta_search::Explanation;
use acreta_types::{MemoryType, ScopeMode, Status, Trust};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::find::query::{Finder, FoundHit, MemoryFilter, memory_of, query};
use crate::find::show::EvidenceFile;
use crate::{Context, Failure};

/// A query over memory.
#[derive(Debug, Clone, Default)]
pub struct MemorySearchRequest {
    pub text: String,
    /// Number of hits to skip.
    pub offset: usize,
    pub limit: usize,
    pub wanted: MemoryFilter,
    /// Add quotes and who said them.
    pub with_evidence: bool,
    /// Add how each score was computed.
    pub explain: bool,
}

/// A query over memory with one value for each filter, as a URL has them.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchQuery {
    #[schemars(length(min = 1, max = 2000))]
    pub q: String,
    #[serde(rename = "type")]
    pub memory_type: Option<MemoryType>,
    #[schemars(length(min = 1, max = 64))]
    pub kind: Option<String>,
    #[schemars(length(min = 1, max = 64))]
    pub tag: Option<String>,
    #[schemars(length(min = 1, max = 64))]
    pub agent: Option<String>,
    pub trust: Option<Trust>,
    /// Default: `active`.
    pub status: Option<Status>,
    /// A date, a time, or an age: `2026-01-31`, `2026-01-31T12:00:00Z`, `7d`.
    #[schemars(length(min = 1, max = 40))]
    pub since: Option<String>,
    /// Default: the configured scope.
    pub scope: Option<ScopeMode>,
    #[serde(default = "page_size")]
    #[schemars(range(min = 1, max = 100))]
    pub limit: usize,
    #[serde(default)]
    #[schemars(range(max = 1_000_000_000))]
    pub offset: usize,
    /// Add quotes and who said them.
    #[serde(default)]
    pub evidence: bool,
    /// Add how each score was computed.
    #[serde(default)]
    pub explain: bool,
}

fn page_size() -> usize {
    20
}

impl SearchQuery {
    pub fn request(&self, all_projects: bool) -> MemorySearchRequest {
        let one = |text: &Option<String>| text.iter().cloned().collect();
        let memory_type = self.memory_type.iter();
        MemorySearchRequest {
            text: self.q.clone(),
            offset: self.offset,
            limit: self.limit,
            wanted: MemoryFilter {
                types: memory_type.map(|one| one.name().to_owned()).collect(),
                kinds: one(&self.kind),
                tags: one(&self.tag),
                agents: one(&self.agent),
                only_trust: self.trust,
                only_status: self.status,
                since: self.since.clone(),
                scope: self.scope.map(|mode| mode.name().to_owned()),
                all_projects,
                ..MemoryFilter::default()
            },
            with_evidence: self.evidence,
            explain: self.explain,
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "SearchPage")]
pub struct MemorySearchResult {
    pub query: String,
    /// Best hits first.
    pub hits: Vec<FoundRow>,
    /// More hits follow.
    pub more: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "SearchHit")]
pub struct FoundRow {
    pub id: String,
    pub scope: String,
    #[serde(rename = "type")]
    pub memory_type: MemoryType,
    pub kind: String,
    pub title: String,
    pub path: String,
    pub trust: Trust,
    pub status: Status,
    /// It names something that is missing in the repository.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stale: bool,
    pub score: f32,
    pub snippet: String,
    /// Byte ranges of the snippet that match the query, as start and end.
    pub marks: Vec<[usize; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<EvidenceFile>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    pub explanation: Option<Explanation>,
}

/// Searches the selected scopes, best hits first.
pub fn search(
    request: &MemorySearchRequest,
    context: &Context,
) -> Result<MemorySearchResult, Failure> {
    let end = request.offset.saturating_add(request.limit);
    let mut query = query(
        request.text.clone(),
        end.saturating_add(1),
        &request.wanted,
        context,
    )?;
    query.explain = request.explain;
    let found = Finder::new(context, &request.wanted).find(&query)?;
    let more = found.len() > end;
    let found = found.into_iter().skip(request.offset).take(request.limit);
    let hits = found.map(|found| {
        let evidence = match request.with_evidence {
            true => memory_of(&found)?.and_then(|memory| memory.evidence),
            false => None,
        };
        Ok(row(found, evidence))
    });
    Ok(MemorySearchResult {
        hits: hits.collect::<Result<_, Failure>>()?,
        query: query.text,
        more,
    })
}

fn row(found: FoundHit, evidence: Option<EvidenceFile>) -> FoundRow {
    let hit = found.hit;
    let marks = hit.snippet.marks.iter();
    FoundRow {
        marks: marks.map(|mark| [mark.start, mark.end]).collect(),
        snippet: hit.snippet.text,
        id: hit.id,
        scope: found.scope,
        memory_type: hit.memory_type,
        kind: hit.kind,
        title: hit.title,
        path: hit.path.into_string(),
        trust: hit.trust,
        status: hit.status,
        stale: hit.is_stale,
        score: hit.score,
        evidence,
        explanation: hit.explanation,
    }
}
