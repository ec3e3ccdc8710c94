//! From settings to the options of runs and syncs.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use acreta_config::Config;
use acreta_lead::{GrantedModels, RunMode, RunOptions, Thresholds};
use acreta_redact::Redactor;
use acreta_sessions::{Places, Platform};
use acreta_store::{DraftLimits, Layout, Marker, project_root_outside};
use acreta_sync::{Excluded, Selection, SyncOptions, WithoutProject};

use crate::clock::{now_ms, seed};
use crate::models;
use crate::projects::{self, Registration};
use crate::{Context, Failure, Kind};

/// How long a run waits for another one in the same project.
const LOCK_WAIT: Duration = Duration::from_secs(5);

pub fn run_options(
    config: &Config,
    context: &Context,
    layout: Layout,
    repo_name: &str,
    mode: RunMode,
    redactor: Arc<Redactor>,
) -> Result<RunOptions, Failure> {
    let writer = config.text("plugins.writer");
    let limits = config.limits(
        writer,
        acreta_model::Limits::for_role(acreta_model::Role::MemoryWriter),
    );
    Ok(RunOptions {
        known: context.process.kept.snapshots.known(&layout),
        pending: Some(crate::pending::of(context, &layout)),
        layout,
        repo_name: repo_name.to_owned(),
        mode,
        agent: None,
        session: None,
        dry_run: false,
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
        models: models(config, context)?,
        without_model: None,
        times: acreta_lead::Times::Told,
        faults: acreta_fs::NoFaults::shared(),
    })
}

/// The models that plugins of a run may ask.
fn models(config: &Config, context: &Context) -> Result<Option<GrantedModels>, Failure> {
    match models::open(config, context)? {
        Some(llm) => models::granted(config, context, Arc::new(llm)).map(Some),
        None => Ok(None),
    }
}

pub fn sync_options(context: &Context, selection: Selection) -> Result<SyncOptions, Failure> {
    let config = &context.config;
    let Some(user) = context.home.user() else {
        let message = "the home folder is not known: no agent's sessions can be found";
        return Err(Failure::new(Kind::Failure, message).hint("set `HOME`"));
    };
    let root = project_root_outside(&context.project, context.home.folder());
    let mut is_project = root.marker != Marker::Nothing && root.path != user;
    if is_project && projects::registration(context, &root.path) == Registration::Shipped {
        projects::say_unregistered(context, &root.path);
        is_project = false;
    }
    Ok(SyncOptions {
        state_file: context.home.state_file(),
        archive: context.home.archive(),
        scratch: context.home.scratch(),
        own_folders: vec![
            context.home.folder().to_owned(),
            context.home.cache().to_owned(),
        ],
        excluded: Excluded::new(crate::connect::excluded(context)),
        global: context.home.folder().to_owned(),
        words: context.home.words(),
        places: Places::new(platform(), user.to_owned(), context.environment.clone()),
        redactor: Arc::new(redactor(config)?),
        current_project: is_project.then_some(root.path),
        selection,
        without_project: match config.text("sync.without_project") {
            "global" => WithoutProject::Global,
            _ => WithoutProject::Archive,
        },
        workers: usize::try_from(config.integer("sync.workers")).unwrap_or(1),
        catch_up: u64::try_from(config.integer("llm.catch_up")).unwrap_or(0),
        seed: seed(),
    })
}

/// Where a candidate of a root leads on this machine.
pub fn place_of(context: &Context, candidate: &str) -> Option<camino::Utf8PathBuf> {
    let user = context.home.user()?;
    let places = Places::new(platform(), user.to_owned(), context.environment.clone());
    acreta_sessions::expand(candidate, &places)
}

fn platform() -> Platform {
    if cfg!(windows) {
        Platform::Windows
    } else if cfg!(target_os = "macos") {
        Platform::MacOs
    } else {
        Platform::Linux
    }
}

pub fn redactor(config: &Config) -> Result<Redactor, Failure> {
    Redactor::new(&config.text_list("redact.allow")).map_err(|error| {
        Failure::new(
            Kind::Failure,
            format!("`redact.allow` is not usable: {error}"),
        )
    })
}
