//! The context of every request: the process, the project, and the resulting settings.

use std::sync::Arc;

use acreta_config::{Config, Environment, Home, TrustStore, Warning};
use acreta_plugin_registry::{Grants, Lock};
use acreta_sandbox::TrapLog;
use acreta_store::{Layout, project_root_outside};
use camino::{Utf8Path, Utf8PathBuf};

use crate::process::settings::{Settings, Started};
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

impl Process {
    fn settings_of(&self, project: &Utf8Path, home: &Home) -> Result<Settings, Failure> {
        let warn = |text: &str| {
            if self.warns_of_settings && self.kept.is_first_warning(text) {
                (self.notice)(text);
            }
        };
        let started = Started {
            environment: &self.environment,
            flags: &self.flags,
            is_frozen: self.frozen.is_some(),
            warn: &warn,
        };
        self.kept.settings.of(project, home, &started)
    }
}

impl Process {
    /// A process that tells nobody anything and has no settings of its own.
    pub fn silent(environment: Environment) -> Self {
        Self {
            environment,
            flags: Vec::new(),
            notice: Arc::new(|_| {}),
            warns_of_settings: false,
            preparing: Arc::new(|_| {}),
            tried: Vec::new(),
            frozen: None,
            admits: false,
            worker: None,
            compiler: None,
            traps: None,
            kept: ProcessCaches::default(),
        }
    }
}

/// A project, its settings, and the process.
pub struct Context {
    pub process: Process,
    pub environment: Environment,
    pub home: Home,
    pub project: Utf8PathBuf,
    /// Home, timeline, lists and review cover all registered projects, not only this one.
    pub all_projects: bool,
    pub config: Arc<Config>,
    /// Settings of this project that were ignored.
    pub warnings: Vec<Warning>,
    pub trust: TrustStore,
    pub grants: Grants,
}

impl Context {
    /// Opens the context for the project that a directory belongs to.
    pub fn open(process: &Process, directory: &Utf8Path) -> Result<Self, Failure> {
        let environment = process.environment.clone();
        let home = Home::new(&environment)?;
        for error in home.close_to_others(false).1 {
            tracing::warn!(%error, "others may read acreta's own files");
        }
        let project = project_root_outside(directory, home.folder()).path;
        let settings = process.settings_of(&project, &home)?;
        Ok(Self {
            process: process.clone(),
            config: settings.config,
            warnings: settings.warnings,
            trust: settings.trust,
            grants: settings.grants,
            environment,
            home,
            project,
            all_projects: false,
        })
    }

    /// Returns the layout of the global memory.
    pub fn global_layout(&self) -> Layout {
        Layout::for_scope(self.home.folder()).with_words_in(&self.home.words())
    }

    /// Returns the effective settings of a project.
    pub fn config_of(&self, project: &Utf8Path) -> Result<Arc<Config>, Failure> {
        Ok(self.process.settings_of(project, &self.home)?.config)
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
