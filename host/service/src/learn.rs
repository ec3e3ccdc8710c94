//! Learning from one session file that a person named: what `run FILE` does. The run is recorded in the catalog, so
//! that a sync does not repeat it.

use std::cell::RefCell;
use std::sync::Arc;

use acreta_catalog::{NewRun, RunEnd};
pub use acreta_lead::{Action, GATES, Progress, RunReport, SessionReport, TodoState};
use acreta_lead::{Plugins, RunMode, RunOptions, Source};
use acreta_llm::Estimates;
pub use acreta_llm::Total;
use acreta_model::{Identity, ReadingStrength};
use acreta_store::Layout;
use camino::{Utf8Path, Utf8PathBuf};

use crate::clock::now_ms;
use crate::{
    Context, Failure, Kind, deferred, frozen, models, plugins, projects, readings, repository,
    run_options, scopes, settings,
};

/// A session file to learn from.
#[derive(Debug, Clone, Default)]
pub struct Learn {
    pub trace: Utf8PathBuf,
    pub mode: LearnMode,
    /// The only agent whose adapter may read it.
    pub agent: Option<String>,
    /// The session to take of a file that holds several.
    pub session: Option<String>,
    /// Reports what would change, and changes nothing.
    pub dry_run: bool,
    /// Memory goes to this folder instead of the project's; such a run is not recorded.
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

/// The outcome of a run.
#[derive(Debug)]
pub struct Learnt {
    pub report: RunReport,
    /// Why a model was to read the session and did not, as one sentence.
    pub fallback: Option<String>,
}

/// Takes a session file through the lead and records the run.
pub fn learn(
    request: &Learn,
    context: &Context,
    progress: &dyn Progress,
) -> Result<Learnt, Failure> {
    let options = frozen::options(&request.trace, options(request, context)?, context)?;
    let begun = Begun {
        progress,
        run: RefCell::default(),
    };
    let began_ms = now_ms();
    let result = read(&request.trace, &options, context, &begun);
    let is_recorded = !request.dry_run && request.memory_root.is_none() && !context.is_frozen();
    if is_recorded && let Some(run) = begun.run.take() {
        // A run that cannot be recorded is still a good run: sync would repeat it, no more.
        if let Err(error) = record(&result, run, began_ms, request, context) {
            tracing::warn!(%error, "the run is not in the catalog");
        }
    }
    let report = result?;
    Ok(Learnt {
        fallback: fallback(&report, is_recorded, context)?,
        report,
    })
}

/// The runs of every session in a file.
#[derive(Debug)]
pub struct LearntAll {
    /// The oldest session first.
    pub learnt: Vec<Learnt>,
    /// Sessions that were not learnt from, and why.
    pub failed: Vec<(String, Failure)>,
}

/// Learns from every session in a file, the oldest first, so that what was said later counts. A session that fails costs
/// itself; a project that another run holds ends it.
pub fn learn_all(
    request: &Learn,
    context: &Context,
    progress: &dyn Progress,
) -> Result<LearntAll, Failure> {
    let sandbox = plugins::sandbox(context)?;
    let sessions = acreta_lead::sessions_in(
        &request.trace,
        &deferred::adapters(&request.trace, context, &sandbox)?,
        request.agent.as_deref(),
        &context.home.scratch(),
        now_ms(),
    )?;
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

/// Estimates what a run would ask of models, by a dry run with models that only count.
pub fn estimate(
    request: &Learn,
    context: &Context,
    progress: &dyn Progress,
) -> Result<Total, Failure> {
    let config = &context.config;
    let Some(estimates) = models::open(config, context)?.map(Estimates::new) else {
        return Ok(Total::default());
    };
    let request = Learn {
        dry_run: true,
        ..request.clone()
    };
    let options = RunOptions {
        models: Some(run_options::granted(
            config,
            context,
            Arc::new(estimates.clone()),
        )?),
        ..options(&request, context)?
    };
    read(&request.trace, &options, context, progress)?;
    Ok(estimates.total())
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
        adapters: deferred::adapters(trace, context, &sandbox)?,
        ..plugins::chosen(context, &context.config, &sandbox)?
    };
    let source = Source::File(trace.to_owned());
    Ok(acreta_lead::run(&source, &plugins, options, progress)?)
}

fn options(request: &Learn, context: &Context) -> Result<RunOptions, Failure> {
    let layout = layout(request, context)?;
    let name = &repository::name(&context.project);
    let mode = request.mode.run_mode();
    let redactor = Arc::new(settings::redactor(&context.config)?);
    Ok(RunOptions {
        agent: request.agent.clone(),
        session: request.session.clone(),
        dry_run: request.dry_run,
        ..run_options::run_options(&context.config, context, layout, name, mode, redactor)?
    })
}

/// Where the run writes. Memory that came with a project nobody registered is left alone.
fn layout(request: &Learn, context: &Context) -> Result<Layout, Failure> {
    let layout = Layout::new(
        request.memory_root.as_deref(),
        request.workspace_root.as_deref(),
        &context.project,
    )
    .with_words_in(&context.home.words());
    if request.memory_root.is_none() && !request.dry_run {
        projects::register_for_writing(context, &layout)?;
    }
    match request.memory_root.is_none() && context.layout(&context.project).is_closed() {
        true => Ok(layout.closed()),
        false => Ok(layout),
    }
}

/// Passes on what a run says of itself, and remembers which run it is: one that fails leaves no report.
struct Begun<'a> {
    progress: &'a dyn Progress,
    /// Id and folder, once there is one.
    run: RefCell<Option<(String, Utf8PathBuf)>>,
}

impl Progress for Begun<'_> {
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

/// Records the run in the catalog, so that a sync does not repeat it, and a failed one can be found.
fn record(
    result: &Result<RunReport, Failure>,
    (run_id, folder): (String, Utf8PathBuf),
    began_ms: u64,
    request: &Learn,
    context: &Context,
) -> Result<(), Failure> {
    let now = now_ms();
    let catalog = scopes::open_catalog(context)?;
    // Registered before the run, or named for this process alone.
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
            let redactor = settings::redactor(&context.config)?;
            RunEnd::Failed(redactor.redact(&failure.to_string()).text.into_owned())
        }
    };
    catalog.finish_run(&run_id, &end, now)?;
    Ok(())
}

/// The last line of the command, where a model was to read the session and did not.
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
