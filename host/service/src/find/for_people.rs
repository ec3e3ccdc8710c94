//! Searches memory for a person: `memory search`.

pub use acreta_search::Explanation;
use acreta_types::MemoryType;
use serde::Serialize;

use crate::find::query::{Finder, FoundHit, MemoryFilter, memory_of, query};
use crate::find::short_ids::ShortIds;
use crate::find::show::EvidenceFile;
use crate::{Context, Failure};

/// A query over memory.
#[derive(Debug, Clone, Default)]
pub struct MemorySearchRequest {
    pub text: String,
    pub limit: usize,
    pub wanted: MemoryFilter,
    /// Add quotes and who said them.
    pub with_evidence: bool,
    /// Add how each score was computed.
    pub explain: bool,
}

#[derive(Debug, Serialize)]
pub struct MemorySearchResult {
    pub query: String,
    pub hits: Vec<FoundRow>,
    /// Short ids of all memories in the scopes that commands use.
    #[serde(skip)]
    pub short_ids: ShortIds,
}

#[derive(Debug, Serialize)]
pub struct FoundRow {
    pub id: String,
    pub scope: String,
    #[serde(rename = "type")]
    pub memory_type: MemoryType,
    pub kind: String,
    pub title: String,
    pub path: String,
    pub trust: &'static str,
    pub status: &'static str,
    /// It names something that is missing in the repository.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stale: bool,
    pub score: f32,
    pub snippet: String,
    /// Byte ranges in the snippet.
    pub marks: Vec<[usize; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<EvidenceFile>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
}

/// Searches the selected scopes, best hits first.
pub fn search(
    request: &MemorySearchRequest,
    context: &Context,
) -> Result<MemorySearchResult, Failure> {
    let mut query = query(
        request.text.clone(),
        request.limit,
        &request.wanted,
        context,
    )?;
    query.explain = request.explain;
    let found = Finder::new(context, &request.wanted).find(&query)?;
    let hits = found.into_iter().map(|found| {
        let evidence = match request.with_evidence {
            true => memory_of(&found)?.and_then(|memory| memory.evidence),
            false => None,
        };
        Ok(row(found, evidence))
    });
    Ok(MemorySearchResult {
        hits: hits.collect::<Result<_, Failure>>()?,
        query: query.text,
        short_ids: ShortIds::known(context)?,
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
        trust: hit.trust.name(),
        status: hit.status.name(),
        stale: hit.is_stale,
        score: hit.score,
        evidence,
        explanation: hit.explanation,
    }
}
