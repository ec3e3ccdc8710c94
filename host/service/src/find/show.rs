//! Shows memories: `memory list`, `memory show` and `memory related`.

use std::collections::BTreeMap;

use acreta_pipeline::{Seen, effective_confidence_of};
use acreta_search::Query;
use acreta_state::Access;
pub use acreta_store::{EvidenceFile, Memory, ProposalOperation, StateFile};
pub use acreta_types::{MemoryType, Status, Trust};
use schemars::JsonSchema;
use serde::Serialize;

use crate::find::origin::{self, GitOrigin};
use crate::find::short_ids::ShortIds;
use crate::process::clock::now_ms;
use crate::projects::scopes::{self, MemoryScope, Scoped};
use crate::{Context, Failure, find::query};

/// Which memories to list.
#[derive(Debug, Clone, Default)]
pub struct MemoryListRequest {
    pub memory_type: Option<String>,
    /// Any of these; empty for all.
    pub kinds: Vec<String>,
    /// Maximum number.
    pub limit: Option<usize>,
    /// Archived memories instead of active ones.
    pub archived: bool,
    /// A scope mode; the configured one if not given.
    pub scope: Option<String>,
    pub all_projects: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MemoryList {
    pub memories: Vec<MemoryRow>,
    /// Short ids of all memories in these scopes.
    #[serde(skip)]
    pub short_ids: ShortIds,
}

/// One memory in a list.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MemoryRow {
    pub id: String,
    #[serde(rename = "type")]
    pub memory_type: MemoryType,
    /// Empty if the type has no kinds.
    pub kind: String,
    pub title: String,
    pub trust: Trust,
    /// It came with the repository, and the user did not accept it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub from_repository: bool,
    pub status: Status,
    /// It names something that is missing in the repository.
    pub stale: bool,
    pub edited: bool,
    /// Number of proposals that wait for a person.
    pub proposals: usize,
    /// From 0 to 1, at the time of the last evidence.
    pub confidence: f64,
    /// From 0 to 1, reduced by age and raised by use.
    pub effective_confidence: f64,
    pub created: Option<String>,
    pub updated: Option<String>,
    pub tags: Vec<String>,
    /// `<agent>/<session id>`, `person`, or `import/<file>`.
    pub source: String,
    /// `project`, `global`, or the path of another project.
    pub scope: String,
    /// Relative to the memory root.
    pub path: String,
}

/// Lists memories, newest first, summaries of sessions last.
pub fn list(request: &MemoryListRequest, context: &Context) -> Result<MemoryList, Failure> {
    let wanted = query::wanted_type(request.memory_type.as_deref())?;
    let kinds = query::wanted_kinds(&request.kinds)?;
    let mode = scopes::mode(context, request.scope.as_deref())?;
    let mut seen = scopes::of_mode(context, mode);
    if request.all_projects {
        seen.extend(scopes::other_projects(context)?);
    }
    let all = scopes::load(context, &seen)?;
    let faded = Faded::now(context);
    let mut memories: Vec<MemoryRow> = all
        .iter()
        .filter(|scoped| scoped.memory.is_archived() == request.archived)
        .filter(|scoped| wanted.is_none_or(|wanted| scoped.memory.memory_type == wanted))
        .filter(|scoped| kinds.is_empty() || kinds.contains(scoped.memory.kind()))
        .map(|scoped| faded.row(scoped))
        .collect();
    memories.sort_by(|left, right| {
        let is_summary = |row: &MemoryRow| row.memory_type == MemoryType::Summary;
        let summaries_last = is_summary(left).cmp(&is_summary(right));
        let newest_first = right.updated.cmp(&left.updated);
        summaries_last
            .then(newest_first)
            .then_with(|| left.id.cmp(&right.id))
    });
    memories.truncate(request.limit.unwrap_or(usize::MAX));
    Ok(MemoryList {
        memories,
        short_ids: ShortIds::among(&all),
    })
}

impl MemoryRow {
    /// `effective` is the effective confidence of the memory.
    pub(crate) fn new(memory: &Memory, scope: &str, effective: f64) -> Self {
        let front_matter = &memory.front_matter;
        let state = memory.state.as_ref();
        let source = front_matter.source.as_ref();
        let source = source.or(front_matter.coding_agent.as_ref());
        Self {
            scope: scope.to_owned(),
            id: memory.id.clone(),
            memory_type: memory.memory_type,
            kind: memory.kind().to_owned(),
            title: memory.title().to_owned(),
            trust: memory.trust(),
            from_repository: memory.is_foreign(),
            status: memory.status(),
            stale: state.is_some_and(|state| state.stale),
            edited: memory.edited(),
            proposals: state.map_or(0, |state| state.proposals.len()),
            confidence: f64::from(front_matter.confidence.unwrap_or(0.5)),
            // It falls with every moment; more digits would say nothing.
            effective_confidence: (effective * 1e4).round() / 1e4,
            created: front_matter.created.clone(),
            updated: front_matter.updated.clone(),
            tags: front_matter.tags.clone(),
            source: source.cloned().unwrap_or_default(),
            path: memory.path.to_string(),
        }
    }

    /// Returns the kind of a learning, or the type of a memory without kinds.
    pub fn label(&self) -> &str {
        match self.kind.as_str() {
            "" => self.memory_type.name(),
            kind => kind,
        }
    }

    /// Returns reasons to doubt it, for a person who reads the list.
    pub fn remarks(&self) -> Vec<&'static str> {
        let remarks = [
            (
                self.from_repository,
                "from the repository, not accepted by you",
            ),
            (
                self.trust == Trust::Untrusted && !self.from_repository,
                "untrusted",
            ),
            (self.status == Status::Superseded, "superseded"),
            (self.stale, "stale"),
            (self.proposals > 0, "change proposed"),
        ];
        let holding = remarks.into_iter().filter(|(holds, _)| *holds);
        holding.map(|(_, remark)| remark).collect()
    }
}

