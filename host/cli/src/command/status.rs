//! `acreta status`.

use acreta_catalog::{Catalog, CatalogOptions, TaskState, WaitingReadings};
use acreta_llm::Purpose;
use acreta_service::Failure;
use acreta_service::clock::{now_ms, shown};
use acreta_service::{models, readings};
use serde_json::json as value;

use crate::context::Context;
use crate::output::{count, json, table, talk};

/// How things stand, and, if `live`, how they go on.
pub(crate) fn run(live: bool, context: &Context) -> Result<(), Failure> {
    if live && context.json {
        return super::live::follow(context);
    }
    show(context)?;
    match live {
        true => super::live::follow(context),
        false => Ok(()),
    }
}

fn show(context: &Context) -> Result<(), Failure> {
    let catalog = Catalog::open(&context.home.state_file(), CatalogOptions::default())?;
    let counts = catalog.counts()?;
    let not_archived = catalog.not_archived()?;
    let now = now_ms();
    let pending = catalog.pending_waiting(now)?;
    let waiting = catalog.waiting_readings()?;
    let spending = models::spending(&context.config, context)?;
    let is_told = models::is_configured(&context.config, Purpose::Extract) || spending.calls > 0;
    let spending = is_told.then_some(spending);
    if context.json {
        let sessions: Vec<_> = counts
            .sessions
            .iter()
            .map(|line| {
                value!({ "agent": line.agent, "state": line.state.name(), "sessions": line.sessions })
            })
            .collect();
        let jobs: serde_json::Map<_, _> = counts
            .jobs
            .iter()
            .map(|(state, number)| (state.name().to_owned(), value!(number)))
            .collect();
        json(&value!({
            "sessions": sessions,
            "not_archived": not_archived,
            "jobs": jobs,
            "dead_letters": counts.dead_letters,
            "oldest_queued_ms": counts.oldest_queued_ms,
            "waiting_for_model": waiting.iter().map(waiting_as_json).collect::<Vec<_>>(),
            "models_today": spending,
            "pending": pending,
        }));
        return Ok(());
    }
    if counts.sessions.is_empty() {
        talk("no session is known yet; `acreta sync` looks for them");
        return Ok(());
    }
    let mut rows = vec![vec!["agent".into(), "state".into(), "sessions".into()]];
    for line in &counts.sessions {
        rows.push(vec![
            line.agent.clone(),
            line.state.name().to_owned(),
            line.sessions.to_string(),
        ]);
    }
    table(&rows);
    let number = |state| counts.jobs.get(&state).copied().unwrap_or(0);
    talk(&format!(
        "queue: {} waiting, {} running, {}",
        number(TaskState::Queued),
        number(TaskState::Running),
        count(counts.dead_letters, "dead letter", "dead letters"),
    ));
    if let Some(oldest) = counts.oldest_queued_ms {
        talk(&format!("the oldest waits since {} UTC", shown(oldest)));
    }
    for line in readings::waiting(&waiting, now) {
        talk(&line);
    }
    if let Some(spending) = &spending {
        talk(&crate::spending::today(spending));
    }
    for (agent, sessions) in not_archived {
        let sessions = count(sessions, "session", "sessions");
        talk(&format!("{sessions} of {agent} not archived yet"));
    }
    if pending > 0 {
        let records = count(pending, "pending record waits", "pending records wait");
        talk(&format!(
            "{records}; see `acreta memory pending` in the project"
        ));
    }
    Ok(())
}

fn waiting_as_json(line: &WaitingReadings) -> serde_json::Value {
    value!({
        "sessions": line.sessions,
        "code": line.shortfall.code,
        "reason": line.shortfall.reason,
        "model": line.shortfall.model,
        "retry_at_ms": line.shortfall.retry_at_ms,
    })
}
