//! The jobs of this server: one of each kind at a time, the others wait. They are remembered in memory only; their
//! effects are in the catalog.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::sync::Notify;

use crate::api::{Accepted, JobKind, JobProgress, JobView, ScheduleLine, TaskState};
use crate::hub::Hub;
use crate::options::Surroundings;
use crate::refusal::Refusal;
use crate::service::{Caller, JobRequest};

pub(crate) struct Jobs {
    table: Mutex<JobTable>,
    hub: Arc<Hub>,
    surroundings: Surroundings,
    /// Notified when a job of this kind is requested.
    sync_asked: Notify,
    maintain_asked: Notify,
}

#[derive(Default)]
struct JobTable {
    /// Oldest first.
    jobs: VecDeque<JobEntry>,
    asked: u64,
    last_sync_ms: Option<u64>,
    last_maintain_ms: Option<u64>,
}

struct JobEntry {
    view: JobView,
    request: JobRequest,
    cancelled: Arc<AtomicBool>,
}

/// A job that was claimed to be run.
pub(crate) struct ClaimedJob {
    pub(crate) id: String,
    pub(crate) request: JobRequest,
    pub(crate) caller: Caller,
    pub(crate) cancelled: Arc<AtomicBool>,
}

impl Jobs {
    pub(crate) fn new(hub: Arc<Hub>, surroundings: Surroundings) -> Self {
        Self {
            table: Mutex::default(),
            hub,
            surroundings,
            sync_asked: Notify::new(),
            maintain_asked: Notify::new(),
        }
    }

    /// Enqueues a job. Idempotent: an identical waiting job is not enqueued again.
    pub(crate) fn ask(&self, request: JobRequest, caller: &Caller) -> Result<Accepted, Refusal> {
        let kind = kind_of(&request);
        let accepted = self.with(|table| {
            let waits =
                |job: &&JobEntry| job.view.state == TaskState::Queued && job.view.kind == kind;
            let waiting: Vec<&JobEntry> = table.jobs.iter().filter(waits).collect();
            if let Some(job) = waiting.iter().find(|job| job.request == request) {
                return Ok(accepted(&job.view));
            }
            if waiting.len() >= WAITING {
                return Err(Refusal::busy("too many jobs are waiting"));
            }
            table.asked += 1;
            let view = JobView {
                id: format!("job-{}-{}", caller.request_id, table.asked),
                kind,
                state: TaskState::Accepted,
                created_ms: (self.surroundings.now_ms)(),
                started_ms: None,
                finished_ms: None,
                progress: None,
                result: None,
                error: None,
                request_id: caller.request_id.clone(),
            };
            let answer = accepted(&view);
            table.jobs.push_back(JobEntry {
                view,
                request,
                cancelled: Arc::default(),
            });
            forget_old(table);
            if let Some(job) = table.jobs.back_mut() {
                self.tell(&job.view);
                job.view.state = TaskState::Queued;
                self.tell(&job.view);
            }
            Ok(answer)
        })?;
        self.asked(kind).notify_one();
        Ok(accepted)
    }

    pub(crate) fn list(&self) -> Vec<JobView> {
        self.with(|table| {
            table
                .jobs
                .iter()
                .rev()
                .map(|job| job.view.clone())
                .collect()
        })
    }

    pub(crate) fn get(&self, id: &str) -> Result<JobView, Refusal> {
        self.with(|table| find(table, id).map(|job| job.view.clone()))
    }

    /// Cancels a job; one that has ended stays as it is.
    pub(crate) fn cancel(&self, id: &str) -> Result<JobView, Refusal> {
        self.with(|table| {
            let job = find(table, id)?;
            self.cancel_job(job);
            Ok(job.view.clone())
        })
    }

    pub(crate) fn cancel_all(&self) {
        self.with(|table| table.jobs.iter_mut().for_each(|job| self.cancel_job(job)));
    }

    /// Returns the number of running jobs.
    pub(crate) fn running(&self) -> usize {
        let running = |job: &&JobEntry| job.view.state == TaskState::Running;
        self.with(|table| table.jobs.iter().filter(running).count())
    }

    pub(crate) fn line(
        &self,
        kind: JobKind,
        every: Option<Duration>,
        next_ms: Option<u64>,
    ) -> ScheduleLine {
        self.with(|table| ScheduleLine {
            every_seconds: every.map(|every| every.as_secs()),
            last_ms: match kind {
                JobKind::Sync => table.last_sync_ms,
                JobKind::Maintain => table.last_maintain_ms,
            },
            next_ms,
            running: table
                .jobs
                .iter()
                .any(|job| job.view.kind == kind && job.view.state == TaskState::Running),
        })
    }

