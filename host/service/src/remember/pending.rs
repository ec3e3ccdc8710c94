//! Pending records in the user's state: statements that runs set aside, and a person's decisions on them.

use acreta_pipeline::{CLIENT, Note, NoteSource};
pub use acreta_state::{PendingRecord, PendingState};
use acreta_store::Layout;

use crate::process::clock::now_ms;
use crate::remember::pending_quotes::contribution;
use crate::{Context, Failure, Kind};
use crate::{projects::scopes, remember::locked};

/// Returns the pending records of the current project.
pub fn records(context: &Context) -> Result<Vec<PendingRecord>, Failure> {
    records_of(&Layout::for_project(&context.project), context)
}

/// Returns the pending records of one memory.
pub(crate) fn records_of(
    layout: &Layout,
    context: &Context,
) -> Result<Vec<PendingRecord>, Failure> {
    match scopes::catalog(context)? {
        Some(catalog) => Ok(catalog.pending_records(layout.base().as_str(), now_ms())?),
        None => Ok(Vec::new()),
    }
}

/// Returns whether review shows the pending records of a memory: those of the global one only where all projects are.
pub(crate) fn are_shown_of(layout: &Layout, context: &Context) -> bool {
    context.all_projects || layout.base() == Layout::for_project(&context.project).base()
}

/// Returns whether a text can only be the id of a pending record.
pub fn is_id(id: &str) -> bool {
    id.starts_with("p-")
}

/// Returns whether a record is only an agent's note.
pub fn is_agents(record: &PendingRecord) -> bool {
    record.sightings.iter().all(|one| one.agent == CLIENT)
}

/// Makes a record a memory, as if the person had written it, with their words as evidence. Returns id and path of the
/// memory.
pub fn confirm(context: &Context, id: &str) -> Result<(String, String), Failure> {
    let record = find(context, id)?;
    let note = note(&record)?;
    let layout = context.layout(&context.project);
    let mut writable = locked::open(context, layout)?;
    let report = writable.remember(vec![note], &NoteSource::Person, false)?;
    if let Some(refused) = report.refused.first() {
        let message = format!("`{id}` is not remembered: it {}", refused.reason);
        return Err(Failure::new(Kind::Usage, message));
    }
    settle(
        context,
        &project(context),
        record.id(),
        PendingState::Confirmed,
    )?;
    let made = report.actions.first();
    Ok(made.map_or((String::new(), String::new()), |action| {
        (
            action.memory_id.clone(),
            action.path.clone().unwrap_or_default(),
        )
    }))
}

/// Converts a record to a person's note.
pub(crate) fn note(record: &PendingRecord) -> Result<Note, Failure> {
    let first = record.sightings.first();
    let Some((sighting, said)) = first.and_then(|one| Some((one, contribution(one)?))) else {
        let message = format!("the pending record `{}` cannot be read", record.id());
        return Err(Failure::saying(message));
    };
    let candidate = said.candidate;
    Ok(Note {
        memory_type: candidate.memory_type,
        kind: candidate.kind,
        title: candidate.title,
        body: candidate.body,
        tags: candidate.tags,
        confidence: CONFIRMED,
        at_ms: Some(said.newest_ms),
        quote: sighting.quote.clone(),
        place: format!("{}/{}", said.agent, said.session_id),
    })
}

/// Rejects a record; the same statement does not bring it back.
pub fn reject(context: &Context, id: &str) -> Result<(), Failure> {
    let record = find(context, id)?;
    settle(
        context,
        &project(context),
        record.id(),
        PendingState::Rejected,
    )
}

/// Sets the state of a record of the memory with this base.
pub(crate) fn settle(
    context: &Context,
    base: &str,
    id: &str,
    state: PendingState,
) -> Result<(), Failure> {
    let catalog = scopes::open_catalog(context)?;
    Ok(catalog.settle_pending(base, id, state, now_ms())?)
}

fn find(context: &Context, id: &str) -> Result<PendingRecord, Failure> {
    let mut fitting: Vec<PendingRecord> = records(context)?
        .into_iter()
        .filter(|record| record.id().starts_with(id))
        .collect();
    match (fitting.pop(), fitting.len()) {
        (Some(record), 0) => Ok(record),
        (None, _) => Err(
            Failure::new(Kind::Usage, format!("no such pending record: `{id}`"))
                .hint("`acreta memory pending` lists them"),
        ),
        (Some(_), _) => Err(Failure::new(
            Kind::Usage,
            format!("`{id}` matches several pending records"),
        )
        .hint("give more characters of the id")),
    }
}

fn project(context: &Context) -> String {
    Layout::for_project(&context.project).base().to_string()
}

const CONFIRMED: f32 = 0.9;
