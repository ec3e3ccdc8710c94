//! `acreta memory pending`, and `confirm` and `reject` for pending records.

use acreta_service::Failure;
use acreta_service::process::clock::shown;
use acreta_service::remember::pending::{self, PendingRecord, PendingState};
use serde_json::json as value;

use crate::context::Context;
use crate::output::{count, json, line, talk};

pub(super) fn list(all: bool, context: &Context) -> Result<(), Failure> {
    let mut records = pending::records(context)?;
    records.retain(|record| all || record.state == PendingState::Waiting);
    if context.json {
        let records: Vec<_> = records.iter().map(as_value).collect();
        json(&value!({ "pending": records }));
        return Ok(());
    }
    if records.is_empty() {
        talk("nothing is pending in this project");
        return Ok(());
    }
    for record in &records {
        let first = &record.sightings[0];
        // The body of an agent's note may be no more than a remark on its title.
        let (who, told) = match pending::is_agents(record) {
            true => ("An agent noted", &first.title),
            false => ("You said", &first.quote),
        };
        let told: Vec<&str> = told.split_whitespace().collect();
        line(&format!("{}  {who}: {}", record.id(), told.join(" ")));
        let state = match record.state {
            PendingState::Waiting => format!("waits until {} UTC", shown(record.expires_ms)),
            state => state.name().to_owned(),
        };
        let sessions = count(record.sightings.len() as u64, "session", "sessions");
        talk(&format!(
            "  {}, {sessions}, {state}",
            record.sightings[0].kind
        ));
    }
    talk("`acreta memory confirm ID` makes one a memory, `acreta memory reject ID` rejects it");
    Ok(())
}

fn as_value(record: &PendingRecord) -> serde_json::Value {
    let first = &record.sightings[0];
    let sessions: Vec<_> = record
        .sightings
        .iter()
        .map(|one| value!({ "agent": one.agent, "session": one.session, "event": one.event }))
        .collect();
    value!({
        "id": first.id,
        "state": record.state,
        "kind": first.kind,
        "title": first.title,
        "quote": first.quote,
        "sessions": sessions,
        "first_seen_ms": record.first_seen_ms,
        "last_seen_ms": record.last_seen_ms,
        "expires_ms": record.expires_ms,
    })
}

/// Separates ids of pending records from the others.
pub(super) fn apart(ids: &[String]) -> (Vec<String>, Vec<String>) {
    ids.iter().cloned().partition(|id| pending::is_id(id))
}

pub(super) fn confirm(ids: &[String], context: &Context) -> Result<(), Failure> {
    for id in ids {
        let (memory, path) = pending::confirm(context, id)?;
        if context.json {
            json(&value!({ "pending": id, "id": memory, "path": path, "message": "confirmed" }));
        } else {
            line(&format!("{memory} {path}"));
            talk("it is a memory now");
        }
    }
    Ok(())
}

pub(super) fn reject(ids: &[String], context: &Context) -> Result<(), Failure> {
    for id in ids {
        pending::reject(context, id)?;
        if context.json {
            json(&value!({ "pending": id, "message": "rejected" }));
        } else {
            line(id);
            talk("rejected: repeating it does not bring it back");
        }
    }
    Ok(())
}