/// Effective confidences of memories at one time.
pub(crate) struct Faded {
    accesses: BTreeMap<String, Access>,
    now_ms: u64,
}

/// Returns when memories were asked for. Memory is files: if the state database cannot be read, it fades as if nobody had
/// asked for it.
pub(crate) fn known_accesses(context: &Context) -> BTreeMap<String, Access> {
    let known = scopes::catalog(context).and_then(|catalog| match catalog {
        Some(catalog) => Ok(catalog.accesses()?),
        None => Ok(BTreeMap::new()),
    });
    known.unwrap_or_else(|error| {
        tracing::debug!(%error, "accesses could not be read");
        BTreeMap::new()
    })
}

impl Faded {
    pub(crate) fn now(context: &Context) -> Self {
        Self {
            accesses: known_accesses(context),
            now_ms: now_ms(),
        }
    }

    pub(crate) fn confidence(&self, memory: &Memory) -> f64 {
        let seen = self.accesses.get(&memory.id).map(|access| Seen {
            last_access_ms: access.last_ms,
            first_seen_ms: access.first_seen_ms,
        });
        effective_confidence_of(memory, seen.as_ref(), self.now_ms)
    }

    fn row(&self, scoped: &Scoped) -> MemoryRow {
        let confidence = self.confidence(&scoped.memory);
        MemoryRow::new(&scoped.memory, &scoped.scope, confidence)
    }
}

/// A memory with its evidence and state.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "MemoryDetail")]
pub struct ShownMemory {
    pub memory: MemoryRow,
    /// The commit that brought it, for memory that came by git.
    pub origin: Option<GitOrigin>,
    /// The whole file.
    pub text: String,
    /// The text below the front matter and the heading.
    pub body: String,
    /// Digest of the file; an edit over HTTP has to name it.
    pub digest: String,
    pub related: Vec<MemoryLink>,
    /// Earlier memories; earlier texts of this memory are titles without an id.
    pub supersedes: Vec<MemoryLink>,
    pub superseded_by: Option<MemoryLink>,
    pub evidence: Option<EvidenceFile>,
    pub state: Option<StateFile>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MemoryLink {
    /// Absent if it is not a memory, or no longer one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub title: String,
}

/// Shows one memory of these scopes, by id or unique prefix. This counts as an access.
pub fn show(id: &str, scopes: &[MemoryScope], context: &Context) -> Result<ShownMemory, Failure> {
    let scoped = scopes::find_in(context, scopes, id)?;
    scopes::note_access(context, &[scoped.memory.id.as_str()]);
    let memory = &scoped.memory;
    let snapshot = scopes::snapshot(context, &scoped.layout)?;
    let link = |id: &String| {
        let other = snapshot.memories.iter().find(|other| other.id == *id);
        MemoryLink {
            id: other.map(|other| other.id.clone()),
            title: other.map_or_else(|| id.clone(), |other| other.title().to_owned()),
        }
    };
    let state = memory.state.as_ref();
    let supersedes = state.map(|state| state.supersedes.as_slice());
    let successor = state.and_then(|state| state.superseded_by.as_ref());
    Ok(ShownMemory {
        memory: Faded::now(context).row(&scoped),
        origin: origin::of_memory(context, &scoped.layout, memory),
        text: memory.text.clone(),
        body: memory.body().trim().to_owned(),
        digest: memory.digest.clone(),
        related: memory.front_matter.related.iter().map(link).collect(),
        supersedes: supersedes.unwrap_or_default().iter().map(link).collect(),
        superseded_by: successor.map(link),
        evidence: memory.evidence.clone(),
        state: memory.state.clone(),
    })
}

/// Memories near another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RelatedMemories {
    pub id: String,
    pub related: Vec<Neighbour>,
    /// Short ids of all memories in these scopes.
    #[serde(skip)]
    pub short_ids: ShortIds,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Neighbour {
    pub id: String,
    /// Relation to the other memory.
    pub why: &'static str,
    pub title: String,
}

/// Finds memories that are linked to one, or have similar text.
pub fn related(
    id: &str,
    limit: usize,
    scopes: &[MemoryScope],
    context: &Context,
) -> Result<RelatedMemories, Failure> {
    let memories = scopes::load(context, scopes)?;
    let scoped = scopes::find(&memories, id)?;
    let memory = &scoped.memory;
    let mut related: Vec<Neighbour> = Vec::new();
    let mut add = |id: &str, why: &'static str, title: &str| {
        if id != memory.id && related.len() < limit && !related.iter().any(|one| one.id == id) {
            related.push(Neighbour {
                id: id.to_owned(),
                why,
                title: title.to_owned(),
            });
        }
    };
    let state = memory.state.as_ref();
    let replaced = state.into_iter().flat_map(|state| {
        let successor = state.superseded_by.iter().map(|id| (id, "replaces it"));
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
    // Searches the same scope only: similar text elsewhere belongs to another project.
    let scope = MemoryScope {
        name: scoped.scope.clone(),
        layout: scoped.layout.clone(),
    };
    let query = Query {
        limit: limit + 1,
        ..Query::new(format!("{}\n{}", memory.title(), memory.body()))
    };
    let now = i64::try_from(now_ms()).unwrap_or(i64::MAX);
    for hit in scope.index(context).search(&query, now)?.hits {
        add(&hit.id, "has similar text", &hit.title);
    }
    Ok(RelatedMemories {
        id: memory.id.clone(),
        related,
        short_ids: ShortIds::among(&memories),
    })
}
