//! Drains the queue: claims a job, runs it, records the result. A worker that dies leaves a lease that expires, or that
//! the next sync on the same machine ends at once; a worker that returns too late can no longer change anything.

mod publish;
mod watch;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use acreta_fs::{Directory, Lock, NoFaults};
use acreta_pipeline::{Counts, RunError, RunOptions, RunReport, Source};
use acreta_state::{
    Catalog, CatalogError, CatalogOptions, ClaimFilter, Completion, Heartbeat, KnownSession, Lease,
    LeaseError, ProjectId, RereadFilter, Retry, SessionKey, TaskState, TeamProject, TraceCursor,
    Wanted,
};
use acreta_types::{Shortfall, locked, with_causes};
use tracing::Span;
use tracing::field::Empty;

use self::publish::CheckoutJob;
use self::watch::RunWatch;
use crate::checkouts::{Checkouts, MemoryCheckout};
use crate::cures;
use crate::error::SyncError;
use crate::find::DiskState;
use crate::options::SyncOptions;
use crate::parallel::STACK;
use crate::report::{LearntLine, RunLine, SyncReport};
use crate::source::{self, OpenedSession};
use crate::waiting::{self, reading_of};
use crate::workshop::{Pass, Scope, Stage, SyncEnvironment, Watcher};

/// Length of a lease, and interval of its renewal.
const LEASE_MS: u64 = 60_000;
const HEARTBEAT: Duration = Duration::from_secs(15);

/// Maximum number of lock files that are checked.
const WORKERS: u64 = 10_000;

/// Longest time that another worker takes to find out whether this one is alive.
const LOOKED_AT: Duration = Duration::from_secs(10);

/// Drains the queue until no job is left that may run now.
pub(crate) fn drain(
    options: &SyncOptions,
    workshop: &dyn SyncEnvironment,
    watcher: &dyn Watcher,
    found: &DiskState,
    pass: Pass,
    wanted: Option<Vec<SessionKey>>,
    report: &mut SyncReport,
) -> Result<(), SyncError> {
    let worker = WorkerProcess::begin(options)?;
    worker.bury_the_dead()?;
    let rereads = waiting::rereads(&open(options, 0)?, options, workshop)?;
    // A model reads one session at a time, over all projects and processes.
    let is_alone = rereads.is_some();
    let plan = DrainPlan {
        filter: ClaimFilter {
            sessions: wanted,
            built_in: pass == Pass::BuiltIn,
            alone: is_alone,
            here: true,
            ..ClaimFilter::default()
        },
        rereads,
        threads: if is_alone { 1 } else { options.workers.max(1) },
        most_jobs: u64::MAX,
        remotes: Vec::new(),
        checkouts: None,
    };
    with_worker(worker, workshop, watcher, found, plan, report)
}

/// The jobs that are done, and where.
pub(crate) struct DrainPlan<'a> {
    pub(crate) filter: ClaimFilter,
    /// Sessions that may be read again once the queue is empty.
    pub(crate) rereads: Option<RereadFilter>,
    pub(crate) threads: usize,
    pub(crate) most_jobs: u64,
    /// The projects of a worker.
    pub(crate) remotes: Vec<TeamProject>,
    /// The checkouts of a worker; `None` if memory is written to this machine's own.
    pub(crate) checkouts: Option<&'a dyn Checkouts>,
}

/// Does the jobs of a plan until none is left that may run now.
pub(crate) fn drain_plan(
    options: &SyncOptions,
    workshop: &dyn SyncEnvironment,
    watcher: &dyn Watcher,
    found: &DiskState,
    plan: DrainPlan<'_>,
    report: &mut SyncReport,
) -> Result<(), SyncError> {
    let worker = WorkerProcess::begin(options)?;
    worker.bury_the_dead()?;
    with_worker(worker, workshop, watcher, found, plan, report)
}

