//! `acreta runs list|show`.

use acreta_service::learn::runs::{
    self, EventRow, NoteOutcome, RunListRequest, RunRow, RunShown, TaskState,
};
use acreta_service::{Failure, process::clock, visible};
use serde_json::Value;

use crate::args::RunsCommand;
use crate::context::Context;
use crate::output::{count, json, line, table, talk};

pub(crate) fn run(command: &RunsCommand, context: &Context) -> Result<(), Failure> {
    match command {
        RunsCommand::List { limit, failed } => list(*limit, *failed, context),
        RunsCommand::Show { id } => {
            let shown = runs::show(id, context)?;
            runs::mark_shown(&shown, context)?;
            match context.json {
                true => json(&shown),
                false => print(&shown),
            }
            Ok(())
        }
    }
}

fn list(limit: u64, failed: bool, context: &Context) -> Result<(), Failure> {
    let request = RunListRequest {
        state: failed.then_some(TaskState::Failed),
        limit,
        ..RunListRequest::default()
    };
    let runs = runs::list(&request, context)?.runs;
    if context.json {
        json(&runs);
        return Ok(());
    }
    if runs.is_empty() {
        talk(match failed {
            true => "no failed runs",
            false => "no runs yet",
        });
        return Ok(());
    }
    let head = ["run", "state", "started", "session", "project"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(runs.iter().map(|run| {
        vec![
            run.run_id.clone(),
            run.state.to_string(),
            clock::shown(run.started_ms),
            session(run).unwrap_or_default(),
            run.project.clone(),
        ]
    }));
    table(&rows);
    Ok(())
}

/// Returns `agent/id` of the run's session.
fn session(run: &RunRow) -> Option<String> {
    let (agent, session) = run.agent.as_ref().zip(run.session.as_ref())?;
    Some(format!("{agent}/{session}"))
}

fn print(shown: &RunShown) {
    let (run, report) = (&shown.run, &shown.report);
    line(&format!("run       {}", run.run_id));
    line(&format!("state     {}", run.state));
    line(&format!("started   {} UTC", clock::shown(run.started_ms)));
    if let Some(session) = session(run) {
        line(&format!("session   {session}"));
    }
    line(&format!("project   {}", run.project));
    line(&format!("folder    {}", run.run_folder));
    if let Some(error) = &run.error {
        line(&format!("error     {error}"));
    }
    if let Some(note) = report["note"].as_str() {
        line(&format!("note      {note}"));
    }
    for told in read_by(report) {
        line(&told);
    }
    for todo in report["todos"].as_array().into_iter().flatten() {
        let text = |name: &str| todo[name].as_str().unwrap_or_default().to_owned();
        let took = took(&shown.events, &text("step"));
        line(&format!(
            "  {:10} {:12} {took}",
            text("step"),
            text("state")
        ));
    }
    for plugin in report["metrics"]["plugins"]
        .as_array()
        .into_iter()
        .flatten()
    {
        line(&used(plugin));
    }
    for action in report["actions"].as_array().into_iter().flatten() {
        let text = |name: &str| action[name].as_str().unwrap_or_default().to_owned();
        // Runs of earlier versions have no titles.
        let title = match text("title") {
            title if title.is_empty() => text("path"),
            title => title,
        };
        line(&format!(
            "  {:8} {title}  ({})",
            text("action"),
            text("reason")
        ));
    }
    for note in &shown.notes {
        let outcome = match &note.outcome {
            NoteOutcome::Waiting => "waits".to_owned(),
            NoteOutcome::Proven => "proven".to_owned(),
            NoteOutcome::Refused(reason) => format!("refused: {}", visible(reason)),
        };
        line(&format!("  note     {}  ({outcome})", visible(&note.id)));
    }
}

/// Formats who read the session, how well, why not better, and what models used.
fn read_by(report: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    let reading = &report["reading"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    if reading.is_object() {
        let quality = match reading["complete"].as_bool() {
            Some(false) => ", incomplete",
            _ => "",
        };
        let (reader, strength) = (text(&reading["reader"]), text(&reading["strength"]));
        lines.push(format!("read by   {reader} ({strength}{quality})"));
        let reason = text(&reading["reason"]);
        if !reason.is_empty() {
            lines.push(format!("because   {}: {reason}", text(&reading["code"])));
        }
        let retry = text(&reading["retry_at"]);
        if !retry.is_empty() {
            lines.push(format!("retry     {retry}"));
        }
    }
    let used = &report["metrics"]["llm"];
    let number = |name: &str| used[name].as_u64().unwrap_or(0);
    if number("calls") + number("cached") + number("failed") > 0 {
        let cost = used["cost_dollars"].as_f64();
        let cost = cost.map(|cost| format!(", ${cost:.4}")).unwrap_or_default();
        lines.push(format!(
            "models    {}, {} from the cache, {} failed: {} tokens in, {} out{cost}{}",
            count(number("calls"), "call", "calls"),
            number("cached"),
            number("failed"),
            number("input_tokens"),
            number("output_tokens"),
            crate::spending::assumed(
                number("assumed_input_tokens"),
                number("assumed_output_tokens")
            ),
        ));
    }
    lines
}

/// Formats the duration of a step, if it was recorded.
fn took(events: &[EventRow], step: &str) -> String {
    let ended = events
        .iter()
        .find(|event| event.kind == "end" && event.name == "step" && event.fields["step"] == step);
    let took = ended.and_then(|event| event.fields.get("duration_ms")?.as_f64());
    took.map_or_else(String::new, |took| format!("{took:.0} ms"))
}

/// Formats what a plugin used, and what it was denied.
fn used(plugin: &Value) -> String {
    let number = |name: &str| plugin[name].as_u64().unwrap_or(0);
    let denied = plugin["denied"].as_array().into_iter().flatten();
    let denied: u64 = denied.map(|line| line["count"].as_u64().unwrap_or(0)).sum();
    let denied = match denied {
        0 => String::new(),
        denied => format!(", {denied} refused"),
    };
    format!(
        "  {:18} {} in {} ms, {:.1} MB{denied}",
        plugin["id"].as_str().unwrap_or_default(),
        count(number("calls"), "call", "calls"),
        number("guest_ms"),
        number("peak_memory_bytes") as f64 / 1e6,
    )
}
