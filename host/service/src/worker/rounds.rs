//! Rounds of work: each does every job that may run, with settings and plugins read anew. A round that fails because
//! the state cannot be reached is repeated.

use std::time::{Duration, Instant};

use acreta_fs::{Directory, Lock, NoFaults};
use acreta_state::{Catalog, CatalogOptions, StateLocation};
use acreta_sync::{Selection, SyncError, WorkRequest};
use acreta_types::with_causes;

use super::checkouts::RemoteClones;
use super::{Work, WorkObserver, WorkSummary, WorkUntil};
use crate::{
    Context, Failure, Kind, LazySyncEnvironment, Process, ProcessCaches, learn::sync_options,
    process::state, projects::scopes,
};

/// Longest pause when there is nothing to do; a new job ends it.
const PAUSE: Duration = Duration::from_secs(2);

/// Longest time in which an interrupt goes unnoticed.
const STEP: Duration = Duration::from_millis(100);

/// Pauses after a failed round, doubled up to the longest.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// Number of failed rounds in a row after which a worker that is not meant to run forever gives up.
const FAILED_ROUNDS: u32 = 8;

/// Maximum number of workers of one machine.
const WORKERS: u32 = 1_000;

pub(super) fn work(
    request: &Work,
    context: &Context,
    observer: &dyn WorkObserver,
) -> Result<WorkSummary, Failure> {
    let place = WorkerPlace::take(context)?;
    let context = &as_worker(context, place.number);
    let location = state::location(context)?;
    if let StateLocation::File(path) = &location {
        let message =
            format!("workers need a state that machines share, and it is a file: `{path}`");
        return Err(Failure::new(Kind::Usage, message)
            .hint("set `state.url`; `acreta sync` learns from this machine's own sessions"));
    }
    let request_of_round = WorkRequest {
        projects: request.projects.clone(),
        slots: request.slots,
        most_jobs: (request.until == WorkUntil::OneJob).then_some(1),
    };
    let mut summary = WorkSummary::default();
    let mut pause = FIRST_PAUSE;
    let mut failed = 0;
    let mut waiting = None;
    loop {
        let done = round(&request_of_round, context, &place, observer, &mut summary);
        summary.interrupted = observer.is_interrupted();
        if summary.interrupted {
            return Ok(summary);
        }
        match done {
            Ok(left) => {
                (pause, failed) = (FIRST_PAUSE, 0);
                match request.until {
                    WorkUntil::OneJob => return Ok(summary),
                    WorkUntil::Idle if left == 0 => return Ok(summary),
                    _ => wait_for_work(&mut waiting, &location, observer),
                }
            }
            Err(RoundError::Unreachable(failure)) => {
                failed += 1;
                if failed >= FAILED_ROUNDS && request.until != WorkUntil::Stopped {
                    return Err(failure);
                }
                observer.waiting(&failure.to_string());
                sleep(pause, observer);
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
            Err(RoundError::Failed(failure)) => return Err(failure),
        }
    }
}

enum RoundError {
    /// The state cannot be reached.
    Unreachable(Failure),
    Failed(Failure),
}

impl From<Failure> for RoundError {
    fn from(failure: Failure) -> Self {
        RoundError::Failed(failure)
    }
}

/// Does the jobs that may run now, and returns the number of those that are left.
fn round(
    request: &WorkRequest,
    context: &Context,
    place: &WorkerPlace,
    observer: &dyn WorkObserver,
    summary: &mut WorkSummary,
) -> Result<u64, RoundError> {
    let options = sync_options::sync_options(context, Selection::default())?;
    if options.shared_archive.is_none() {
        let message = "workers read sessions from shared storage, and none is configured";
        let failure = Failure::new(Kind::Usage, message);
        return Err(failure
            .hint("set `archive.url`, on every machine of the team")
            .into());
    }
    let clones = RemoteClones::open(context, place.folder.path())?;
    let workshop = LazySyncEnvironment::new(context)?;
    let worked = acreta_sync::work(&options, &workshop, observer, &clones, request);
    let worked = worked.map_err(|error| match error {
        SyncError::Catalog(error) => {
            tracing::warn!(error = %with_causes(&error), "the state cannot be used");
            RoundError::Unreachable(error.into())
        }
        error => RoundError::Failed(error.into()),
    })?;
    settle_late(context);
    for run in &worked.report.runs {
        observer.finished(run);
        match run.state {
            "completed" => summary.completed += 1,
            _ => summary.not_completed += 1,
        }
    }
    Ok(worked.left)
}

/// Records usage of models that could not be recorded when it was known.
fn settle_late(context: &Context) {
    let unsettled = &context.process.kept.unsettled;
    let settled = scopes::open_catalog(context).and_then(|it| Ok(unsettled.settle(&it)?));
    if let Err(error) = settled {
        tracing::warn!(%error, "the usage of models is not recorded yet");
    }
}

/// Waits until somebody enqueues a job, for a pause at most. `waiting` is the connection that the server wakes; one that
/// fails is made anew the next time.
fn wait_for_work(
    waiting: &mut Option<Catalog>,
    location: &StateLocation,
    observer: &dyn WorkObserver,
) {
    if waiting.is_none() {
        *waiting = Catalog::open_at(location, CatalogOptions::default()).ok();
    }
    let Some(catalog) = waiting.as_ref() else {
        return sleep(PAUSE, observer);
    };
    let until = Instant::now() + PAUSE;
    while !observer.is_interrupted() && Instant::now() < until {
        match catalog.wait_for_work(STEP) {
            Ok(false) => {}
            Ok(true) => return,
            Err(error) => {
                tracing::debug!(error = %with_causes(&error), "not woken by the server");
                *waiting = None;
                return sleep(PAUSE, observer);
            }
        }
    }
}

fn sleep(time: Duration, observer: &dyn WorkObserver) {
    let mut left = time;
    while !left.is_zero() && !observer.is_interrupted() {
        let step = left.min(STEP);
        std::thread::sleep(step);
        left -= step;
    }
}

/// The folder with a worker's clones. It belongs to one process at a time: a worker that hangs does not keep the others
/// of its machine from a project, and one that is started again finds the clones of the last.
struct WorkerPlace {
    number: u32,
    folder: Directory,
    _lock: Lock,
}

impl WorkerPlace {
    fn take(context: &Context) -> Result<Self, Failure> {
        let all = context.home.folder().join("clones");
        let all = Directory::open_or_create_private(&all, NoFaults::shared())?;
        for number in 0..WORKERS {
            if let Ok(lock) = all.lock(format!("{number}.lock"), Duration::ZERO) {
                all.create_dir_all(number.to_string())?;
                return Ok(Self {
                    number,
                    folder: all.subdirectory(number.to_string())?,
                    _lock: lock,
                });
            }
        }
        let message = format!("{WORKERS} workers run on this machine already");
        Err(Failure::new(Kind::Busy, message))
    }
}

/// Returns the context of a worker: another machine, as far as the state is concerned, so that its clones are not
/// mistaken for the user's checkouts.
fn as_worker(context: &Context, number: u32) -> Context {
    let process = Process {
        worker: Some(number),
        kept: ProcessCaches::default(),
        ..context.process.clone()
    };
    Context {
        process,
        environment: context.environment.clone(),
        home: context.home.clone(),
        project: context.home.folder().to_owned(),
        all_projects: false,
        config: context.config.clone(),
        warnings: Vec::new(),
        trust: context.trust.clone(),
        grants: context.grants.clone(),
    }
}