fn with_worker(
    worker: WorkerProcess<'_>,
    workshop: &dyn SyncEnvironment,
    watcher: &dyn Watcher,
    found: &DiskState,
    plan: DrainPlan<'_>,
    report: &mut SyncReport,
) -> Result<(), SyncError> {
    let threads = plan.threads;
    let shared = DrainState {
        worker: &worker,
        options: worker.options,
        workshop,
        watcher,
        found,
        filter: plan.filter,
        rereads: Mutex::new(plan.rereads),
        most_jobs: plan.most_jobs,
        begun: AtomicU64::new(0),
        remotes: plan.remotes,
        checkouts: plan.checkouts,
        short: Mutex::default(),
        leases: Mutex::default(),
        done: Mutex::new(false),
        wake: Condvar::new(),
        lines: Mutex::default(),
    };
    let failed = std::thread::scope(|scope| {
        let pulse = scope.spawn(|| shared.keep_alive());
        let mut workers = Vec::new();
        let shared = &shared;
        for number in 1..threads {
            let around = Span::current();
            let work = move || around.in_scope(|| shared.worker(number));
            let worker = std::thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, work);
            // One worker less is slower, not wrong.
            workers.extend(worker);
        }
        let mut result = shared.worker(0);
        for worker in workers {
            let ended = worker
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            result = result.and(ended);
        }
        *locked(&shared.done) = true;
        shared.wake.notify_all();
        let _ended = pulse.join();
        result
    });
    let lines = shared.lines.into_inner();
    for line in lines.unwrap_or_else(PoisonError::into_inner) {
        report.add_run(line);
    }
    if failed.is_ok() {
        worker.leave();
    }
    report.interrupted |= watcher.is_interrupted();
    failed
}

/// Opens a separate connection; each thread has one.
fn open(options: &SyncOptions, number: usize) -> Result<Catalog, CatalogError> {
    let options_of_catalog = CatalogOptions {
        seed: options.seed.wrapping_add(number as u64),
        ..CatalogOptions::default()
    };
    Catalog::open_at(&options.state, options_of_catalog)
}

/// This process as a worker. It holds a file lock while it lives, which the system releases when it dies, so others
/// notice at once, even if its process id is reused.
struct WorkerProcess<'a> {
    options: &'a SyncOptions,
    name: String,
    locks: Directory,
    _alive: Lock,
}

impl<'a> WorkerProcess<'a> {
    fn begin(options: &'a SyncOptions) -> Result<Self, SyncError> {
        let folder = options.global.join("workers");
        let locks = Directory::open_or_create_private(&folder, NoFaults::shared())?;
        let name = format!("{}-{:x}", std::process::id(), options.seed);
        // Another worker that looks for dead ones may hold a file that was just created.
        let alive = locks.lock(&name, LOOKED_AT)?;
        Ok(Self {
            options,
            name,
            locks,
            _alive: alive,
        })
    }

    /// Frees the jobs of workers that died. A worker without a lock file here is on another machine: its leases expire
    /// by themselves.
    fn bury_the_dead(&self) -> Result<(), SyncError> {
        let catalog = open(self.options, 0)?;
        for entry in self.locks.list(".", WORKERS)? {
            let Some(worker) = entry.path.file_name().filter(|name| *name != self.name) else {
                continue;
            };
            if let Ok(_dead) = self.locks.lock(worker, Duration::ZERO) {
                catalog.bury(worker)?;
                self.locks.remove_file(worker)?;
            }
        }
        Ok(())
    }

    /// Removes the lock file. A worker that could not record the results of its jobs keeps its file, by which the next
    /// one finds them.
    fn leave(self) {
        if let Err(error) = self.locks.remove_file(&self.name) {
            tracing::debug!(%error, "a lock file was not removed");
        }
    }
}

/// Creates the tracing span of a job.
fn of_job(lease: &Lease) -> Span {
    tracing::info_span!(
        "job",
        job_id = lease.job,
        agent = lease.session.agent,
        session = lease.session.id,
        project = %lease.project_root,
        attempt = lease.attempt,
        run_id = Empty,
        state = Empty,
        error = Empty,
    )
}

