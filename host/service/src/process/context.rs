//! The context of every request: the process, the project, and the resulting settings.

use std::sync::Arc;

use acreta_config::{Config, Environment, Home, Sources, TrustStore, Warning};
use acreta_fs::{PROJECT_FOLDER, canonical};
use acreta_plugin_registry::{Grants, Lock};
use acreta_sandbox::TrapLog;
use acreta_store::Layout;
use camino::{Utf8Path, Utf8PathBuf};

use crate::{Failure, OnPreparing, ProcessCaches};

/// State with the lifetime of the process.
#[derive(Clone)]
pub struct Process {
    pub environment: Environment,
    /// Settings from the command line.
    pub flags: Vec<(String, String)>,
    /// Receives notices for a person that stop nothing.
    pub notice: Arc<dyn Fn(&str) + Send + Sync>,
    /// Notices include problems of settings. Off for a command that lists them itself.
    pub warns_of_settings: bool,
    /// Called while plugins are compiled.
    pub preparing: OnPreparing,
    /// Files of plugins that are tried without being installed.
    pub tried: Vec<Utf8PathBuf>,
    /// The lock of a frozen run, in which nothing of the user's own counts.
    pub frozen: Option<Arc<Lock>>,
    /// The project counts as registered in this process, even if the user has not registered it.
    pub admits: bool,
    /// Number of this process among the workers of its machine; a worker is a machine of its own in a shared state.
    pub worker: Option<u32>,
    /// The program that compiles plugins of strangers within limits; without one this process does it itself.
    pub compiler: Option<Utf8PathBuf>,
    /// Receives traps of plugins with their source lines, for an author.
    pub traps: Option<TrapLog>,
    /// Caches that make later requests faster.
    pub kept: ProcessCaches,
}

/// A project, its settings, and the process.
pub struct Context {
    pub process: Process,
    pub environment: Environment,
    pub home: Home,
    pub project: Utf8PathBuf,
    /// Home, timeline, lists and review cover all registered projects, not only this one.
    pub all_projects: bool,
    pub config: Config,
    /// Settings of this project that were ignored.
    pub warnings: Vec<Warning>,
    pub trust: TrustStore,
    pub grants: Grants,
}

impl Context {
    /// Returns the layout of the global memory.
    pub fn global_layout(&self) -> Layout {
        Layout::for_scope(self.home.folder()).with_words_in(&self.home.words())
    }

    /// Returns the effective settings of a project.
    pub fn config_of(&self, project: &Utf8Path) -> Result<Config, Failure> {
        Ok(self.load_config(project)?.0)
    }

    pub(crate) fn load_config(
        &self,
        project: &Utf8Path,
    ) -> Result<(Config, Vec<Warning>), Failure> {
        let is_frozen = self.is_frozen();
        let sources = Sources {
            user_file: Some(self.home.config_file()).filter(|_| !is_frozen),
            // In the home folder, a project's config would be the user's own.
            project_file: Some(project_config(project)).filter(|_| !self.is_home(project)),
            // A frozen run implies the project's settings.
            project_trusted: is_frozen || self.trust.is_trusted(project),
            explicit_file: self.environment.get("ACRETA_CONFIG").map(Utf8PathBuf::from),
            environment: self.environment.clone(),
            flags: self.process.flags.clone(),
        };
        let (config, warnings) = Config::load(&sources)?;
        for warning in &warnings {
            let text = warning.to_string();
            let is_told = self.process.warns_of_settings;
            if is_told && self.process.kept.is_first_warning(&text) {
                self.warn(&text);
            }
        }
        Ok((config, warnings))
    }

    /// Returns whether a project's folder is acreta's own home, perhaps through a link.
    fn is_home(&self, project: &Utf8Path) -> bool {
        let folder = project.join(PROJECT_FOLDER);
        let same = |folder, home| {
            canonical(folder)
                .ok()
                .is_some_and(|it| canonical(home).is_ok_and(|home| it == home))
        };
        folder == self.home.folder() || same(&folder, self.home.folder())
    }

    /// Returns whether only the given input and the lock count.
    pub fn is_frozen(&self) -> bool {
        self.process.frozen.is_some()
    }

    /// Sends a notice to the person.
    pub fn warn(&self, text: &str) {
        (self.process.notice)(text);
    }

    /// Sends a notice to the person, the first time in this process.
    pub(crate) fn warn_once(&self, text: &str) {
        if self.process.kept.is_first_warning(text) {
            self.warn(text);
        }
    }
}

pub fn project_config(project: &Utf8Path) -> Utf8PathBuf {
    project.join(PROJECT_FOLDER).join("config.toml")
}
