//! Memories: listing, reading, and what a person at the dashboard does to them.

use std::cmp::Reverse;
use std::sync::Arc;

use acreta_lead::{Action, Amendment, Edit, Note, NoteSource};
use acreta_model::MemoryType;
use acreta_server::Edited;
use acreta_server::api::{
    EvidenceQuote, InProject, Link, ListScope, MemoriesQuery, MemoryAdded, MemoryChange,
    MemoryChanged, MemoryDetail, MemoryEdit, MemoryNote, MemoryPage, MemoryProposal, MemorySort,
    ProposedOperation, Status, WriteScope,
};
use acreta_service::clock::now_ms;
use acreta_service::scopes::{self, MemoryScope, Scoped};
use acreta_service::{Context, Failure, Kind, desk, origin};
use acreta_store::{Memory, ProposalOperation};

use crate::Daemon;
use crate::rows::{self, Accesses};

/// How sure a person's note is to begin with.
const CONFIDENCE: f32 = 0.9;

impl Daemon {
    pub(crate) fn list_memories(&self, query: &MemoriesQuery) -> Result<MemoryPage, Failure> {
        let context = self.context(query.project_root.as_deref())?;
        let accesses = self.accesses(&context)?;
        let now = now_ms();
        let scopes = scopes_of(&context, query.scope);
        let mut fitting: Vec<Listed<'_>> = Vec::new();
        for scope in &scopes {
            let snapshot = scope.snapshot(&context)?;
            let memories = snapshot.memories.iter();
            let memories = memories.filter(|memory| fits(memory, query));
            fitting.extend(memories.map(|memory| (scope.name.as_str(), Arc::clone(memory))));
        }
        let by = query.sort.unwrap_or(MemorySort::Updated);
        sort(&mut fitting, by, |memory| {
            rows::confidence(memory, &accesses, now)
        });
        let (offset, limit) = (query.offset.get(), query.limit.get());
        let page = fitting.iter().skip(offset as usize).take(limit as usize);
        Ok(MemoryPage {
            items: page
                .map(|(scope, memory)| rows::memory(memory, scope, &accesses, now))
                .collect(),
            total: fitting.len() as u64,
            offset,
            limit,
        })
    }

    pub(crate) fn whole_memory(
        &self,
        id: &str,
        query: &InProject,
    ) -> Result<MemoryDetail, Failure> {
        let context = self.context(query.project_root.as_deref())?;
        let held = self.find(&context, id)?;
        scopes::note_access(&context, &[held.memory.id.as_str()]);
        let accesses = self.accesses(&context)?;
        let memory = &held.memory;
        let snapshot = scopes::snapshot(&context, &held.layout)?;
        let link = |id: &String| {
            let other = snapshot.memories.iter().find(|other| other.id == *id);
            Link {
                id: other.map(|other| other.id.clone()),
                title: other.map_or_else(|| id.clone(), |other| other.title().to_owned()),
            }
        };
        let state = memory.state.as_ref();
        let supersedes = state.map(|state| state.supersedes.as_slice());
        Ok(MemoryDetail {
            row: rows::memory(memory, &held.scope, &accesses, now_ms()),
            body: memory.body().trim().to_owned(),
            digest: memory.digest.clone(),
            related: memory.front_matter.related.iter().map(link).collect(),
            supersedes: supersedes.unwrap_or_default().iter().map(link).collect(),
            superseded_by: state
                .and_then(|state| state.superseded_by.as_ref())
                .map(link),
            evidence: evidence(memory),
            proposals: proposals(memory),
            last_verified: state.and_then(|state| state.last_verified.clone()),
            missing: state.map(|state| state.missing.clone()).unwrap_or_default(),
            origin: origin::of_memory(&context, &held.layout, memory)
                .map(|origin| origin.to_string()),
        })
    }