/// State shared by the worker threads.
struct DrainState<'a> {
    worker: &'a WorkerProcess<'a>,
    options: &'a SyncOptions,
    workshop: &'a dyn SyncEnvironment,
    watcher: &'a dyn Watcher,
    found: &'a DiskState,
    filter: ClaimFilter,
    most_jobs: u64,
    /// Number of claims so far.
    begun: AtomicU64,
    remotes: Vec<TeamProject>,
    checkouts: Option<&'a dyn Checkouts>,
    /// Sessions that may be read again once the queue is empty; `None` after the first incomplete reading.
    rereads: Mutex<Option<RereadFilter>>,
    /// Models that are not asked for the rest of this sync.
    short: Mutex<BTreeMap<SilentModel, Shortfall>>,
    /// Jobs in progress, for lease renewal.
    leases: Mutex<Vec<HeldLease>>,
    done: Mutex<bool>,
    wake: Condvar,
    lines: Mutex<Vec<RunLine>>,
}

/// A model by name that does not answer: to all projects, or to one whose budget is used up.
type SilentModel = (Option<ProjectId>, String);

#[derive(Clone)]
struct HeldLease {
    lease: Lease,
    /// Set if the run is cancelled, or the lease was lost.
    stop: Arc<AtomicBool>,
}

/// Reports whether a disk is full.
fn is_no_space(error: &RunError) -> bool {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = cause {
        let kind = error.downcast_ref().map(io::Error::kind);
        if let Some(io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) = kind {
            return true;
        }
        cause = error.source();
    }
    false
}

