//! Pending and past work: counts, runs and the durable queue.

use crate::api::{
    InProjects, LogEvent, MemoryTotals, QueueAction, QueueChanged, QueueJob, QueueList, QueueQuery,
    QueueTotals, RunDetail, RunList, RunsQuery, ServiceStatus, SessionState, SessionTotals, Status,
    StepTime, Trust,
};
use acreta_service::process::clock::now_ms;
use acreta_service::projects::scopes::{self, MemoryScope};
use acreta_service::{Failure, Kind, learn::reports, review};
use acreta_state::{
    Event, EventFilter, EventKind, JobFilter, Lookup, RunFilter, SessionState as State,
    TaskState as Task,
};
use acreta_store::Layout;

use crate::daemon::{Daemon, rows};

/// Maximum number of jobs that are listed.
const JOBS: u64 = 1_000;

impl Daemon {
    pub(crate) fn work_status(&self, query: &InProjects) -> Result<ServiceStatus, Failure> {
        let context = self.context_of(query.project_root.as_deref(), query.all_projects)?;
        let counts = scopes::open_catalog(&context)?.counts()?;
        let number = |state| counts.jobs.get(&state).copied().unwrap_or(0);
        let projects = scopes::registered_projects(&context)?;
        let mut memories = MemoryTotals::default();
        let mut layouts: Vec<Layout> = projects.iter().map(|root| context.layout(root)).collect();
        layouts.push(MemoryScope::global(&context).layout);
        for layout in layouts
            .iter()
            .filter(|layout| layout.has_memory().unwrap_or(false))
        {
            for memory in &scopes::snapshot(&context, layout)?.memories {
                match memory.status() {
                    Status::Active => memories.active += 1,
                    Status::Archived => memories.archived += 1,
                    Status::Superseded => {}
                }
                if memory.trust() == Trust::Untrusted {
                    memories.untrusted += 1;
                }
                if memory.state.as_ref().is_some_and(|state| state.stale) {
                    memories.stale += 1;
                }
            }
        }
        Ok(ServiceStatus {
            review: review::waiting(&context)?,
            projects: projects.len() as u64,
            sessions: counts
                .sessions
                .iter()
                .map(|line| SessionTotals {
                    agent: line.agent.clone(),
                    state: session_state(line.state),
                    sessions: line.sessions,
                })
                .collect(),
            queue: QueueTotals {
                queued: number(Task::Queued),
                running: number(Task::Running),
                failed: number(Task::Failed),
                dead: counts.dead_letters,
                oldest_queued_ms: counts.oldest_queued_ms,
            },
            memories,
        })
    }

    pub(crate) fn run_list(&self, query: &RunsQuery) -> Result<RunList, Failure> {
        let context = self.context(query.project_root.as_deref())?;
        let runs = scopes::open_catalog(&context)?.runs(&RunFilter {
            state: query.state,
            project_root: query.project_root.as_ref().map(|_| context.project.clone()),
            until_ms: query.before.map(|before| before.get()),
            limit: Some(query.limit.get()),
            ..RunFilter::default()
        })?;
        Ok(RunList {
            runs: runs.iter().map(rows::run).collect(),
        })
    }

    pub(crate) fn whole_run(&self, id: &str) -> Result<RunDetail, Failure> {
        let context = self.context(None)?;
        let catalog = scopes::open_catalog(&context)?;
        let run = match catalog.run(id)? {
            Lookup::One(run) => run,
            Lookup::Missing => {
                return Err(Failure::new(Kind::Missing, format!("no such run: `{id}`")));
            }
            Lookup::Ambiguous(_) => {
                let message = format!("`{id}` matches several runs");
                return Err(
                    Failure::new(Kind::Usage, message).hint("give more characters of the id")
                );
            }
        };
        let findings = reports::lines(&run, "subagents.log");
        let extracted = reports::json(&run, "extract.json").unwrap_or_default();
        let candidates = extracted["candidates"].as_array().cloned();
        Ok(RunDetail {
            row: rows::run(&run),
            report: reports::report(&run),
            steps: steps(&catalog.events(&EventFilter {
                run_id: Some(run.run_id.clone()),
                name: Some("step".to_owned()),
                ..EventFilter::default()
            })?),
            log: reports::lines(&run, "agent.log"),
            findings: findings
                .iter()
                .filter_map(|line| serde_json::from_str(line).ok())
                .collect(),
            candidates: candidates.unwrap_or_default(),
            artifacts: reports::artifacts(&run),
            folder: run.folder.into_string(),
        })
    }

