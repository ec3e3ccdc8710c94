//! Options of a run from settings, with the models that its plugins may ask.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use acreta_config::{Config, Value};
use acreta_pipeline::{GrantedModels, ModelShare, RunMode, RunOptions, Summaries, Thresholds};
use acreta_redact::Redactor;
use acreta_store::{DraftLimits, Layout};
use acreta_types::ModelSource;
use camino::Utf8Path;

use crate::process::clock::{now_ms, seed};
use crate::{Context, Failure, models::opened, plugins, remember::pending_quotes};

/// Timeout for another run in the same project.
const LOCK_WAIT: Duration = Duration::from_secs(5);

/// Returns the options of a run whose models are paid from the budget of the project at `project`.
pub(crate) fn run_options(
    config: &Config,
    context: &Context,
    project: &Utf8Path,
    layout: Layout,
    repo_name: &str,
    mode: RunMode,
    redactor: Arc<Redactor>,
) -> Result<RunOptions, Failure> {
    let writer = config.text("plugins.writer");
    let limits = config.limits(
        writer,
        acreta_types::Limits::for_role(acreta_types::Role::MemoryWriter),
    );
    Ok(RunOptions {
        known: context.process.kept.snapshots.known(&layout),
        pending: Some(pending_quotes::of(context, &layout)?),
        layout,
        repo_name: repo_name.to_owned(),
        mode,
        agent: None,
        session: None,
        dry_run: false,
        summaries: match config.get("memory.summaries") {
            Some(Value::Text(set)) if set == "shared" => Some(Summaries::Shared),
            Some(Value::Text(set)) if set == "local" => Some(Summaries::Local),
            Some(Value::Text(set)) if set == "off" => Some(Summaries::Off),
            _ => None,
        },
        thresholds: Thresholds {
            update_overlap: config.float("decide.update_overlap"),
            max_candidates: usize::try_from(config.integer("extract.max_candidates")).unwrap_or(0),
            min_confidence: config.float("extract.min_confidence") as f32,
        },
        redactor,
        scratch: context.home.scratch(),
        draft_limits: DraftLimits {
            files: limits.draft_files,
            bytes: limits.draft_bytes,
        },
        lock_wait: LOCK_WAIT,
        keep_runs: usize::try_from(config.integer("runs.keep")).unwrap_or(usize::MAX),
        shown_failures: BTreeSet::new(),
        now_ms: now_ms(),
        seed: seed(),
        models: models(config, context, project)?,
        without_model: None,
        times: acreta_pipeline::Times::Told,
        faults: acreta_fs::NoFaults::shared(),
    })
}

/// Returns the models that plugins of a run may ask.
fn models(
    config: &Config,
    context: &Context,
    project: &Utf8Path,
) -> Result<Option<GrantedModels>, Failure> {
    match opened::open(config, context, project)? {
        Some(llm) => granted(config, context, Arc::new(llm)).map(Some),
        None => Ok(None),
    }
}

/// Returns models for the plugins of a run: built-in ones may ask them, any other only as far as a person granted it.
pub(crate) fn granted(
    config: &Config,
    context: &Context,
    source: Arc<dyn ModelSource>,
) -> Result<GrantedModels, Failure> {
    let mut granted = BTreeMap::new();
    let explorers = plugins::explorers(context, config)?;
    for id in explorers
        .into_iter()
        .chain(plugins::extractors(context, config)?)
    {
        let source = plugins::find(context, &id)?;
        let share = match source.is_builtin() {
            true => Some(ModelShare::Whole),
            false => plugins::given(context, &source)?
                .llm
                .map(|budget| ModelShare::Part {
                    purposes: budget.purposes,
                    calls: budget.calls,
                    tokens: budget.tokens,
                }),
        };
        granted.extend(share.map(|share| (id, share)));
    }
    Ok(GrantedModels {
        source,
        plugins: granted,
    })
}
