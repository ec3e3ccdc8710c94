//! `acreta memory search|related`.

use acreta_search::Query;
use acreta_service::clock::now_ms;
use acreta_service::find::{Finder, FoundHit, memory_of, query};
use acreta_service::scopes::{self, MemoryScope};
use acreta_service::{Failure, clock};
use acreta_store::Memory;
use serde::Serialize;

use crate::args::SearchArguments;
use crate::context::Context;
use crate::output::{json, line, talk};

#[derive(Serialize)]
struct HitRow<'a> {
    id: &'a str,
    scope: &'a str,
    #[serde(rename = "type")]
    memory_type: acreta_model::MemoryType,
    kind: &'a str,
    title: &'a str,
    path: &'a str,
    trust: &'static str,
    status: &'static str,
    score: f32,
    snippet: &'a str,
    /// Byte ranges in the snippet.
    marks: Vec<[usize; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<acreta_store::EvidenceFile>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<&'a acreta_search::Explanation>,
}

pub(super) fn search(arguments: &SearchArguments, context: &Context) -> Result<(), Failure> {
    let text = arguments.query.join(" ");
    let wanted = arguments.filter.wanted();
    let mut query = query(text, arguments.limit, &wanted, context)?;
    query.explain = arguments.explain;
    let found = Finder::new(context, &wanted).find(&query)?;
    show(&query.text, &found, arguments.evidence, context)
}

fn show(
    text: &str,
    found: &[FoundHit],
    with_evidence: bool,
    context: &Context,
) -> Result<(), Failure> {
    let memories: Vec<Option<Memory>> = found
        .iter()
        .map(|found| match with_evidence {
            true => memory_of(found),
            false => Ok(None),
        })
        .collect::<Result<_, _>>()?;
    if context.json {
        let rows: Vec<HitRow<'_>> = found
            .iter()
            .zip(&memories)
            .map(|(found, memory)| row(found, memory.as_ref()))
            .collect();
        json(&serde_json::json!({ "query": text, "hits": rows }));
        return Ok(());
    }
    if found.is_empty() {
        talk("nothing found");
    }
    for (found, memory) in found.iter().zip(&memories) {
        let hit = &found.hit;
        let kind = if hit.kind.is_empty() {
            hit.memory_type.name()
        } else {
            &hit.kind
        };
        line(&format!(
            "{}  {kind}  {}{}",
            hit.id,
            hit.title,
            remarks(found)
        ));
        line(&format!("    {}", hit.snippet.text.replace('\n', " ")));
        if let Some(memory) = memory {
            for text in evidence_lines(memory) {
                line(&format!("    {text}"));
            }
        }
        if let Some(explanation) = &hit.explanation {
            let terms: Vec<String> = explanation
                .terms
                .iter()
                .map(|part| format!("{} {:.2}", part.term, part.score))
                .collect();
            line(&format!(
                "    score {:.2} = (memory {:.2} + passage {:.2} + next {:.2}) × recency {:.2} × confidence {:.2} × access {:.2}; {}",
                explanation.score,
                explanation.memory,
                explanation.passage,
                explanation.next,
                explanation.recency,
                explanation.confidence,
                explanation.access,
                terms.join(", ")
            ));
        }
    }
    Ok(())
}

fn remarks(found: &FoundHit) -> String {
    let mut remarks = Vec::new();
    if found.scope != "project" {
        remarks.push(found.scope.as_str());
    }
    if found.hit.trust == acreta_store::Trust::Untrusted {
        remarks.push("untrusted");
    }
    if found.hit.status.name() != "active" {
        remarks.push(found.hit.status.name());
    }
    if remarks.is_empty() {
        String::new()
    } else {
        format!(" ({})", remarks.join(", "))
    }
}

fn row<'a>(found: &'a FoundHit, memory: Option<&Memory>) -> HitRow<'a> {
    let hit = &found.hit;
    HitRow {
        id: &hit.id,
        scope: &found.scope,
        memory_type: hit.memory_type,
        kind: &hit.kind,
        title: &hit.title,
        path: hit.path.as_str(),
        trust: hit.trust.name(),
        status: hit.status.name(),
        score: hit.score,
        snippet: &hit.snippet.text,
        marks: hit
            .snippet
            .marks
            .iter()
            .map(|mark| [mark.start, mark.end])
            .collect(),
        evidence: memory.and_then(|memory| memory.evidence.clone()),
        explanation: hit.explanation.as_ref(),
    }
}

/// Who said it, word for word.
pub(crate) fn evidence_lines(memory: &Memory) -> Vec<String> {
    let mut lines = Vec::new();
    let contributions = memory
        .evidence
        .iter()
        .flat_map(|evidence| &evidence.contributions);
    for contribution in contributions {
        lines.push(format!(
            "from {} session {}",
            contribution.agent, contribution.session_id
        ));
        for quoted in &contribution.evidence {
            let at = quoted.at_ms.map(clock::shown).unwrap_or_default();
            let place = if quoted.record.is_empty() {
                String::new()
            } else {
                format!(" ({})", quoted.record)
            };
            lines.push(format!(
                "  {at} {}{place}: “{}”",
                quoted.role,
                quoted.quote.trim()
            ));
        }
    }
    lines
}

pub(super) fn related(id: &str, limit: usize, context: &Context) -> Result<(), Failure> {
    let memories = super::load(context)?;
    let scoped = scopes::find(&memories, id)?;
    let memory = &scoped.memory;
    let mut rows: Vec<(String, &str, String)> = Vec::new();
    let mut add = |id: &str, why: &'static str, title: &str| {
        if id != memory.id && rows.len() < limit && !rows.iter().any(|row| row.0 == id) {
            rows.push((id.to_owned(), why, title.to_owned()));
        }
    };
    let state = memory.state.as_ref();
    let replaced = state.into_iter().flat_map(|state| {
        let successor = state.superseded_by.iter().map(|id| (id, "takes its place"));
        let former = state.supersedes.iter().map(|id| (id, "was replaced by it"));
        successor.chain(former)
    });
    let named = memory
        .front_matter
        .related
        .iter()
        .map(|id| (id, "named by it"));
    for (other, why) in replaced.chain(named) {
        if let Some(other) = memories.iter().find(|one| one.memory.id == *other) {
            add(&other.memory.id, why, other.memory.title());
        }
    }
    for other in &memories {
        if other.memory.front_matter.related.contains(&memory.id) {
            add(&other.memory.id, "names it", other.memory.title());
        }
    }
    // The same scope only: what is worded alike elsewhere is another project's business.
    let scope = MemoryScope {
        name: scoped.scope.clone(),
        layout: scoped.layout.clone(),
    };
    let index = scope.index(context);
    let query = Query {
        limit: limit + 1,
        ..Query::new(format!("{}\n{}", memory.title(), memory.body()))
    };
    let now = i64::try_from(now_ms()).unwrap_or(i64::MAX);
    for hit in index.search(&query, now)?.hits {
        add(&hit.id, "is worded alike", &hit.title);
    }
    if context.json {
        let rows: Vec<_> = rows
            .iter()
            .map(|(id, why, title)| serde_json::json!({ "id": id, "why": why, "title": title }))
            .collect();
        json(&serde_json::json!({ "id": memory.id, "related": rows }));
        return Ok(());
    }
    if rows.is_empty() {
        talk("nothing is near it");
    }
    for (id, why, title) in &rows {
        line(&format!("{id}  {why}: {title}"));
    }
    Ok(())
}
