//! `acreta queue list|show|retry|skip|cancel`.

use acreta_service::Failure;
use acreta_service::learn::queue::{self, JobChange, JobRow, QueueRequest, TaskState};
use acreta_service::process::clock::shown;

use crate::args::QueueCommand;
use crate::context::Context;
use crate::output::{json, line, table, talk};

pub(crate) fn run(command: &QueueCommand, context: &Context) -> Result<(), Failure> {
    match command {
        QueueCommand::List { state } => list(state.as_deref(), context),
        QueueCommand::Show { id } => {
            let job = queue::show(id, context)?;
            match context.json {
                true => json(&job),
                false => print(&job),
            }
            Ok(())
        }
        QueueCommand::Retry { id } => change(id, JobChange::Retry, context),
        QueueCommand::Skip { id } => change(id, JobChange::Skip, context),
        QueueCommand::Cancel { id } => change(id, JobChange::Cancel, context),
    }
}

fn list(state: Option<&str>, context: &Context) -> Result<(), Failure> {
    let request = QueueRequest {
        state: state.map(str::parse).transpose()?,
        limit: u64::MAX,
    };
    let queue = queue::list(&request, context)?;
    if context.json {
        json(&queue.jobs);
        return Ok(());
    }
    if queue.jobs.is_empty() {
        talk("the queue is empty");
    } else {
        let head = [
            "job", "state", "attempt", "agent", "session", "project", "cause",
        ];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        rows.extend(queue.jobs.iter().map(|job| {
            vec![
                job.id.clone(),
                state_name(job),
                job.attempt.to_string(),
                job.agent.clone(),
                job.session.clone(),
                job.project.clone(),
                job.cause.clone().unwrap_or_default(),
            ]
        }));
        table(&rows);
    }
    queue.waiting.iter().for_each(|line| talk(line));
    Ok(())
}

fn change(id: &str, change: JobChange, context: &Context) -> Result<(), Failure> {
    let job = queue::change(id, change, context)?;
    if context.json {
        json(&job);
        return Ok(());
    }
    let what = match change {
        JobChange::Retry => "is queued again",
        JobChange::Skip => "is skipped until its session changes",
        JobChange::Cancel if job.state == TaskState::Running => {
            "stops at its next step; `acreta queue retry` enqueues it again"
        }
        JobChange::Cancel => "is cancelled; `acreta queue retry` enqueues it again",
    };
    talk(&format!("job {} {what}", job.id));
    Ok(())
}

fn print(job: &JobRow) {
    let time = |ms: Option<u64>| ms.map(shown).unwrap_or_default();
    for (name, text) in [
        ("job", job.id.clone()),
        ("state", state_name(job)),
        ("session", format!("{}/{}", job.agent, job.session)),
        ("project", job.project.clone()),
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

fn state_name(job: &JobRow) -> String {
    match job.dead {
        true => format!("{} (dead)", job.state),
        false => job.state.to_string(),
    }
}
