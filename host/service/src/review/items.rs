//! The review queue: conflicts, proposals, pending records and untrusted memories of the browsed scopes.

use std::sync::Arc;

use acreta_pipeline::{CLIENT, IMPORT, PERSON};
use acreta_store::{
    Contribution, Layout, Memory, Proposal, ProposalOperation, Status, Trust, digest,
};
use acreta_types::MemoryType;

use super::{OfferedAction, ReviewAction, ReviewItem, ReviewKind, ReviewMemory};
use crate::find::short_ids::fit;
use crate::projects::scopes::{self, MemoryScope};
use crate::remember::pending::{self, PendingRecord, PendingState};
use crate::remember::pending_quotes::contribution;
use crate::review::conflicts::{Conflict, conflicts_in};
use crate::{Context, Failure, Kind};

/// An item with the data needed to decide on it.
pub(super) struct WaitingItem {
    pub(super) item: ReviewItem,
    pub(super) layout: Layout,
    pub(super) subject: ItemSubject,
}

/// The subject of an item.
pub(super) enum ItemSubject {
    Conflict {
        newer: Arc<Memory>,
        older: Arc<Memory>,
    },
    /// The proposal is identified by its digest, because its number may change.
    Proposal {
        memory: Arc<Memory>,
        digest: String,
    },
    Pending(PendingRecord),
    Untrusted(Arc<Memory>),
}

impl ItemSubject {
    /// Returns the memories that a reviewer read.
    pub(super) fn memories(&self) -> Vec<&Memory> {
        match self {
            ItemSubject::Conflict { newer, older } => vec![newer, older],
            ItemSubject::Proposal { memory, .. } | ItemSubject::Untrusted(memory) => vec![memory],
            ItemSubject::Pending(_) => Vec::new(),
        }
    }

    /// Returns the contributions that support it.
    pub(super) fn contributions(&self) -> Vec<Contribution> {
        let of = |memory: &Memory| {
            let evidence = memory.evidence.as_ref();
            evidence.map_or_else(Vec::new, |evidence| evidence.contributions.clone())
        };
        match self {
            ItemSubject::Conflict { newer, older } => [of(newer), of(older)].concat(),
            ItemSubject::Proposal { memory, .. } | ItemSubject::Untrusted(memory) => of(memory),
            ItemSubject::Pending(record) => {
                record.sightings.iter().filter_map(contribution).collect()
            }
        }
    }
}

/// Returns all waiting items, by kind, newest of a kind first.
pub(super) fn all(context: &Context) -> Result<Vec<WaitingItem>, Failure> {
    let mut found = Vec::new();
    for scope in scopes::browsed(context)? {
        found.extend(in_scope(&scope, context)?);
        if !pending::are_shown_of(&scope.layout, context) {
            continue;
        }
        let place = ItemScope {
            scope: &scope.name,
            layout: &scope.layout,
        };
        let records = pending::records_of(&scope.layout, context)?.into_iter();
        let waiting = records.filter(|record| record.state == PendingState::Waiting);
        found.extend(waiting.map(|record| place.pending(record)));
    }
    found.sort_by(|left, right| {
        let (left, right) = (&left.item, &right.item);
        (left.kind, right.at_ms, &left.id).cmp(&(right.kind, left.at_ms, &right.id))
    });
    Ok(found)
}

/// Returns the conflicts, proposals and untrusted memories of a scope.
pub(super) fn in_scope(
    scope: &MemoryScope,
    context: &Context,
) -> Result<Vec<WaitingItem>, Failure> {
    let mut found = Vec::new();
    if !scope.layout.has_memory()? {
        return Ok(found);
    }
    let snapshot = scope.snapshot(context)?;
    let place = ItemScope {
        scope: &scope.name,
        layout: &scope.layout,
    };
    let named = |id: &str| snapshot.memories.iter().find(|memory| memory.id == id);
    for conflict in conflicts_in(scope, context)? {
        if let (Some(newer), Some(older)) = (named(&conflict.newer.id), named(&conflict.older.id)) {
            found.push(place.conflict(&conflict, newer, older));
        }
    }
    for memory in snapshot.memories.iter().filter(|memory| is_in_use(memory)) {
        let proposals = memory.state.iter().flat_map(|state| &state.proposals);
        found.extend(proposals.map(|proposal| place.proposal(memory, proposal)));
        if memory.trust() == Trust::Untrusted {
            found.push(place.untrusted(memory));
        }
    }
    Ok(found)
}