impl DrainState<'_> {
    fn worker(&self, number: usize) -> Result<(), SyncError> {
        let catalog = open(self.options, number)?;
        let owner = &self.worker.name;
        while !self.watcher.is_interrupted()
            && self.begun.fetch_add(1, Ordering::Relaxed) < self.most_jobs
        {
            let now = self.workshop.now_ms();
            let lease = catalog.claim(owner, LEASE_MS, now, &self.filter)?;
            let lease = match lease {
                None => self.claim_again(&catalog, owner, now)?,
                some => some,
            };
            let Some(lease) = lease else {
                break;
            };
            self.watcher.fault_point("claimed");
            let held = HeldLease {
                lease: lease.clone(),
                stop: Arc::default(),
            };
            locked(&self.leases).push(held.clone());
            let span = of_job(&lease);
            let worked = span.in_scope(|| self.work(&catalog, &lease, &held.stop, &span));
            locked(&self.leases).retain(|other| other.lease.token != lease.token);
            let Worked { line, is_busy } = worked?;
            self.watcher.advance(Stage::Run, &line.session);
            span.record("state", line.state);
            if let Some(error) = line.error.as_deref().filter(|_| !is_busy) {
                span.record("error", error);
            }
            locked(&self.lines).push(line);
            if is_busy {
                // Another process works in this project; the rest is left to the next sync.
                break;
            }
        }
        Ok(())
    }

    fn work(
        &self,
        catalog: &Catalog,
        lease: &Lease,
        stop: &Arc<AtomicBool>,
        span: &Span,
    ) -> Result<Worked, SyncError> {
        let watch = RunWatch {
            catalog,
            lease,
            shared: self,
            stop,
            span,
            run_id: RefCell::default(),
        };
        let (outcome, checkout) = match self.run(catalog, lease, &watch) {
            Ok((report, checkout)) => (Ok(report), checkout),
            // A plugin that was stopped, or what came of it, is no failure of the job.
            Err(_) if self.watcher.is_interrupted() => (Err(JobNotDone::Cancelled), None),
            Err(stopped) => (Err(stopped), None),
        };
        self.watcher.fault_point("ran");
        let now = self.workshop.now_ms();
        let run_id = watch.run_id.take();
        let counts = outcome
            .as_ref()
            .map_or_else(|_| Counts::default(), |report| report.counts);
        let learnt = outcome.as_ref().map_or_else(|_| Vec::new(), LearntLine::of);
        let llm = outcome
            .as_ref()
            .ok()
            .map(|report| report.metrics.llm.clone());
        let is_unwanted = outcome.as_ref().is_ok_and(|report| report.is_unwanted);
        let llm = llm.filter(|llm| llm.calls + llm.cached + llm.failed > 0);
        let reading = (outcome.as_ref().ok()).and_then(|report| report.reading.clone());
        let run_folder = (outcome.as_ref().ok()).map(|report| report.run_folder.clone());
        let ended = match &outcome {
            Ok(report) => {
                // The trace of a worker is gone with its checkout.
                let resume = report.resume.as_ref().filter(|_| checkout.is_none());
                let cursor = resume.map(|at| TraceCursor {
                    cursor: at.cursor.clone(),
                    trace_bytes: at.mark.bytes,
                    trace_events: at.mark.events,
                    trace_digest: at.mark.digest,
                });
                let earlier = catalog.reading(&lease.session)?;
                let attempts = earlier.and_then(|earlier| earlier.waits);
                let attempts = attempts.map_or(0, |wait| wait.attempts);
                let completion = Completion {
                    run_id: report.run_id.clone(),
                    ran_revision: lease.revision.clone(),
                    cursor,
                    counts: serde_json::to_value(report.counts).unwrap_or_default(),
                    reading: Some(reading_of(report, &lease.revision, attempts, now)),
                };
                self.note_shortfall(report, lease.project);
                catalog.complete(lease, &completion, now).map(|_| None)
            }
            Err(JobNotDone::Cancelled) if self.watcher.is_interrupted() => {
                catalog.release(lease, now).map(Some)
            }
            Err(JobNotDone::Cancelled) => catalog.cancelled(lease, now).map(Some),
            Err(JobNotDone::Busy) => catalog.release(lease, now).map(Some),
            Err(JobNotDone::Postponed { message }) => catalog
                .postpone(lease, message, POSTPONED_MS, now)
                .map(Some),
            Err(JobNotDone::Failed { message, retry }) => {
                catalog.fail(lease, message, *retry, now).map(Some)
            }
        };
        self.watcher.fault_point("completed");
        if matches!((&ended, &outcome), (Ok(_), Ok(_))) {
            let global = &self.options.global;
            match &checkout {
                Some(checkout) => cures::collect_from(catalog, global, lease, checkout.path())?,
                None => cures::collect(catalog, global, Some(&lease.session))?,
            }
        }
        let is_busy = matches!((&ended, &outcome), (Ok(_), Err(JobNotDone::Busy)));
        let (state, error) = match (ended, outcome) {
            (Ok(_), Ok(_)) => ("completed", None),
            (Ok(_), Err(JobNotDone::Cancelled)) => ("cancelled", None),
            (Ok(job), Err(stopped)) => {
                let is_queued = job.is_some_and(|job| job.state == TaskState::Queued);
                let state = if is_queued { "queued" } else { "failed" };
                (state, Some(stopped.message()))
            }
            // Another worker holds the job now and records its result.
            (Err(LeaseError::Catalog(error)), _) => return Err(error.into()),
            (Err(error), _) => ("cancelled", Some(error.to_string())),
        };
        let line = RunLine {
            run_id,
            run_folder,
            agent: lease.session.agent.clone(),
            session: lease.session.id.clone(),
            project: lease.project_root.clone(),
            state,
            counts,
            learnt,
            is_unwanted,
            llm,
            reading,
            error,
        };
        Ok(Worked { line, is_busy })
    }

    fn run(
        &self,
        catalog: &Catalog,
        lease: &Lease,
        watch: &RunWatch<'_>,
    ) -> Result<(RunReport, Option<Box<dyn MemoryCheckout>>), JobNotDone> {
        let failed = |message: String, retry| JobNotDone::Failed { message, retry };
        let known = catalog
            .session(&lease.session)
            .map_err(|error| failed(with_causes(&error), Retry::Later))?
            .ok_or_else(|| failed("the session is not known".to_owned(), Retry::Never))?;
        // Excluded since the job was enqueued.
        if self.options.excluded.has_session(&known.session) {
            return Err(JobNotDone::Cancelled);
        }
        let opened = source::open(
            &known,
            lease.project,
            self.options,
            self.workshop,
            self.found,
        )
        .map_err(|error| match error.is_passing && self.checkouts.is_some() {
            true => JobNotDone::Postponed {
                message: error.message,
            },
            false => failed(error.message, Retry::Never),
        })?;
        if let Some(checkouts) = self.checkouts {
            let job = CheckoutJob {
                catalog,
                lease,
                watch,
                known: &known,
            };
            return self.learn_and_publish(&job, &opened, checkouts);
        }
        let scope = if lease.project_root == self.options.global {
            Scope::Global
        } else {
            Scope::Project(lease.project_root.clone())
        };
        if let Scope::Project(root) = &scope
            && !root.is_dir()
        {
            return Err(failed(format!("`{root}` does not exist"), Retry::Later));
        }
        let report = self.learn(&opened, &known, &scope, None, watch)?;
        Ok((report, None))
    }

    /// Runs the lead on a session in a scope. `name` replaces the name of the scope's repository.
    fn learn(
        &self,
        opened: &OpenedSession,
        known: &KnownSession,
        scope: &Scope,
        name: Option<&str>,
        watch: &RunWatch<'_>,
    ) -> Result<RunReport, JobNotDone> {
        let failed = |message: String, retry| JobNotDone::Failed { message, retry };
        let (plugins, options) = self
            .workshop
            .run(scope)
            .map_err(|message| failed(message, Retry::Later))?;
        let mut options = self.without_silent_models(options, watch.lease.project);
        if let Some(name) = name {
            name.clone_into(&mut options.repo_name);
        }
        let mut plugins = plugins;
        if matches!(opened.source, Source::File(_)) {
            let adapter = self.workshop.adapter(&known.adapter);
            let adapter = adapter.map_err(|message| failed(message, Retry::Later))?;
            plugins.adapters = vec![adapter];
            options.session = Some(known.session.id.clone());
        }
        acreta_pipeline::run(&opened.source, &plugins, &options, watch).map_err(|error| match error
        {
            RunError::Cancelled | RunError::LeaseLost => JobNotDone::Cancelled,
            error if error.is_busy() => JobNotDone::Busy,
            // Another worker, or this one after some time, has the space.
            error if self.checkouts.is_some() && is_no_space(&error) => JobNotDone::Postponed {
                message: with_causes(&error),
            },
            error => {
                let retry = if error.is_retryable() {
                    Retry::Later
                } else {
                    Retry::Never
                };
                let message = with_causes(&error);
                failed(
                    self.options.redactor.redact(&message).text.into_owned(),
                    retry,
                )
            }
        })
    }

    /// Claims the next session whose wait for a model is over, or that was read before there was one.
    fn claim_again(
        &self,
        catalog: &Catalog,
        owner: &str,
        now_ms: u64,
    ) -> Result<Option<Lease>, SyncError> {
        let mut rereads = locked(&self.rereads);
        let Some(filter) = rereads.as_mut() else {
            return Ok(None);
        };
        let most = self.options.selection.max_sessions.unwrap_or(u64::MAX);
        if locked(&self.lines).len() as u64 >= most {
            return Ok(None);
        }
        let (session, project, revision) = loop {
            let Some(next) = catalog.next_reread(filter, now_ms)? else {
                return Ok(None);
            };
            filter.except.push(next.0.clone());
            let is_worker = self.checkouts.is_some();
            let is_there = |known: &KnownSession| match is_worker {
                true => known.archive.is_some(),
                false => source::is_there(known),
            };
            if catalog.session(&next.0)?.is_some_and(|known| {
                is_there(&known) && !self.options.excluded.has_session(&known.session)
            }) {
                break next;
            }
            if !is_worker {
                catalog.stop_waiting(&next.0, now_ms)?;
            }
        };
        let wanted = Wanted {
            session: session.clone(),
            project,
            mode: "sync".to_owned(),
            revision,
        };
        catalog.enqueue_again(&wanted, now_ms)?;
        self.watcher.fault_point("queued-again");
        let only = ClaimFilter {
            sessions: Some(vec![session]),
            ..self.filter.clone()
        };
        Ok(catalog.claim(owner, LEASE_MS, now_ms, &only)?)
    }

    /// Records that a model did not answer: other waiting sessions would fail too.
    fn note_shortfall(&self, report: &RunReport, project: ProjectId) {
        let read = report.reading.as_ref();
        let Some(shortfall) = read.and_then(|read| read.shortfall.as_ref()) else {
            return;
        };
        if shortfall.may_pass() {
            *locked(&self.rereads) = None;
        }
        if shortfall.concerns_all() {
            // Projects may have budgets of their own.
            let project = shortfall.is_of_budget().then_some(project);
            locked(&self.short).insert((project, shortfall.model.clone()), shortfall.clone());
        }
    }

    /// Removes models that do not answer from a run; rules read the session meanwhile.
    fn without_silent_models(&self, options: RunOptions, project: ProjectId) -> RunOptions {
        let source = options.models.as_ref().map(|models| &models.source);
        let model = source.and_then(|source| source.model("extract"));
        let silent = model.and_then(|model| {
            let short = locked(&self.short);
            let to_all = short.get(&(None, model.clone()));
            to_all
                .or_else(|| short.get(&(Some(project), model)))
                .cloned()
        });
        match silent {
            Some(shortfall) => RunOptions {
                models: None,
                without_model: Some(shortfall),
                ..options
            },
            None => options,
        }
    }

    /// Renews the leases of all jobs in progress.
    fn keep_alive(&self) {
        let mut catalog = None;
        let mut done = locked(&self.done);
        while !*done {
            let (guard, timeout) = self
                .wake
                .wait_timeout(done, HEARTBEAT)
                .unwrap_or_else(PoisonError::into_inner);
            done = guard;
            if timeout.timed_out() && !*done {
                catalog = catalog.or_else(|| open(self.options, usize::MAX).ok());
                if let Some(catalog) = &catalog {
                    self.beat(catalog);
                }
            }
        }
    }

    fn beat(&self, catalog: &Catalog) {
        let leases = locked(&self.leases).clone();
        for held in leases {
            match catalog.heartbeat(&held.lease, self.workshop.now_ms()) {
                Ok(Heartbeat::Go) => {}
                Ok(Heartbeat::Cancel) | Err(LeaseError::Lost { .. }) => {
                    held.stop.store(true, Ordering::Relaxed);
                }
                Err(error) => tracing::debug!(%error, "lease not renewed"),
            }
        }
    }
}

/// Result of one job.
struct Worked {
    line: RunLine,
    /// Another run holds the project, and the job is queued again.
    is_busy: bool,
}

/// Wait for storage, a remote or the server that fails. It is no attempt of the job.
const POSTPONED_MS: u64 = 10_000;

/// Reason why a job was not done.
enum JobNotDone {
    Cancelled,
    /// Something outside does not answer, which will pass.
    Postponed {
        message: String,
    },
    /// Another run holds the project.
    Busy,
    Failed {
        message: String,
        retry: Retry,
    },
}

impl JobNotDone {
    fn message(self) -> String {
        match self {
            JobNotDone::Cancelled => "cancelled".to_owned(),
            JobNotDone::Busy => "another run holds the project".to_owned(),
            JobNotDone::Postponed { message } | JobNotDone::Failed { message, .. } => message,
        }
    }
}