    pub(crate) fn queued(&self, query: &QueueQuery) -> Result<QueueList, Failure> {
        let context = self.context(None)?;
        let catalog = scopes::open_catalog(&context)?;
        let states = match query.state {
            Some(state) => vec![state],
            None => vec![Task::Running, Task::Queued, Task::Failed],
        };
        let mut jobs = Vec::new();
        for state in states {
            let filter = JobFilter {
                state: Some(state),
                limit: Some(JOBS),
                ..JobFilter::default()
            };
            jobs.extend(catalog.jobs(&filter)?.into_iter().map(|job| QueueJob {
                id: job.id,
                agent: job.session.agent,
                session_id: job.session.id,
                project: job.project_root.into_string(),
                mode: job.mode,
                state: job.state,
                dead: job.dead,
                attempt: job.attempt,
                not_before_ms: (job.not_before_ms > 0).then_some(job.not_before_ms),
                created_ms: job.created_ms,
                started_ms: job.started_ms,
                finished_ms: job.finished_ms,
                cause: job.cause,
                run_id: job.run_id,
            }));
        }
        Ok(QueueList { jobs })
    }

    pub(crate) fn queue_action(
        &self,
        id: &str,
        action: QueueAction,
    ) -> Result<QueueChanged, Failure> {
        let context = self.context(None)?;
        let catalog = scopes::open_catalog(&context)?;
        let id = match catalog.job(id)? {
            Lookup::One(job) => job.id,
            Lookup::Missing => {
                return Err(Failure::new(Kind::Missing, format!("no such job: `{id}`")));
            }
            Lookup::Ambiguous(_) => {
                let message = format!("`{id}` matches several jobs");
                return Err(
                    Failure::new(Kind::Usage, message).hint("give more characters of the id")
                );
            }
        };
        let (job, message) = match action {
            QueueAction::Retry => (catalog.retry(&id)?, "it is queued again"),
            QueueAction::Skip => (
                catalog.skip(&id, now_ms())?,
                "it is skipped until its session changes",
            ),
            QueueAction::Cancel => (catalog.cancel(&id, now_ms())?, "it is cancelled"),
        };
        Ok(QueueChanged {
            id: job.id,
            changed: true,
            message: match job.state {
                Task::Running => "it stops at its next step",
                _ => message,
            }
            .to_owned(),
        })
    }

    pub(crate) fn last_event(&self) -> Result<u64, Failure> {
        let last = scopes::open_catalog(&self.context(None)?)?.last_event()?;
        Ok(last.map_or(0, |event| event.seq))
    }

    pub(crate) fn events(&self, sequence: u64, limit: usize) -> Result<Vec<LogEvent>, Failure> {
        let events = scopes::open_catalog(&self.context(None)?)?.events(&EventFilter {
            after_seq: Some(sequence),
            limit: Some(limit as u64),
            ..EventFilter::default()
        })?;
        Ok(events.into_iter().map(told).collect())
    }
}

/// Returns the steps of a run with their start and end.
fn steps(events: &[Event]) -> Vec<StepTime> {
    let mut steps: Vec<StepTime> = Vec::new();
    for event in events.iter().map(|event| &event.event) {
        let step = event.fields.get("step").and_then(|step| step.as_str());
        let step = step.unwrap_or_default();
        match event.kind {
            EventKind::Begin => steps.push(StepTime {
                step: step.to_owned(),
                started_ms: event.at_ms,
                ended_ms: None,
            }),
            _ => {
                if let Some(known) = steps.iter_mut().find(|known| known.step == step) {
                    known.ended_ms = Some(event.at_ms);
                }
            }
        }
    }
    steps
}

/// Converts an event: spans keep their own kind, everything else is a `log`.
fn told(event: Event) -> LogEvent {
    let (sequence, event) = (event.seq, event.event);
    let (kind, name) = match event.kind {
        EventKind::Event => ("log".to_owned(), event.name),
        EventKind::Begin => (event.name.clone(), format!("{} began", event.name)),
        EventKind::End => (event.name.clone(), format!("{} ended", event.name)),
    };
    LogEvent {
        sequence,
        at_ms: event.at_ms,
        kind,
        name,
        run_id: event.run_id,
        request_id: event.request_id,
        project: event.project.map(|project| project.into_string()),
        fields: event.fields,
    }
}

pub(crate) fn session_state(state: State) -> SessionState {
    match state {
        State::Waiting => SessionState::Waiting,
        State::New => SessionState::New,
        State::Queued => SessionState::Queued,
        State::Done => SessionState::Done,
        State::Cancelled => SessionState::Cancelled,
        State::Failed => SessionState::Failed,
    }
}