/// Finds an item by its id, a prefix, or the id of a memory that only one item is about.
pub(super) fn find<'a>(found: &'a [WaitingItem], id: &str) -> Result<&'a WaitingItem, Failure> {
    if let Some(exact) = found.iter().find(|one| one.item.id == id) {
        return Ok(exact);
    }
    let is_about = |one: &&WaitingItem| {
        let mut memories = one.item.memories.iter().filter_map(|one| one.id.as_ref());
        !id.is_empty()
            && (one.item.id.starts_with(id) || memories.any(|memory| fit(memory, id).is_some()))
    };
    let fitting: Vec<&WaitingItem> = found.iter().filter(is_about).collect();
    match fitting.as_slice() {
        [one] => Ok(one),
        [] => Err(super::no_item(id)),
        several => {
            let ids: Vec<&str> = several.iter().map(|one| one.item.id.as_str()).collect();
            let message = format!("`{id}` matches several items: {}", ids.join(", "));
            Err(Failure::new(Kind::Usage, message).hint("give the id of one"))
        }
    }
}

/// Returns whether a memory is active. Summaries are excluded: they are neither confirmed nor archived.
fn is_in_use(memory: &Memory) -> bool {
    memory.status() == Status::Active && memory.memory_type != MemoryType::Summary
}

/// The scope that items are built for.
struct ItemScope<'a> {
    scope: &'a str,
    layout: &'a Layout,
}

impl ItemScope<'_> {
    fn conflict(
        &self,
        conflict: &Conflict,
        newer: &Arc<Memory>,
        older: &Arc<Memory>,
    ) -> WaitingItem {
        let texts = [
            &newer.id,
            &newer.content_digest(),
            &older.id,
            &older.content_digest(),
        ];
        self.waiting(
            ReviewItem {
                id: id("c", &texts),
                kind: ReviewKind::Conflict,
                scope: self.scope.to_owned(),
                title: newer.title().to_owned(),
                memories: vec![text_of(newer), text_of(older)],
                why: format!("it contradicts “{}”: {}", older.title(), conflict.reason),
                at_ms: newest(newer),
                actions: vec![
                    offered(ReviewAction::Accept, "keep both"),
                    offered(ReviewAction::Edit, "edit the newer"),
                    offered(ReviewAction::Reject, "reject the newer"),
                    offered(ReviewAction::Merge, "merge into the newer"),
                    offered(ReviewAction::Supersede, "the newer replaces the older"),
                ],
            },
            ItemSubject::Conflict {
                newer: Arc::clone(newer),
                older: Arc::clone(older),
            },
        )
    }

    fn proposal(&self, memory: &Arc<Memory>, proposal: &Proposal) -> WaitingItem {
        let digest = proposal.digest();
        let (accept, reject) = match proposal.operation {
            ProposalOperation::Archive => ("archive it", "keep it"),
            ProposalOperation::Update => ("take the change", "keep it as it is"),
        };
        let mut actions = vec![
            offered(ReviewAction::Accept, accept),
            offered(ReviewAction::Reject, reject),
        ];
        if proposal.operation == ProposalOperation::Update {
            actions.insert(1, offered(ReviewAction::Edit, "take it in your words"));
        }
        let proposed = ReviewMemory {
            id: None,
            kind: label(&proposal.kind, memory.memory_type),
            title: proposal.title.clone(),
            body: proposal.body.clone(),
            tags: proposal.tags.clone(),
            trust: Trust::Untrusted.name().to_owned(),
        };
        let mut memories = vec![text_of(memory)];
        memories.extend((proposal.operation == ProposalOperation::Update).then_some(proposed));
        self.waiting(
            ReviewItem {
                id: id("r", &[&memory.id, &memory.content_digest(), &digest]),
                kind: ReviewKind::Proposal,
                scope: self.scope.to_owned(),
                title: memory.title().to_owned(),
                memories,
                why: why_proposed(proposal),
                at_ms: newest(memory),
                actions,
            },
            ItemSubject::Proposal {
                memory: Arc::clone(memory),
                digest,
            },
        )
    }

    fn pending(&self, record: PendingRecord) -> WaitingItem {
        let first = record.sightings.first();
        let said = first.and_then(contribution);
        let why = match pending::is_agents(&record) {
            true => "an agent noted it; only a person makes it a rule".to_owned(),
            false => "you said it once: it is not a memory until you accept it or say it again"
                .to_owned(),
        };
        let text = said.map(|said| ReviewMemory {
            id: None,
            kind: label(&said.candidate.kind, said.candidate.memory_type),
            title: said.candidate.title,
            body: said.candidate.body,
            tags: said.candidate.tags,
            trust: Trust::Untrusted.name().to_owned(),
        });
        self.waiting(
            ReviewItem {
                id: record.id().to_owned(),
                kind: ReviewKind::Pending,
                scope: self.scope.to_owned(),
                title: first.map_or(String::new(), |one| one.title.clone()),
                memories: text.into_iter().collect(),
                why,
                at_ms: Some(record.last_seen_ms),
                actions: vec![
                    offered(ReviewAction::Accept, "remember it"),
                    offered(ReviewAction::Edit, "remember it in your words"),
                    offered(ReviewAction::Reject, "let it go"),
                ],
            },
            ItemSubject::Pending(record),
        )
    }

    fn untrusted(&self, memory: &Arc<Memory>) -> WaitingItem {
        let merge = OfferedAction {
            needs_keep: true,
            ..offered(ReviewAction::Merge, "merge into another")
        };
        let supersede = OfferedAction {
            needs_keep: true,
            ..offered(ReviewAction::Supersede, "another replaces it")
        };
        self.waiting(
            ReviewItem {
                id: id("u", &[&memory.id, &memory.content_digest()]),
                kind: ReviewKind::Untrusted,
                scope: self.scope.to_owned(),
                title: memory.title().to_owned(),
                memories: vec![text_of(memory)],
                why: why_untrusted(memory),
                at_ms: newest(memory),
                actions: vec![
                    offered(ReviewAction::Accept, "confirm it"),
                    offered(ReviewAction::Edit, "edit and confirm it"),
                    offered(ReviewAction::Reject, "reject it"),
                    merge,
                    supersede,
                ],
            },
            ItemSubject::Untrusted(Arc::clone(memory)),
        )
    }

    fn waiting(&self, item: ReviewItem, subject: ItemSubject) -> WaitingItem {
        WaitingItem {
            item,
            layout: self.layout.clone(),
            subject,
        }
    }
}

