//! `acreta runs list|show`.

use acreta_catalog::{
    Catalog, CatalogOptions, Event, EventFilter, EventKind, Lookup, Run, RunFilter, TaskState,
};
use acreta_service::clock::shown;
use acreta_service::{Failure, Kind, reports};
use serde_json::{Value, json as value};

use crate::args::RunsCommand;
use crate::context::Context;
use crate::output::{count, json, line, table, talk};

use super::live;

pub(crate) fn run(command: &RunsCommand, context: &Context) -> Result<(), Failure> {
    let catalog = Catalog::open(&context.home.state_file(), CatalogOptions::default())?;
    match command {
        RunsCommand::List { limit, failed } => list(&catalog, *limit, *failed, context),
        RunsCommand::Show { id } => show(&catalog, id, context),
    }
}

fn list(catalog: &Catalog, limit: u64, failed: bool, context: &Context) -> Result<(), Failure> {
    let runs = catalog.runs(&RunFilter {
        state: failed.then_some(TaskState::Failed),
        limit: Some(limit),
        ..RunFilter::default()
    })?;
    if context.json {
        json(&runs.iter().map(as_json).collect::<Vec<_>>());
        return Ok(());
    }
    if runs.is_empty() {
        talk("no run is known yet");
        return Ok(());
    }
    let head = ["run", "state", "started", "session", "project"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(runs.iter().map(|run| {
        let session = run.session.as_ref().map(ToString::to_string);
        vec![
            run.run_id.clone(),
            run.state.name().to_owned(),
            shown(run.started_ms),
            session.unwrap_or_default(),
            run.project_root.to_string(),
        ]
    }));
    table(&rows);
    Ok(())
}

fn show(catalog: &Catalog, prefix: &str, context: &Context) -> Result<(), Failure> {
    let run = match catalog.run(prefix)? {
        Lookup::One(run) => run,
        Lookup::Missing => {
            return Err(Failure::saying(format!("there is no run `{prefix}`"))
                .hint("`acreta runs list` shows them"));
        }
        Lookup::Ambiguous(runs) => {
            let ids: Vec<&str> = runs.iter().map(|run| run.run_id.as_str()).collect();
            let message = format!("`{prefix}` fits several runs: {}", ids.join(", "));
            return Err(Failure::new(Kind::Usage, message));
        }
    };
    catalog.mark_shown(&run.run_id)?;
    let report = reports::report(&run).unwrap_or_default();
    let events = catalog.events(&EventFilter {
        run_id: Some(run.run_id.clone()),
        ..EventFilter::default()
    })?;
    if context.json {
        let mut shown = as_json(&run);
        shown["report"] = report;
        shown["events"] = events.iter().map(live::as_json).collect();
        json(&shown);
        return Ok(());
    }
    line(&format!("run       {}", run.run_id));
    line(&format!("state     {}", run.state.name()));
    line(&format!("started   {} UTC", shown(run.started_ms)));
    if let Some(session) = &run.session {
        line(&format!("session   {session}"));
    }
    line(&format!("project   {}", run.project_root));
    line(&format!("folder    {}", run.folder));
    if let Some(error) = &run.error {
        line(&format!("error     {error}"));
    }
    for told in read_by(&report) {
        line(&told);
    }
    for todo in report["todos"].as_array().into_iter().flatten() {
        let text = |name: &str| todo[name].as_str().unwrap_or_default().to_owned();
        let took = took(&events, &text("step"));
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
        line(&format!(
            "  {:8} {}  {}",
            text("action"),
            text("path"),
            text("reason")
        ));
    }
    Ok(())
}

/// Who read the session, how well, why not better, and what models took.
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
            "models    {}, {} from the cache, {} failed: {} tokens in, {} out{cost}",
            count(number("calls"), "call", "calls"),
            number("cached"),
            number("failed"),
            number("input_tokens"),
            number("output_tokens"),
        ));
    }
    lines
}

/// How long a step took, where that was written down.
fn took(events: &[Event], step: &str) -> String {
    let ended = events.iter().map(|event| &event.event).find(|event| {
        event.kind == EventKind::End && event.name == "step" && event.fields["step"] == step
    });
    let took = ended.and_then(|event| event.fields.get("duration_ms")?.as_f64());
    took.map_or_else(String::new, |took| format!("{took:.0} ms"))
}

/// What a plugin took, and what it was refused.
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

fn as_json(run: &Run) -> Value {
    value!({
        "run_id": run.run_id,
        "mode": run.mode,
        "state": run.state.name(),
        "project": run.project_root,
        "run_folder": run.folder,
        "agent": run.session.as_ref().map(|key| &key.agent),
        "session": run.session.as_ref().map(|key| &key.id),
        "started_ms": run.started_ms,
        "finished_ms": run.finished_ms,
        "counts": run.counts,
        "error": run.error,
        "shown": run.shown,
    })
}
