//! Pending records in the user's state, where runs set statements aside until they are said again.

use std::sync::Arc;

use acreta_pipeline::{CLIENT, PendingQuote, PendingQuotes, PendingUpdate};
use acreta_state::{
    Catalog, CatalogOptions, NoteOutcome, PendingSighting, PendingState, SessionKey, StateLocation,
};
use acreta_store::{Contribution, Layout};
use acreta_types::MemoryType;

use crate::{Context, Failure, process::state};

/// Returns the pending records of a scope.
pub(crate) fn of(context: &Context, layout: &Layout) -> Result<Arc<dyn PendingQuotes>, Failure> {
    Ok(Arc::new(CatalogPendingQuotes {
        state: state::location(context)?,
        project: layout.base().to_string(),
    }))
}

struct CatalogPendingQuotes {
    state: StateLocation,
    project: String,
}

impl CatalogPendingQuotes {
    fn open(&self) -> Result<Catalog, String> {
        Catalog::open_at(&self.state, CatalogOptions::default()).map_err(|error| error.to_string())
    }
}

impl PendingQuotes for CatalogPendingQuotes {
    fn seen(&self, now_ms: u64) -> Result<Vec<PendingQuote>, String> {
        if !self.state.exists() {
            return Ok(Vec::new());
        }
        let records = self.open()?.pending_records(&self.project, now_ms);
        let records = records.map_err(|error| error.to_string())?;
        let quotes = records.iter().flat_map(|record| {
            let rejected = record.state == PendingState::Rejected;
            // An agent's own statement does not count as a repetition.
            let said = move |one: &&PendingSighting| rejected || one.agent != CLIENT;
            record.sightings.iter().filter(said).filter_map(move |one| {
                Some(PendingQuote {
                    id: one.id.clone(),
                    quote: one.quote.clone(),
                    contribution: contribution(one)?,
                    rejected,
                })
            })
        });
        Ok(quotes.collect())
    }

    fn keep(&self, update: &PendingUpdate) -> Result<(), String> {
        let nothing =
            update.quotes.is_empty() && update.repeated.is_empty() && update.notes.is_empty();
        if nothing && !self.state.exists() {
            return Ok(());
        }
        let sightings: Vec<PendingSighting> = update.quotes.iter().map(sighting).collect();
        let key = SessionKey::new(&update.agent, &update.session_id);
        let catalog = self.open()?;
        let mut repeated = update.repeated.clone();
        let mut outcomes = Vec::new();
        for (id, proof) in &update.notes {
            outcomes.push(match proof {
                Ok(()) => {
                    repeated.push(id.clone());
                    (id.clone(), NoteOutcome::Proven)
                }
                Err(reason) => (id.clone(), NoteOutcome::Refused(reason.clone())),
            });
        }
        catalog
            .keep_pending(&self.project, &key, &sightings, &repeated, update.now_ms)
            .and_then(|()| catalog.settle_notes(&self.project, &key, &outcomes))
            .map_err(|error| error.to_string())
    }
}

fn sighting(quote: &PendingQuote) -> PendingSighting {
    let contribution = &quote.contribution;
    let candidate = &contribution.candidate;
    let kind = match candidate.memory_type {
        MemoryType::Decision => "decision".to_owned(),
        _ => candidate.kind.clone(),
    };
    let event = contribution.evidence.first();
    PendingSighting {
        id: quote.id.clone(),
        agent: contribution.agent.clone(),
        session: contribution.session_id.clone(),
        event: event.map_or(String::new(), |quoted| quoted.event_id.clone()),
        quote: quote.quote.clone(),
        kind,
        title: candidate.title.clone(),
        contribution: serde_json::to_string(contribution).unwrap_or_default(),
    }
}

/// Parses the contribution; `None` if the row is damaged.
pub(crate) fn contribution(sighting: &PendingSighting) -> Option<Contribution> {
    serde_json::from_str(&sighting.contribution).ok()
}