    pub(crate) fn remember(&self, note: &MemoryNote) -> Result<MemoryAdded, Failure> {
        let context = self.context(note.project_root.as_deref())?;
        let memory_type = note
            .memory_type
            .map_or(MemoryType::Learning, MemoryType::from);
        let kind = match &note.kind {
            Some(kind) => kind.to_string(),
            None if memory_type == MemoryType::Learning => "insight".to_owned(),
            None => String::new(),
        };
        let scope = match note.scope {
            None | Some(WriteScope::Project) => MemoryScope::project(&context),
            Some(WriteScope::Global) => MemoryScope::global(&context),
        };
        let note = Note {
            memory_type,
            kind,
            title: note.title.to_string(),
            body: note.body.to_string(),
            tags: note.tags.iter().map(|text| text.to_string()).collect(),
            confidence: CONFIDENCE,
            at_ms: None,
            quote: note.body.to_string(),
            place: String::new(),
        };
        let mut desk = desk::open(&context, scope.layout)?;
        let report = desk.remember(vec![note], &NoteSource::Person, false)?;
        if let Some(refused) = report.refused.first() {
            let message = format!("this is not remembered: it {}", refused.reason);
            return Err(Failure::new(Kind::Usage, message));
        }
        let done = report.actions.into_iter().next();
        Ok(MemoryAdded {
            action: match done.as_ref().map(|done| done.action) {
                Some(Action::Add) => "add",
                Some(Action::Update) => "update",
                _ => "no_op",
            }
            .to_owned(),
            id: done.as_ref().map(|done| done.memory_id.clone()),
            path: done.as_ref().and_then(|done| done.path.clone()),
            message: done.map_or_else(|| "nothing to remember".to_owned(), |done| done.reason),
        })
    }

    pub(crate) fn edit(&self, id: &str, edit: &MemoryEdit) -> Result<Edited, Failure> {
        let context = self.context(edit.project_root.as_deref())?;
        let held = self.find(&context, id)?;
        let mut desk = desk::open(&context, held.layout.clone())?;
        // As it is under the lock, not as it was when it was found.
        let now = desk
            .snapshot()
            .memories
            .iter()
            .find(|memory| memory.id == held.memory.id);
        let digest = now.map(|memory| memory.digest.clone()).unwrap_or_default();
        if digest != edit.expected_digest.as_str() {
            return Ok(Edited::ChangedMeanwhile { digest });
        }
        let amendment = Amendment::Edit(Edit {
            title: edit.title.as_ref().map(|text| text.to_string()),
            body: edit.body.as_ref().map(|text| text.to_string()),
            kind: edit.kind.as_ref().map(|text| text.to_string()),
            tags: edit
                .tags
                .as_ref()
                .map(|tags| tags.iter().map(|text| text.to_string()).collect()),
            confidence: None,
        });
        Ok(Edited::Done(changed(
            desk.amend(&held.memory.id, &amendment)?,
        )))
    }

    pub(crate) fn amend(
        &self,
        id: &str,
        change: MemoryChange,
        project: &InProject,
    ) -> Result<MemoryChanged, Failure> {
        let context = self.context(project.project_root.as_deref())?;
        let held = self.find(&context, id)?;
        let amendment = match change {
            MemoryChange::Confirm => Amendment::Confirm,
            MemoryChange::Reject => Amendment::Reject,
            MemoryChange::Archive => Amendment::Archive,
            MemoryChange::Restore => Amendment::Restore,
            MemoryChange::Accept => Amendment::Accept(1),
        };
        let mut desk = desk::open(&context, held.layout.clone())?;
        Ok(changed(desk.amend(&held.memory.id, &amendment)?))
    }

    pub(crate) fn accesses(&self, context: &Context) -> Result<Accesses, Failure> {
        match scopes::catalog(context)? {
            Some(catalog) => Ok(catalog.accesses()?),
            None => Ok(Accesses::new()),
        }
    }

    /// A memory of the project or the global ones, by its id or a prefix that only it has.
    fn find(&self, context: &Context, id: &str) -> Result<Scoped, Failure> {
        scopes::find_in(context, &scopes_of(context, None), id)
    }
}

