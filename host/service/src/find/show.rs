//! Shows memories: `memory list`, `memory show` and `memory related`.

use acreta_search::Query;
pub use acreta_store::{EvidenceFile, Memory, ProposalOperation, StateFile};
use acreta_types::MemoryType;
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
    pub memories: Vec<MemoryListRow>,
    /// Short ids of all memories in these scopes.
    #[serde(skip)]
    pub short_ids: ShortIds,
}

/// One memory in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MemoryListRow {
    pub id: String,
    #[serde(rename = "type")]
    pub memory_type: MemoryType,
    pub kind: String,
    pub title: String,
    pub trust: &'static str,
    /// It came with the repository, and the user did not accept it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub from_repository: bool,
    pub status: &'static str,
    pub stale: bool,
    pub edited: bool,
    pub proposals: usize,
    pub updated: Option<String>,
    pub tags: Vec<String>,
    pub scope: String,
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
    let mut memories: Vec<MemoryListRow> = all
        .iter()
        .filter(|scoped| scoped.memory.is_archived() == request.archived)
        .filter(|scoped| wanted.is_none_or(|wanted| scoped.memory.memory_type == wanted))
        .filter(|scoped| kinds.is_empty() || kinds.contains(scoped.memory.kind()))
        .map(MemoryListRow::new)
        .collect();
    memories.sort_by(|left, right| {
        let is_summary = |row: &MemoryListRow| row.memory_type == MemoryType::Summary;
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

impl MemoryListRow {
    fn new(scoped: &Scoped) -> Self {
        let memory = &scoped.memory;
        let state = memory.state.as_ref();
        let archived = if memory.is_archived() {
            "archived"
        } else {
            "active"
        };
        Self {
            scope: scoped.scope.clone(),
            id: memory.id.clone(),
            memory_type: memory.memory_type,
            kind: memory.kind().to_owned(),
            title: memory.title().to_owned(),
            trust: memory.trust().name(),
            from_repository: memory.is_foreign(),
            status: state.map_or(archived, |state| state.status.name()),
            stale: state.is_some_and(|state| state.stale),
            edited: memory.edited(),
            proposals: state.map_or(0, |state| state.proposals.len()),
            updated: memory.front_matter.updated.clone(),
            tags: memory.front_matter.tags.clone(),
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
                self.trust == "untrusted" && !self.from_repository,
                "untrusted",
            ),
            (self.status == "superseded", "superseded"),
            (self.stale, "stale"),
            (self.proposals > 0, "change proposed"),
        ];
        let holding = remarks.into_iter().filter(|(holds, _)| *holds);
        holding.map(|(_, remark)| remark).collect()
    }
}

/// A memory with its evidence and state.
#[derive(Debug, Serialize)]
pub struct ShownMemory {
    pub memory: MemoryListRow,
    /// The commit that brought it, for memory that came by git.
    pub origin: Option<GitOrigin>,
    pub text: String,
    pub evidence: Option<EvidenceFile>,
    pub state: Option<StateFile>,
}

/// Shows one memory, by id or unique prefix. This counts as an access.
pub fn show(id: &str, context: &Context) -> Result<ShownMemory, Failure> {
    let memories = scopes::load(context, &scopes::configured(context)?)?;
    let scoped = scopes::find(&memories, id)?;
    scopes::note_access(context, &[scoped.memory.id.as_str()]);
    let memory = &scoped.memory;
    Ok(ShownMemory {
        memory: MemoryListRow::new(scoped),
        origin: origin::of_memory(context, &scoped.layout, memory),
        text: memory.text.clone(),
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
