//! Options of syncs from settings.

use std::sync::Arc;

use acreta_config::Config;
use acreta_redact::Redactor;
use acreta_session_archive::{Places, Platform};
use acreta_store::{Marker, project_root_outside};
use acreta_sync::{Excluded, Selection, SyncOptions, WithoutProject};
use camino::{Utf8Path, Utf8PathBuf};

use crate::process::clock::seed;
use crate::{Context, Failure, Kind, process::archive, process::state, projects::registry};

pub fn sync_options(context: &Context, selection: Selection) -> Result<SyncOptions, Failure> {
    let config = &context.config;
    let Some(user) = context.home.user() else {
        let message = "the home folder is unknown, so no agent's sessions can be found";
        return Err(Failure::new(Kind::Failure, message).hint("set `HOME`"));
    };
    let root = project_root_outside(&context.project, context.home.folder());
    let mut is_project = root.marker != Marker::Nothing && root.path != user;
    if is_project && let Some(why) = registry::registration(context, &root.path).refusal(&root.path)
    {
        registry::say_unregistered(context, &root.path, &why);
        is_project = false;
    }
    Ok(SyncOptions {
        state: state::location(context)?,
        archive: context.home.archive(),
        shared_archive: archive::shared(context)?,
        scratch: context.home.scratch(),
        own_folders: vec![
            context.home.folder().to_owned(),
            context.home.cache().to_owned(),
        ],
        excluded: Excluded::new(excluded(context)),
        global: context.home.folder().to_owned(),
        words: context.home.words(),
        places: Places::new(platform(), user.to_owned(), context.environment.clone()),
        homes: folders("sync.homes", context),
        redactor: Arc::new(redactor(config)?),
        current_project: is_project.then_some(root.path),
        selection,
        without_project: match config.text("sync.without_project") {
            "global" => WithoutProject::Global,
            _ => WithoutProject::Archive,
        },
        learns_here: config.text("team.learn") != "workers",
        workers: usize::try_from(config.integer("sync.workers")).unwrap_or(1),
        catch_up: u64::try_from(config.integer("llm.catch_up")).unwrap_or(0),
        seed: seed(),
    })
}

/// Returns the path of a root's candidate on this machine.
pub fn place_of(context: &Context, candidate: &str) -> Option<Utf8PathBuf> {
    let user = context.home.user()?;
    let places = Places::new(platform(), user.to_owned(), context.environment.clone());
    acreta_session_archive::expand(candidate, &places)
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
            format!("invalid setting `redact.allow`: {error}"),
        )
    })
}

/// The setting with the excluded folders.
pub(crate) const EXCLUDE: &str = "sync.exclude";

/// Returns the folders whose sessions are not read.
pub fn excluded(context: &Context) -> Vec<Utf8PathBuf> {
    folders(EXCLUDE, context)
}

/// Returns the folders that a setting names.
fn folders(setting: &str, context: &Context) -> Vec<Utf8PathBuf> {
    let named = context.config.text_list(setting).into_iter();
    named.map(|folder| context.home.expand(&folder)).collect()
}

/// Returns whether a file is in a home of another machine.
pub(crate) fn is_elsewhere(file: &Utf8Path, context: &Context) -> bool {
    let mut homes = folders("sync.homes", context).into_iter();
    homes.any(|home| {
        let real = acreta_fs::canonical(&home);
        file.starts_with(&home) || real.is_ok_and(|real| file.starts_with(real))
    })
}
