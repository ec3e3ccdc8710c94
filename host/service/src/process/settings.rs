//! Effective settings, trusted projects and grants. A process that answers many requests parses the files again only when
//! one of them changed; a change applies to the next request.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use acreta_config::{Config, Environment, Home, Sources, TrustStore, Warning};
use acreta_fs::{PROJECT_FOLDER, canonical};
use acreta_plugin_registry::Grants;
use acreta_types::locked;
use camino::{Utf8Path, Utf8PathBuf};

use crate::Failure;
use crate::process::stamps::{self, TakenStamps};

/// What the files of the user and of one project say.
#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) config: Arc<Config>,
    /// Settings that were ignored.
    pub(crate) warnings: Vec<Warning>,
    pub(crate) trust: TrustStore,
    pub(crate) grants: Grants,
}

/// The part of a process's start that settings depend on.
pub(crate) struct Started<'a> {
    pub(crate) environment: &'a Environment,
    /// Settings from the command line.
    pub(crate) flags: &'a [(String, String)],
    pub(crate) is_frozen: bool,
    /// Receives each warning of settings that are read.
    pub(crate) warn: &'a dyn Fn(&str),
}

/// Settings as last read, by project.
#[derive(Clone, Default)]
pub(crate) struct KnownSettings(Arc<Mutex<HashMap<Utf8PathBuf, ReadSettings>>>);

struct ReadSettings {
    stamps: TakenStamps,
    flags: Vec<(String, String)>,
    settings: Settings,
}

impl KnownSettings {
    /// Returns the settings of a project, whose path is canonical.
    pub(crate) fn of(
        &self,
        project: &Utf8Path,
        home: &Home,
        started: &Started<'_>,
    ) -> Result<Settings, Failure> {
        let explicit = started.environment.get("ACRETA_CONFIG");
        let explicit = explicit.map(Utf8PathBuf::from);
        let files = [
            home.config_file(),
            home.trust_file(),
            home.grants_file(),
            project_config(project),
        ];
        let files = || stamps::of_files(files.iter().chain(&explicit).map(Utf8PathBuf::as_path));
        let mut known = locked(&self.0);
        if let Some(read) = known.get(project)
            && read.flags == started.flags
            && read.stamps.are_current(&files())
        {
            return Ok(read.settings.clone());
        }
        let stamps = TakenStamps::take(files);
        let settings = read(project, home, explicit.clone(), started)?;
        let read = ReadSettings {
            stamps,
            flags: started.flags.to_vec(),
            settings: settings.clone(),
        };
        known.insert(project.to_owned(), read);
        Ok(settings)
    }
}

fn read(
    project: &Utf8Path,
    home: &Home,
    explicit_file: Option<Utf8PathBuf>,
    started: &Started<'_>,
) -> Result<Settings, Failure> {
    let trust = TrustStore::load(&home.trust_file())?;
    let sources = Sources {
        user_file: Some(home.config_file()).filter(|_| !started.is_frozen),
        // In the home folder, a project's config would be the user's own.
        project_file: Some(project_config(project)).filter(|_| !is_home(project, home)),
        // A frozen run implies the project's settings.
        project_trusted: started.is_frozen || trust.is_trusted(project),
        explicit_file,
        environment: started.environment.clone(),
        flags: started.flags.to_vec(),
    };
    let (config, warnings) = Config::load(&sources)?;
    for warning in &warnings {
        (started.warn)(&warning.to_string());
    }
    Ok(Settings {
        config: Arc::new(config),
        warnings,
        grants: Grants::load(&home.grants_file())?,
        trust,
    })
}

/// Returns whether a project's folder is acreta's own home, perhaps through a link.
fn is_home(project: &Utf8Path, home: &Home) -> bool {
    let folder = project.join(PROJECT_FOLDER);
    let same = |folder, home| {
        canonical(folder)
            .ok()
            .is_some_and(|it| canonical(home).is_ok_and(|home| it == home))
    };
    folder == home.folder() || same(&folder, home.folder())
}

pub(crate) fn project_config(project: &Utf8Path) -> Utf8PathBuf {
    project.join(PROJECT_FOLDER).join("config.toml")
}
