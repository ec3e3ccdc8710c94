//! What every request starts from: the process it is made in, the project, and the settings that
//! follow from them.

use std::sync::Arc;

use acreta_config::{Config, Environment, Home, Sources, TrustStore, Warning};
use acreta_fs::{PROJECT_FOLDER, canonical};
use acreta_plugins::{Grants, Lock};
use acreta_store::Layout;
use camino::{Utf8Path, Utf8PathBuf};

use crate::{Failure, Kept, OnPreparing};

/// What holds as long as the process lives.
#[derive(Clone)]
pub struct Process {
    pub environment: Environment,
    /// Settings that the command line decides.
    pub flags: Vec<(String, String)>,
    /// Who is told what a person should know and what stops nothing.
    pub notice: Arc<dyn Fn(&str) + Send + Sync>,
    /// Notices include what is wrong with settings. Not for a command that lists it itself.
    pub warns_of_settings: bool,
    /// Hears of plugins that are compiled.
    pub preparing: OnPreparing,
    /// Plugins that are tried without being installed, by file.
    pub tried: Vec<Utf8PathBuf>,
    /// What a frozen run may take; nothing of the user's own counts in one.
    pub frozen: Option<Arc<Lock>>,
    /// The project counts as registered in this process, whatever the user registered.
    pub admits: bool,
    /// Asked again, it answers faster.
    pub kept: Kept,
}

/// A project, its settings, and the process.
pub struct Context {
    pub process: Process,
    pub environment: Environment,
    pub home: Home,
    pub project: Utf8PathBuf,
    pub config: Config,
    /// Settings that were passed over in this project.
    pub warnings: Vec<Warning>,
    pub trust: TrustStore,
    pub grants: Grants,
}

impl Context {
    /// Where memory of no project lies.
    pub fn global_layout(&self) -> Layout {
        Layout::for_scope(self.home.folder()).with_words_in(&self.home.words())
    }

    /// The settings that hold in a project.
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
            // In the home folder a project's config would be the user's own.
            project_file: Some(project_config(project)).filter(|_| !self.is_home(project)),
            // Whoever asks for a frozen run asks for the project's settings.
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

    /// Reports whether a project's folder would be acreta's own home, perhaps by a link.
    fn is_home(&self, project: &Utf8Path) -> bool {
        let folder = project.join(PROJECT_FOLDER);
        let same = |folder, home| {
            canonical(folder)
                .ok()
                .is_some_and(|it| canonical(home).is_ok_and(|home| it == home))
        };
        folder == self.home.folder() || same(&folder, self.home.folder())
    }

    /// Whether nothing counts but what was given and what was locked.
    pub fn is_frozen(&self) -> bool {
        self.process.frozen.is_some()
    }

    /// Tells what a person should know.
    pub fn warn(&self, text: &str) {
        (self.process.notice)(text);
    }
}

pub fn project_config(project: &Utf8Path) -> Utf8PathBuf {
    project.join(PROJECT_FOLDER).join("config.toml")
}