fn offered(action: ReviewAction, label: &str) -> OfferedAction {
    OfferedAction {
        action,
        label: label.to_owned(),
        needs_keep: false,
    }
}

/// Builds an id from a letter for the kind and a digest of the item's subject.
fn id(letter: &str, parts: &[&String]) -> String {
    let parts: Vec<&str> = parts.iter().map(|part| part.as_str()).collect();
    let digest = digest(parts.join("\n"));
    let digest = digest.rsplit(':').next().unwrap_or_default();
    format!("{letter}-{}", acreta_text::head(digest, 12))
}

fn label(kind: &str, memory_type: MemoryType) -> String {
    match kind {
        "" => memory_type.name().to_owned(),
        kind => kind.to_owned(),
    }
}

pub(super) fn text_of(memory: &Memory) -> ReviewMemory {
    let body = memory.body().trim();
    let heading = format!("# {}", memory.title());
    let body = match body.strip_prefix(&heading) {
        Some(rest) if rest.is_empty() || rest.starts_with('\n') => rest.trim(),
        _ => body,
    };
    ReviewMemory {
        id: Some(memory.id.clone()),
        kind: label(memory.kind(), memory.memory_type),
        title: memory.title().to_owned(),
        body: body.to_owned(),
        tags: memory.front_matter.tags.clone(),
        trust: memory.trust().name().to_owned(),
    }
}

fn newest(memory: &Memory) -> Option<u64> {
    let evidence = memory.evidence.as_ref()?;
    evidence.contributions.iter().map(|one| one.newest_ms).max()
}

fn why_proposed(proposal: &Proposal) -> String {
    let what = match proposal.operation {
        ProposalOperation::Archive => "archive it",
        ProposalOperation::Update => "change it",
    };
    let who = match &proposal.run_id {
        run if run.starts_with("suggest-") => "an agent",
        run if run.starts_with("maintain-") => "maintenance",
        // The only reason that a run gives is that a person holds the memory.
        _ => return format!("a later session would {what}, and you hold it"),
    };
    format!("{who} would {what}: {}", proposal.reason)
}

fn why_untrusted(memory: &Memory) -> String {
    let contributions = memory
        .evidence
        .iter()
        .flat_map(|evidence| &evidence.contributions);
    let agents: Vec<&str> = contributions.map(|one| one.agent.as_str()).collect();
    let all = |name: &str| !agents.is_empty() && agents.iter().all(|agent| *agent == name);
    let why = match () {
        () if agents.is_empty() => "it has no evidence of its source",
        () if all(CLIENT) => "an agent noted it, and nobody else said it",
        () if all(IMPORT) => "it was imported from an agent's own notes",
        () if all(PERSON) => "its text changed since you wrote it",
        () => "only the output of tools says so, not a person",
    };
    why.to_owned()
}
