//! `acreta queue list|show|retry|skip|cancel`.

use acreta_catalog::{Catalog, CatalogOptions, Job, JobFilter, Lookup, TaskState};
use acreta_service::clock::{now_ms, shown};
use acreta_service::{Failure, Kind, readings};
use serde_json::{Value, json as value};

use crate::args::QueueCommand;
use crate::context::Context;
use crate::output::{json, line, table, talk};

pub(crate) fn run(command: &QueueCommand, context: &Context) -> Result<(), Failure> {
    let catalog = Catalog::open(&context.home.state_file(), CatalogOptions::default())?;
    match command {
        QueueCommand::List { state } => list(&catalog, state.as_deref(), context),
        QueueCommand::Show { id } => {
            let job = find(&catalog, id)?;
            catalog.mark_job_shown(&job.id)?;
            print(&job, context);
            Ok(())
        }
        QueueCommand::Retry { id } => {
            let job = catalog.retry(&find(&catalog, id)?.id)?;
            changed(&job, "is queued again", context)
        }
        QueueCommand::Skip { id } => {
            let job = catalog.skip(&find(&catalog, id)?.id, now_ms())?;
            changed(&job, "is skipped until its session changes", context)
        }
        QueueCommand::Cancel { id } => {
            let job = catalog.cancel(&find(&catalog, id)?.id, now_ms())?;
            let what = match job.state {
                TaskState::Running => "stops at its next step",
                _ => "is cancelled",
            };
            changed(&job, what, context)
        }
    }
}

fn list(catalog: &Catalog, state: Option<&str>, context: &Context) -> Result<(), Failure> {
    let states = match state {
        Some(name) => vec![state_of(name)?],
        None => vec![TaskState::Running, TaskState::Queued, TaskState::Failed],
    };
    let mut jobs = Vec::new();
    for state in states {
        jobs.extend(catalog.jobs(&JobFilter {
            state: Some(state),
            ..JobFilter::default()
        })?);
    }
    if context.json {
        json(&jobs.iter().map(as_json).collect::<Vec<_>>());
        return Ok(());
    }
    let waiting = readings::waiting(&catalog.waiting_readings()?, now_ms());
    if jobs.is_empty() {
        talk("the queue is empty");
        waiting.iter().for_each(|line| talk(line));
        return Ok(());
    }
    let head = [
        "job", "state", "attempt", "agent", "session", "project", "cause",
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(jobs.iter().map(|job| {
        vec![
            job.id.clone(),
            state_name(job),
            job.attempt.to_string(),
            job.session.agent.clone(),
            job.session.id.clone(),
            job.project_root.to_string(),
            job.cause.clone().unwrap_or_default(),
        ]
    }));
    table(&rows);
    waiting.iter().for_each(|line| talk(line));
    Ok(())
}

fn state_of(name: &str) -> Result<TaskState, Failure> {
    let all = [
        TaskState::Queued,
        TaskState::Running,
        TaskState::Completed,
        TaskState::Failed,
        TaskState::Cancelled,
    ];
    let names = all.map(TaskState::name).join(", ");
    all.into_iter()
        .find(|state| state.name() == name)
        .ok_or_else(|| {
            let message = format!("there is no state `{name}`");
            Failure::new(Kind::Usage, message).hint(format!("a job is {names}"))
        })
}

fn find(catalog: &Catalog, prefix: &str) -> Result<Job, Failure> {
    match catalog.job(prefix)? {
        Lookup::One(job) => Ok(job),
        Lookup::Missing => Err(Failure::saying(format!("there is no job `{prefix}`"))
            .hint("`acreta queue list` shows them")),
        Lookup::Ambiguous(jobs) => {
            let ids: Vec<&str> = jobs.iter().map(|job| job.id.as_str()).collect();
            let message = format!("`{prefix}` fits several jobs: {}", ids.join(", "));
            Err(Failure::new(Kind::Usage, message))
        }
    }
}

fn changed(job: &Job, what: &str, context: &Context) -> Result<(), Failure> {
    if context.json {
        json(&as_json(job));
    } else {
        talk(&format!("job {} {what}", job.id));
    }
    Ok(())
}

fn print(job: &Job, context: &Context) {
    if context.json {
        json(&as_json(job));
        return;
    }
    let time = |ms: Option<u64>| ms.map(shown).unwrap_or_default();
    for (name, text) in [
        ("job", job.id.clone()),
        ("state", state_name(job)),
        ("session", job.session.to_string()),
        ("project", job.project_root.to_string()),
        ("attempt", job.attempt.to_string()),
        ("created", shown(job.created_ms)),
        ("started", time(job.started_ms)),
        ("finished", time(job.finished_ms)),
        ("run", job.run_id.clone().unwrap_or_default()),
        ("cause", job.cause.clone().unwrap_or_default()),
    ] {
        if !text.is_empty() {
            line(&format!("{name:9} {text}"));
        }
    }
}

fn state_name(job: &Job) -> String {
    match job.dead {
        true => format!("{} (dead)", job.state.name()),
        false => job.state.name().to_owned(),
    }
}

fn as_json(job: &Job) -> Value {
    value!({
        "id": job.id,
        "state": job.state.name(),
        "dead": job.dead,
        "attempt": job.attempt,
        "agent": job.session.agent,
        "session": job.session.id,
        "project": job.project_root,
        "mode": job.mode,
        "not_before_ms": job.not_before_ms,
        "created_ms": job.created_ms,
        "started_ms": job.started_ms,
        "finished_ms": job.finished_ms,
        "run_id": job.run_id,
        "cause": job.cause,
    })
}
