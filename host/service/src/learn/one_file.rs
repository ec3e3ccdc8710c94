//! Learns from one session file that a person named: `run FILE`. The run is recorded in the catalog, so that a sync
//! does not repeat it.

use std::cell::RefCell;
use std::sync::Arc;

use acreta_llm::Estimates;
pub use acreta_llm::Total;
pub use acreta_pipeline::{Action, GATES, Progress, RunReport, SessionReport, TodoState};
use acreta_pipeline::{Plugins, RunError, RunMode, RunOptions, Source};
use acreta_state::{NewRun, RunEnd};
use acreta_store::Layout;
use acreta_types::{Identity, ReadingStrength, Session};
use camino::{Utf8Path, Utf8PathBuf};

use crate::process::clock::now_ms;
use crate::{
    Context, Failure, Kind, learn::deferred, learn::frozen, learn::readings, learn::run_options,
    learn::sync_options, models::opened, plugins, projects::registry, projects::repository,
    projects::scopes,
};

/// A session file to learn from.
#[derive(Debug, Clone, Default)]
pub struct Learn {
    pub trace: Utf8PathBuf,
    pub mode: LearnMode,
    /// Use only this agent's adapter.
    pub agent: Option<String>,
    /// The session to use from a file that holds several.
    pub session: Option<String>,
    /// Report what would change, and change nothing.
    pub dry_run: bool,
    /// Write memory to this folder instead of the project's; such a run is not recorded.
    pub memory_root: Option<Utf8PathBuf>,
    pub workspace_root: Option<Utf8PathBuf>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LearnMode {
    #[default]
    Sync,
    Hot,
    Cold,
}

impl LearnMode {
    fn run_mode(self) -> RunMode {
        match self {
            LearnMode::Sync => RunMode::Sync,
            LearnMode::Hot => RunMode::Hot,
            LearnMode::Cold => RunMode::Cold,
        }
    }
}

/// Result of a run.
#[derive(Debug)]
pub struct LearnResult {
    pub report: RunReport,
    /// Reason why the configured model did not read the session, as one sentence.
    pub fallback: Option<String>,
}

/// Runs the lead on a session file and records the run.
pub fn learn(
    request: &Learn,
    context: &Context,
    progress: &dyn Progress,
) -> Result<LearnResult, Failure> {
    let options = frozen::options(&request.trace, options(request, context)?, context)?;
    let begun = RunTracker {
        progress,
        run: RefCell::default(),
    };
    let began_ms = now_ms();
    let result = read(&request.trace, &options, context, &begun);
    let is_recorded = !request.dry_run && request.memory_root.is_none() && !context.is_frozen();
    if is_recorded && let Some(run) = begun.run.take() {
        // A run that cannot be recorded is still valid: at worst, a sync repeats it.
        if let Err(error) = record(&result, run, began_ms, request, context) {
            tracing::warn!(%error, "the run could not be recorded in the catalog");
        }
    }
    let report = result?;
    Ok(LearnResult {
        fallback: fallback(&report, is_recorded, context)?,
        report,
    })
}

/// The runs of every session in a file.
#[derive(Debug)]
pub struct LearntAll {
    /// Oldest session first.
    pub learnt: Vec<LearnResult>,
    /// Sessions that failed, and why.
    pub failed: Vec<(String, Failure)>,
}

/// Learns from every session in a file, oldest first, so that later statements take precedence. A session that fails
/// affects only itself; a project that another run has locked ends the loop.
pub fn learn_all(
    request: &Learn,
    context: &Context,
    progress: &dyn Progress,
) -> Result<LearntAll, Failure> {
    let sessions = sessions_in(&request.trace, request.agent.as_deref(), context)?;
    let mut all = LearntAll {
        learnt: Vec::new(),
        failed: Vec::new(),
    };
    for session in sessions.into_iter().rev() {
        let one = Learn {
            session: Some(session.id.clone()),
            ..request.clone()
        };
        match learn(&one, context, progress) {
            Ok(learnt) => all.learnt.push(learnt),
            Err(failure) if failure.kind == Kind::Busy => return Err(failure),
            Err(failure) => all.failed.push((session.id, failure)),
        }
    }
    Ok(all)
}

/// Estimates the model calls of a run, by a dry run with models that only count.
pub fn estimate(
    request: &Learn,
    context: &Context,
    progress: &dyn Progress,
) -> Result<Total, Failure> {
    match estimates(context)? {
        Some(estimates) => estimate_with(&estimates, request, context, progress),
        None if request.trace.exists() => Ok(Total::default()),
        None => Err(RunError::TraceMissing {
            path: request.trace.clone(),
        }
        .into()),
    }
}

/// Returns models that only count; `None` if no model is configured.
pub(crate) fn estimates(context: &Context) -> Result<Option<Estimates>, Failure> {
    let models = opened::open(&context.config, context, &context.project)?;
    Ok(models.map(Estimates::new))
}

/// Adds the model calls of a run to `estimates`. Returns the total so far.
pub(crate) fn estimate_with(
    estimates: &Estimates,
    request: &Learn,
    context: &Context,
    progress: &dyn Progress,
) -> Result<Total, Failure> {
    let request = Learn {
        dry_run: true,
        ..request.clone()
    };
    let source = Arc::new(estimates.clone());
    let options = RunOptions {
        models: Some(run_options::granted(&context.config, context, source)?),
        ..options(&request, context)?
    };
    read(&request.trace, &options, context, progress)?;
    Ok(estimates.total())
}

/// Lists the sessions in a file, newest first.
pub(crate) fn sessions_in(
    trace: &Utf8Path,
    agent: Option<&str>,
    context: &Context,
) -> Result<Vec<Session>, Failure> {
    let adapters = deferred::adapters(trace, agent, context, &plugins::sandbox(context)?)?;
    let scratch = context.home.scratch();
    acreta_pipeline::sessions_in(trace, &adapters, agent, &scratch, now_ms())
        .map_err(|error| deferred::unread(error, context))
}

/// Runs the lead on a session file.
pub(crate) fn read(
    trace: &Utf8Path,
    options: &RunOptions,
    context: &Context,
    progress: &dyn Progress,
) -> Result<RunReport, Failure> {
    let sandbox = plugins::sandbox(context)?;
    let plugins = Plugins {
        adapters: deferred::adapters(trace, options.agent.as_deref(), context, &sandbox)?,
        ..plugins::chosen(context, &context.config, &sandbox)?
    };
    let source = Source::File(trace.to_owned());
    acreta_pipeline::run(&source, &plugins, options, progress)
        .map_err(|error| deferred::unread(error, context))
}

fn options(request: &Learn, context: &Context) -> Result<RunOptions, Failure> {
    let layout = layout(request, context)?;
    let name = &repository::name(&context.project);
    let mode = request.mode.run_mode();
    let redactor = Arc::new(sync_options::redactor(&context.config)?);
    Ok(RunOptions {
        agent: request.agent.clone(),
        session: request.session.clone(),
        dry_run: request.dry_run,
        ..run_options::run_options(
            &context.config,
            context,
            &context.project,
            layout,
            name,
            mode,
            redactor,
        )?
    })
}

/// Returns where the run writes. Memory in an unregistered project is left alone.
fn layout(request: &Learn, context: &Context) -> Result<Layout, Failure> {
    let layout = Layout::new(
        request.memory_root.as_deref(),
        request.workspace_root.as_deref(),
        &context.project,
    )
    .with_words_in(&context.home.words());
    if request.memory_root.is_none() && !request.dry_run {
        registry::register_for_writing(context, &layout)?;
    }
    match request.memory_root.is_none() && context.layout(&context.project).is_closed() {
        true => Ok(layout.closed()),
        false => Ok(layout),
    }
}

/// Passes on a run's progress, and remembers its id: a run that fails leaves no report.
struct RunTracker<'a> {
    progress: &'a dyn Progress,
    /// Id and folder, once known.
    run: RefCell<Option<(String, Utf8PathBuf)>>,
}

