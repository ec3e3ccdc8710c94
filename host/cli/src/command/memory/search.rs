//! `acreta memory search|related`.

use acreta_search::{Access, Accesses, Filter, Hit, Query, Scope, SearchScope};
use acreta_store::{Memory, Store};
use serde::Serialize;

use super::{wanted_trust, wanted_type};
use crate::args::{FilterArguments, SearchArguments};
use crate::clock::{moment, now_ms};
use crate::context::Context;
use crate::failure::CliError;
use crate::output::{json, line, talk, warn};
use crate::scopes::{self, MemoryScope};

/// Something that was found, and whose it is.
pub(crate) struct FoundHit {
    pub(crate) scope: String,
    pub(crate) layout: acreta_store::Layout,
    pub(crate) hit: Hit,
}

/// Asks the indexes of the scopes a person means.
pub(crate) struct Finder<'a> {
    context: &'a Context,
    filter: &'a FilterArguments,
}

impl<'a> Finder<'a> {
    pub(crate) fn new(context: &'a Context, filter: &'a FilterArguments) -> Self {
        Self { context, filter }
    }

    /// The project's hits first, or, over all projects, the best first.
    pub(crate) fn find(&self, query: &Query) -> Result<Vec<FoundHit>, CliError> {
        let mode = scopes::mode(self.context, self.filter.scope.as_deref())?;
        let (project, global) = (
            MemoryScope::project(self.context),
            MemoryScope::global(self.context),
        );
        let model = scopes::sentence_model(self.context);
        let index = |scope: &MemoryScope| scope.index(model.as_ref());
        let (project_index, global_index) = (index(&project), index(&global));
        let now = i64::try_from(now_ms()).unwrap_or(i64::MAX);
        let all = SearchScope {
            project: Some(&project_index),
            global: Some(&global_index),
            mode,
        }
        .found(query, now)?;
        if let Some(warning) = &all.warning {
            warn(warning);
        }
        let mut found: Vec<FoundHit> = all
            .hits
            .into_iter()
            .map(|scoped| {
                let scope = match scoped.scope {
                    Scope::Project => &project,
                    Scope::Global => &global,
                };
                FoundHit {
                    scope: scope.name.clone(),
                    layout: scope.layout.clone(),
                    hit: scoped.hit,
                }
            })
            .collect();
        if self.filter.all_projects {
            for scope in scopes::other_projects(self.context)? {
                let hits = index(&scope).search(query, now)?.hits;
                found.extend(hits.into_iter().map(|hit| FoundHit {
                    scope: scope.name.clone(),
                    layout: scope.layout.clone(),
                    hit,
                }));
            }
            found.sort_by(|left, right| right.hit.score.total_cmp(&left.hit.score));
            found.truncate(query.limit);
        }
        Ok(found)
    }
}

/// A query with the filters and with what is known of accesses.
pub(crate) fn query(
    text: String,
    limit: usize,
    arguments: &FilterArguments,
    context: &Context,
) -> Result<Query, CliError> {
    let mut filter = Filter {
        kinds: arguments.kinds.iter().cloned().collect(),
        tags: arguments.tags.iter().cloned().collect(),
        agents: arguments.agents.iter().cloned().collect(),
        archived: arguments.archived,
        superseded: arguments.superseded,
        ..Filter::default()
    };
    for name in &arguments.types {
        filter.types.extend(wanted_type(Some(name))?);
    }
    if let Some(level) = &arguments.trust {
        filter.trust = Some(wanted_trust(level)?);
    }
    let now = now_ms();
    let time = |text: &Option<String>| -> Result<Option<i64>, CliError> {
        let moment = text.as_deref().map(|text| moment(text, now)).transpose()?;
        Ok(moment.map(|moment| i64::try_from(moment).unwrap_or(i64::MAX)))
    };
    filter.since_ms = time(&arguments.since)?;
    filter.until_ms = time(&arguments.until)?;
    Ok(Query {
        limit,
        filter,
        accesses: accesses(context),
        ..Query::new(text)
    })
}

/// What is known of accesses. Only the order of hits depends on it: without a catalog there is none.
fn accesses(context: &Context) -> Accesses {
    let asked = scopes::catalog(context).and_then(|catalog| match catalog {
        Some(catalog) => Ok(catalog.asked()?),
        None => Ok(Default::default()),
    });
    match asked {
        Ok(asked) => asked
            .into_iter()
            .filter_map(|(id, access)| {
                let access = Access {
                    count: access.count,
                    last_ms: i64::try_from(access.last_ms?).ok()?,
                };
                Some((id, access))
            })
            .collect(),
        Err(error) => {
            tracing::debug!(%error, "accesses are not known");
            Accesses::new()
        }
    }
}

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

pub(super) fn search(arguments: &SearchArguments, context: &Context) -> Result<(), CliError> {
    let text = arguments.query.join(" ");
    let mut query = query(text, arguments.limit, &arguments.filter, context)?;
    query.explain = arguments.explain;
    let found = Finder::new(context, &arguments.filter).find(&query)?;
    show(&query.text, &found, arguments.evidence, context)
}

fn show(
    text: &str,
    found: &[FoundHit],
    with_evidence: bool,
    context: &Context,
) -> Result<(), CliError> {
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

/// The memory of a hit, with its sidecars; none when it went away just now.
pub(crate) fn memory_of(found: &FoundHit) -> Result<Option<Memory>, CliError> {
    let store = Store::open(found.layout.clone(), acreta_fs::NoFaults::shared())?;
    Ok(store.read(found.hit.memory_type, &found.hit.path)?)
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
            let at = quoted.at_ms.map(crate::clock::shown).unwrap_or_default();
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

pub(super) fn related(id: &str, limit: usize, context: &Context) -> Result<(), CliError> {
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
    let index = scope.index(scopes::sentence_model(context).as_ref());
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
