//! Memories: listing, reading, and changes by a person at the dashboard.

use crate::Edited;
use crate::api::{
    EvidenceQuote, InProject, Link, ListScope, MemoriesQuery, MemoryChange, MemoryChanged,
    MemoryDetail, MemoryEdit, MemoryNote, MemoryPage, MemoryProposal, MemoryProvenance,
    ProposedOperation,
};
use acreta_service::find::pages::{self, ListRequest};
use acreta_service::process::clock::now_ms;
use acreta_service::projects::scopes::{self, MemoryScope, Scoped};
use acreta_service::remember::add::{self, NoteAuthor, Remember, Remembered};
use acreta_service::remember::amend::{self, Amendment, Edit};
use acreta_service::{Context, Failure, Kind, find::origin, find::provenance};
use acreta_store::{Memory, ProposalOperation};

use crate::daemon::Daemon;
use crate::daemon::rows::{self, Accesses};

impl Daemon {
    pub(crate) fn list_memories(&self, query: &MemoriesQuery) -> Result<MemoryPage, Failure> {
        let context = self.context_of(query.project_root.as_deref(), query.all_projects)?;
        let (offset, limit) = (query.offset.get(), query.limit.get());
        let request = ListRequest {
            memory_type: query.memory_type,
            kind: query.kind.as_ref().map(|text| text.to_string()),
            tag: query.tag.as_ref().map(|text| text.to_string()),
            trust: query.trust,
            status: query.status,
            stale: query.stale,
            text: query.text.as_ref().map(|text| text.to_string()),
            sort: query.sort.unwrap_or_default(),
            offset: offset as usize,
            limit: limit as usize,
            facets: query.facets.unwrap_or(false),
        };
        let page = pages::list(&request, &scopes_of(&context, query.scope)?, &context)?;
        let rows = page.memories.iter();
        Ok(MemoryPage {
            items: rows
                .map(|listed| rows::memory(&listed.memory, &listed.scope, listed.confidence))
                .collect(),
            total: page.total,
            offset,
            limit,
            facets: page.facets,
        })
    }

    pub(crate) fn memory_provenance(
        &self,
        id: &str,
        query: &InProject,
    ) -> Result<MemoryProvenance, Failure> {
        let context = self.context(query.project_root.as_deref())?;
        provenance::provenance(id, &scopes::browsed(&context)?, &context)
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
            row: rows::memory(
                memory,
                &held.scope,
                rows::confidence(memory, &accesses, now_ms()),
            ),
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

    pub(crate) fn remember(&self, note: &MemoryNote) -> Result<Remembered, Failure> {
        let context = self.context(note.project_root.as_deref())?;
        let request = Remember {
            memory_type: note.memory_type,
            kind: note.kind.as_ref().map(|text| text.to_string()),
            title: note.title.to_string(),
            body: Some(note.body.to_string()),
            tags: note.tags.iter().map(|text| text.to_string()).collect(),
            confidence: None,
            scope: note.scope.unwrap_or_default(),
            author: NoteAuthor::Person,
        };
        add::remember(&request, &context)
    }

    pub(crate) fn edit(&self, id: &str, edit: &MemoryEdit) -> Result<Edited, Failure> {
        let context = self.context(edit.project_root.as_deref())?;
        let change = Edit {
            title: edit.title.as_ref().map(|text| text.to_string()),
            body: edit.body.as_ref().map(|text| text.to_string()),
            kind: edit.kind.as_ref().map(|text| text.to_string()),
            tags: edit
                .tags
                .as_ref()
                .map(|tags| tags.iter().map(|text| text.to_string()).collect()),
            confidence: None,
        };
        let scopes = scopes::browsed(&context)?;
        let digest = edit.expected_digest.as_str();
        Ok(
            match amend::edit_if_unchanged(id, change, digest, &scopes, &context)? {
                amend::ConditionalEdit::Done(done) => Edited::Done(changed(done)),
                amend::ConditionalEdit::ChangedMeanwhile { digest } => {
                    Edited::ChangedMeanwhile { digest }
                }
            },
        )
    }

    pub(crate) fn amend(
        &self,
        id: &str,
        change: MemoryChange,
        project: &InProject,
    ) -> Result<MemoryChanged, Failure> {
        let context = self.context(project.project_root.as_deref())?;
        let amendment = match change {
            MemoryChange::Confirm => Amendment::Confirm,
            MemoryChange::Reject => Amendment::Reject,
            MemoryChange::Archive => Amendment::Archive,
            MemoryChange::Restore => Amendment::Restore,
            MemoryChange::Accept => Amendment::Accept(1),
        };
        let scopes = scopes::browsed(&context)?;
        let amended = amend::amend(&[id.to_owned()], &amendment, &scopes, &context)?;
        let done = amended.into_iter().map(changed).next();
        done.ok_or_else(|| Failure::new(Kind::Missing, format!("no such memory: `{id}`")))
    }

    pub(crate) fn accesses(&self, context: &Context) -> Result<Accesses, Failure> {
        match scopes::catalog(context)? {
            Some(catalog) => Ok(catalog.accesses()?),
            None => Ok(Accesses::new()),
        }
    }

    /// Finds a memory of the project or the global scope, by its id or a unique prefix.
    fn find(&self, context: &Context, id: &str) -> Result<Scoped, Failure> {
        scopes::find_in(context, &scopes::browsed(context)?, id)
    }
}

fn scopes_of(context: &Context, scope: Option<ListScope>) -> Result<Vec<MemoryScope>, Failure> {
    Ok(match scope {
        None | Some(ListScope::All) => scopes::browsed(context)?,
        Some(ListScope::Project) => vec![MemoryScope::project(context)],
        Some(ListScope::Global) => vec![MemoryScope::global(context)],
    })
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

fn changed(amended: amend::Amended) -> MemoryChanged {
    MemoryChanged {
        id: amended.id,
        path: amended.path,
        changed: amended.changed,
        message: amended.message.to_owned(),
    }
}
