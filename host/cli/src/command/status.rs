//! `acreta status`.

use std::collections::BTreeMap;

use acreta_service::overview::status::{SessionState, Status, status};
use acreta_service::process::clock::shown;
use acreta_service::review::ReviewCounts;
use acreta_service::{Failure, visible};

use crate::context::Context;
use crate::output::{count, json, table, talk};

/// Prints the status and, if `live`, follows events.
pub(crate) fn run(live: bool, context: &Context) -> Result<(), Failure> {
    if live && context.json {
        return super::live::follow(context);
    }
    let status = status(context)?;
    match context.json {
        true => json(&status),
        false => print(&status),
    }
    match live {
        true => super::live::follow(context),
        false => Ok(()),
    }
}

fn print(status: &Status) {
    let of_type = |(name, number): (&&str, &u64)| format!("{number} {name}");
    let types: Vec<String> = status.memories.iter().map(of_type).collect();
    let all = count(status.memories.values().sum(), "memory", "memories");
    match types.is_empty() {
        true => talk("no memories yet"),
        false => talk(&format!("{all}: {}", types.join(", "))),
    }
    if status.sessions.is_empty() {
        talk("no sessions yet; `acreta sync` finds them");
        learning(status);
        notes(status);
        return review(status);
    }
    let mut rows = vec![vec!["agent".into(), "state".into(), "sessions".into()]];
    for line in &status.sessions {
        rows.push(vec![
            line.agent.clone(),
            match line.state {
                // The queue has waiting jobs as well.
                SessionState::Waiting => "in no registered project".to_owned(),
                state => state.to_string(),
            },
            line.sessions.to_string(),
        ]);
    }
    table(&rows);
    let number = |state| status.jobs.get(state).copied().unwrap_or(0);
    talk(&format!(
        "queue: {} waiting, {} running, {}",
        number("queued"),
        number("running"),
        count(status.dead_letters, "dead letter", "dead letters"),
    ));
    if let Some(oldest) = status.oldest_queued_ms {
        talk(&format!(
            "the oldest has waited since {} UTC",
            shown(oldest)
        ));
    }
    for line in &status.waiting {
        talk(line);
    }
    for (id, reason) in &status.revoked_plugins {
        talk(&format!(
            "plugin `{id}` was revoked and does not run: {reason}"
        ));
    }
    if let Some(spending) = &status.models_today {
        talk(&crate::spending::today(spending));
    }
    for (agent, sessions) in &status.not_archived {
        let sessions = count(*sessions, "session", "sessions");
        talk(&format!("{sessions} of {agent} not archived yet"));
    }
    for (moment, totals) in &status.offers {
        let memories = count(totals.offered, "memory", "memories");
        let (used, dismissed) = (totals.used, totals.dismissed);
        let when = match moment.as_str() {
            "start" => "at the start of sessions",
            "prompt" => "at prompts",
            "edit" => "before edits",
            _ => "after failures",
        };
        talk(&format!(
            "{memories} offered {when}: {used} used, {dismissed} dismissed"
        ));
    }
    learning(status);
    notes(status);
    review(status);
}

/// Prints when sessions are read without the daemon, one line for each moment.
fn learning(status: &Status) {
    let mut moments: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for one in &status.learning {
        moments.entry(one.read).or_default().push(one.name);
    }
    for (moment, agents) in moments {
        talk(&format!(
            "{}: sessions are read {moment}",
            agents.join(", ")
        ));
    }
}

/// Prints what became of agents' notes.
fn notes(status: &Status) {
    for (agent, notes) in &status.notes {
        let made = count(notes.counts.made, "note", "notes");
        let (proven, refused) = (notes.counts.proven, notes.counts.refused);
        talk(&format!(
            "{made} by {}: {proven} proven, {refused} refused",
            visible(agent)
        ));
        for (reason, number) in &notes.refused_here {
            talk(&format!("  refused here: {number}, {}", visible(reason)));
        }
    }
}

/// Prints how many items wait for a person in this project.
pub(crate) fn print_waiting(review: &ReviewCounts) {
    if review.total > 0 {
        let items = count(review.total, "item waits", "items wait");
        let conflicts = match review.conflicts {
            0 => String::new(),
            number => format!(" ({})", count(number, "conflict", "conflicts")),
        };
        talk(&format!(
            "{items} for your review{conflicts}; `acreta review`"
        ));
    }
}

/// Prints how many items wait for a person.
fn review(status: &Status) {
    let review = &status.review;
    print_waiting(review);
    if status.pending > review.pending {
        let records = count(
            status.pending - review.pending,
            "pending record waits",
            "pending records wait",
        );
        talk(&format!(
            "{records} in other projects; see `acreta review` there"
        ));
    }
}