impl Progress for RunTracker<'_> {
    fn started(&self, run_id: &str, run_folder: &Utf8Path) {
        *self.run.borrow_mut() = Some((run_id.to_owned(), run_folder.to_owned()));
        self.progress.started(run_id, run_folder);
    }

    fn step(&self, step: &'static str, state: TodoState) {
        self.progress.step(step, state);
    }

    fn is_cancelled(&self) -> bool {
        self.progress.is_cancelled()
    }

    fn may_commit(&self) -> bool {
        self.progress.may_commit()
    }
}

/// Records the run in the catalog, so that a sync does not repeat it, and so that a failed one can be found.
fn record(
    result: &Result<RunReport, Failure>,
    (run_id, folder): (String, Utf8PathBuf),
    began_ms: u64,
    request: &Learn,
    context: &Context,
) -> Result<(), Failure> {
    let now = now_ms();
    let catalog = scopes::open_catalog(context)?;
    // Registered before the run, or named for this process only.
    let project = catalog.note_project(&context.project, &Identity::default(), now)?;
    let path = acreta_fs::canonical(&request.trace)?;
    let session = match result {
        Ok(report) => acreta_sync::record_named_run(&catalog, report, &path, project.id, now)?,
        Err(_) => None,
    };
    if let Some(session) = &session {
        acreta_sync::collect_cures(&catalog, context.home.folder(), Some(session))?;
    }
    catalog.begin_run(
        &NewRun {
            run_id: run_id.clone(),
            mode: request.mode.run_mode().name().to_owned(),
            project_root: context.project.clone(),
            folder,
            session,
        },
        began_ms,
    )?;
    let end = match result {
        Ok(report) => RunEnd::Completed(serde_json::to_value(report.counts).unwrap_or_default()),
        Err(failure) => {
            let redactor = sync_options::redactor(&context.config)?;
            RunEnd::Failed(redactor.redact(&failure.to_string()).text.into_owned())
        }
    };
    catalog.finish_run(&run_id, &end, now)?;
    Ok(())
}

/// Returns the last line of the command if the configured model did not read the session.
fn fallback(
    report: &RunReport,
    is_recorded: bool,
    context: &Context,
) -> Result<Option<String>, Failure> {
    let read = report.reading.as_ref();
    let Some((read, shortfall)) = read.zip(read.and_then(|read| read.shortfall.as_ref())) else {
        return Ok(None);
    };
    let waiting = match is_recorded {
        true => readings::waiting_sessions(&*scopes::open_catalog(context)?)?,
        false => 0,
    };
    let is_partial = read.reading.strength == ReadingStrength::Model;
    Ok(Some(readings::fallback(
        shortfall,
        is_partial,
        waiting,
        now_ms(),
    )))
}
