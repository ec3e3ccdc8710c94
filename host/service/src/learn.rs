//! Learning from one session file that a person named: what `run FILE` does. The run is recorded in the catalog, so
//! that a sync does not repeat it.

use std::sync::Arc;

use acreta_catalog::{Discovery, Finding, Found, NewRun, RunEnd, SessionKey, TraceCursor};
use acreta_fs::Stamp;
pub use acreta_lead::{Action, GATES, Progress, RunReport, TodoState};
use acreta_lead::{Plugins, RunMode, RunOptions, Source};
use acreta_llm::Estimates;
pub use acreta_llm::Total;
use acreta_model::{Identity, ReadingStrength};
use acreta_store::Layout;
use camino::{Utf8Path, Utf8PathBuf};

use crate::clock::now_ms;
use crate::{Context, Failure, frozen, models, plugins, projects, readings, scopes, settings};

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

/// Takes a session file through the lead and records the run. `notice` hears of each plugin that has to be compiled
/// first.
pub fn learn(
    request: &Learn,
    context: &Context,
    progress: &dyn Progress,
    notice: &dyn Fn(&str),
) -> Result<Learnt, Failure> {
    let options = frozen::options(&request.trace, options(request, context)?, context)?;
    let report = read(&request.trace, &options, context, progress, notice)?;
    let is_recorded = !report.dry_run && request.memory_root.is_none() && !context.is_frozen();
    if is_recorded {
        // A run that cannot be recorded is still a good run: sync would repeat it, no more.
        if let Err(error) = record(&report, request, context) {
            tracing::warn!(%error, "the run is not in the catalog");
        }
    }
    Ok(Learnt {
        fallback: fallback(&report, is_recorded, context)?,
        report,
    })
}

/// Estimates what a run would ask of models, by a dry run with models that only count.
pub fn estimate(
    request: &Learn,
    context: &Context,
    progress: &dyn Progress,
    notice: &dyn Fn(&str),
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
        models: Some(models::granted(
            config,
            context,
            Arc::new(estimates.clone()),
        )?),
        ..options(&request, context)?
    };
    read(&request.trace, &options, context, progress, notice)?;
    Ok(estimates.total())
}

/// Runs the lead on a session file.
pub(crate) fn read(
    trace: &Utf8Path,
    options: &RunOptions,
    context: &Context,
    progress: &dyn Progress,
    notice: &dyn Fn(&str),
) -> Result<RunReport, Failure> {
    let sandbox = plugins::sandbox(context)?;
    let plugins = Plugins {
        adapters: plugins::adapters(context, &sandbox)?,
        ..plugins::chosen(context, &context.config, &sandbox, notice)?
    };
    let source = Source::File(trace.to_owned());
    Ok(acreta_lead::run(&source, &plugins, options, progress)?)
}

fn options(request: &Learn, context: &Context) -> Result<RunOptions, Failure> {
    let layout = layout(request, context)?;
    let name = context.project.file_name().unwrap_or("project");
    let mode = request.mode.run_mode();
    let redactor = Arc::new(settings::redactor(&context.config)?);
    Ok(RunOptions {
        agent: request.agent.clone(),
        session: request.session.clone(),
        dry_run: request.dry_run,
        ..settings::run_options(&context.config, context, layout, name, mode, redactor)?
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

/// Records the run in the catalog, so that a sync does not repeat it.
fn record(report: &RunReport, request: &Learn, context: &Context) -> Result<(), Failure> {
    let Some(taken) = &report.taken else {
        return Ok(());
    };
    let now = now_ms();
    let catalog = scopes::open_catalog(context)?;
    let key = SessionKey::new(&taken.session.agent, &taken.session.id);
    let discovery = Discovery {
        path: acreta_fs::canonical(&request.trace)?,
        // Not what discovery compares with: a sync that finds this file looks into it itself.
        stamp: Stamp::default(),
        finding: Finding::Sessions(vec![Found {
            session: taken.session.clone(),
            root: String::new(),
        }]),
    };
    catalog.record(&taken.adapter, &[discovery], now)?;
    // Registered before the run, or named for this process alone.
    let project = catalog.note_project(&context.project, &Identity::default(), now)?;
    catalog.assign(&[(key.clone(), Some(project.id))])?;
    let cursor = report.resume.as_ref().map(|at| TraceCursor {
        cursor: at.cursor.clone(),
        trace_bytes: at.mark.bytes,
        trace_events: at.mark.events,
    });
    if cursor.is_some() {
        catalog.set_cursor(&key, cursor.as_ref())?;
    }
    catalog.mark_ran(&key, &taken.session.revision, now)?;
    let earlier = catalog.reading(&key)?.and_then(|earlier| earlier.waits);
    let attempts = earlier.map_or(0, |wait| wait.attempts);
    let reading = acreta_sync::reading_of(report, &taken.session.revision, attempts, now);
    catalog.put_reading(&key, &reading, now)?;
    catalog.begin_run(
        &NewRun {
            run_id: report.run_id.clone(),
            mode: request.mode.run_mode().name().to_owned(),
            project_root: context.project.clone(),
            folder: report.run_folder.clone(),
            session: Some(key),
        },
        now,
    )?;
    let counts = serde_json::to_value(report.counts).unwrap_or_default();
    catalog.finish_run(&report.run_id, &RunEnd::Completed(counts), now)?;
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