fn scopes_of(context: &Context, scope: Option<ListScope>) -> Vec<MemoryScope> {
    match scope {
        None | Some(ListScope::All) => {
            let (project, global) = (MemoryScope::project(context), MemoryScope::global(context));
            match project.layout.base() == global.layout.base() {
                true => vec![global],
                false => vec![project, global],
            }
        }
        Some(ListScope::Project) => vec![MemoryScope::project(context)],
        Some(ListScope::Global) => vec![MemoryScope::global(context)],
    }
}

fn fits(memory: &Memory, query: &MemoriesQuery) -> bool {
    let state = memory.state.as_ref();
    let wanted_status = query.status.unwrap_or(Status::Active);
    rows::status(memory) == wanted_status
        && query
            .memory_type
            .is_none_or(|wanted| memory.memory_type == MemoryType::from(wanted))
        && query
            .kind
            .as_deref()
            .is_none_or(|kind| memory.kind() == kind)
        && query
            .tag
            .as_deref()
            .is_none_or(|tag| memory.front_matter.tags.iter().any(|one| one == tag))
        && query
            .trust
            .is_none_or(|trust| rows::trust(memory.trust()) == trust)
        && query
            .stale
            .is_none_or(|stale| state.is_some_and(|state| state.stale) == stale)
        && query.text.as_deref().is_none_or(|text| {
            let title = memory.title().to_lowercase();
            title.contains(&text.to_lowercase())
        })
}

/// A memory and the name of its scope.
type Listed<'a> = (&'a str, Arc<Memory>);

fn sort(listed: &mut [Listed<'_>], by: MemorySort, confidence: impl Fn(&Memory) -> f64) {
    // The newest of equals first.
    let id = |memory: &Memory| Reverse(memory.id.clone());
    let day = |time: &Option<String>| Reverse(rows::day(time.as_deref()));
    match by {
        MemorySort::Updated => {
            listed.sort_by_cached_key(|(_, memory)| (day(&memory.front_matter.updated), id(memory)))
        }
        MemorySort::Created => {
            listed.sort_by_cached_key(|(_, memory)| (day(&memory.front_matter.created), id(memory)))
        }
        MemorySort::Title => {
            listed.sort_by_cached_key(|(_, memory)| (memory.title().to_lowercase(), id(memory)));
        }
        MemorySort::Confidence => listed.sort_by_cached_key(|(_, memory)| {
            let millionths = (confidence(memory) * 1e6) as u64;
            (Reverse(millionths), id(memory))
        }),
    }
}

fn evidence(memory: &Memory) -> Vec<EvidenceQuote> {
    let contributions = memory
        .evidence
        .iter()
        .flat_map(|evidence| &evidence.contributions);
    contributions
        .flat_map(|contribution| {
            contribution.evidence.iter().map(|quoted| EvidenceQuote {
                agent: contribution.agent.clone(),
                session_id: contribution.session_id.clone(),
                run_id: contribution.run_id.clone(),
                role: quoted.role.clone(),
                at_ms: quoted.at_ms,
                quote: quoted.quote.clone(),
                event_id: quoted.event_id.clone(),
            })
        })
        .collect()
}

fn proposals(memory: &Memory) -> Vec<MemoryProposal> {
    let proposals = memory.state.iter().flat_map(|state| &state.proposals);
    proposals
        .map(|proposal| MemoryProposal {
            run_id: proposal.run_id.clone(),
            operation: match proposal.operation {
                ProposalOperation::Update => ProposedOperation::Update,
                ProposalOperation::Archive => ProposedOperation::Archive,
            },
            title: proposal.title.clone(),
            body: proposal.body.clone(),
            kind: proposal.kind.clone(),
            tags: proposal.tags.clone(),
            confidence: f64::from(proposal.confidence),
            reason: proposal.reason.clone(),
        })
        .collect()
}

fn changed(amended: acreta_lead::Amended) -> MemoryChanged {
    MemoryChanged {
        id: amended.id,
        path: amended.path,
        changed: amended.changed,
        message: amended.message.to_owned(),
    }
}