    fn cancel_job(&self, job: &mut JobEntry) {
        match job.view.state {
            TaskState::Accepted | TaskState::Queued => {
                job.view.state = TaskState::Cancelled;
                job.view.finished_ms = Some((self.surroundings.now_ms)());
                self.tell(&job.view);
            }
            TaskState::Running => job.cancelled.store(true, Ordering::Relaxed),
            TaskState::Completed | TaskState::Failed | TaskState::Cancelled => {}
        }
    }

    pub(crate) fn take(&self, kind: JobKind) -> Option<ClaimedJob> {
        self.with(|table| {
            let mut jobs = table.jobs.iter_mut();
            let job =
                jobs.find(|job| job.view.kind == kind && job.view.state == TaskState::Queued)?;
            job.view.state = TaskState::Running;
            job.view.started_ms = Some((self.surroundings.now_ms)());
            self.tell(&job.view);
            Some(ClaimedJob {
                id: job.view.id.clone(),
                request: job.request.clone(),
                caller: Caller {
                    request_id: job.view.request_id.clone(),
                },
                cancelled: Arc::clone(&job.cancelled),
            })
        })
    }

    pub(crate) fn finish(&self, id: &str, outcome: Result<Value, Refusal>) {
        self.with(|table| {
            let Ok(job) = find(table, id) else {
                return;
            };
            let now_ms = (self.surroundings.now_ms)();
            let cancelled = job.cancelled.load(Ordering::Relaxed);
            job.view.state = match (&outcome, cancelled) {
                (_, true) => TaskState::Cancelled,
                (Ok(_), false) => TaskState::Completed,
                (Err(_), false) => TaskState::Failed,
            };
            job.view.finished_ms = Some(now_ms);
            match outcome {
                Ok(result) => job.view.result = Some(result),
                Err(refusal) => job.view.error = Some(*refusal.problem),
            }
            self.tell(&job.view);
            match job.view.kind {
                JobKind::Sync => table.last_sync_ms = Some(now_ms),
                JobKind::Maintain => table.last_maintain_ms = Some(now_ms),
            }
        });
    }

    pub(crate) fn progress(&self, id: &str, progress: JobProgress) {
        self.with(|table| {
            if let Ok(job) = find(table, id) {
                job.view.progress = Some(progress);
                self.tell(&job.view);
            }
        });
    }

    fn tell(&self, view: &JobView) {
        let mut fields = Map::new();
        fields.insert("job_id".to_owned(), json!(view.id));
        fields.insert("job_kind".to_owned(), json!(view.kind));
        if let Some(progress) = &view.progress {
            fields.insert("progress".to_owned(), json!(progress));
        }
        if let Some(error) = &view.error {
            fields.insert("error".to_owned(), json!(error.message));
        }
        let now_ms = (self.surroundings.now_ms)();
        let (request_id, job_id) = (&view.request_id, &view.id);
        // Progress is not a change of state.
        if view.progress.is_none() || view.state != TaskState::Running {
            let state = view.state.name();
            tracing::info!(name: "job.state", request_id, job_id, state);
        }
        self.hub.job_changed(view.state, request_id, fields, now_ms);
    }

    pub(crate) fn asked(&self, kind: JobKind) -> &Notify {
        match kind {
            JobKind::Sync => &self.sync_asked,
            JobKind::Maintain => &self.maintain_asked,
        }
    }

    fn with<T>(&self, work: impl FnOnce(&mut JobTable) -> T) -> T {
        work(&mut self.table.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn kind_of(request: &JobRequest) -> JobKind {
    match request {
        JobRequest::Sync(_) => JobKind::Sync,
        JobRequest::Maintain(_) => JobKind::Maintain,
    }
}

fn accepted(view: &JobView) -> Accepted {
    Accepted {
        job_id: view.id.clone(),
        state: view.state,
        request_id: view.request_id.clone(),
    }
}

/// Finds a job by its id or a unique prefix.
fn find<'a>(table: &'a mut JobTable, id: &str) -> Result<&'a mut JobEntry, Refusal> {
    let exact = table.jobs.iter().position(|job| job.view.id == id);
    let fits = |job: &JobEntry| !id.is_empty() && job.view.id.starts_with(id);
    let index = match exact {
        Some(index) => index,
        None => {
            let mut fitting = (0..table.jobs.len()).filter(|index| fits(&table.jobs[*index]));
            let missing = || Refusal::not_found("no such job");
            let index = fitting.next().ok_or_else(missing)?;
            if fitting.next().is_some() {
                return Err(Refusal::invalid("several jobs have ids with this prefix"));
            }
            index
        }
    };
    Ok(&mut table.jobs[index])
}

/// Removes the oldest ended jobs beyond the limit.
fn forget_old(table: &mut JobTable) {
    while table.jobs.len() > REMEMBERED {
        let ended = table
            .jobs
            .iter()
            .position(|job| job.view.finished_ms.is_some());
        let Some(index) = ended else {
            return;
        };
        table.jobs.remove(index);
    }
}

const REMEMBERED: usize = 200;
const WAITING: usize = 16;
