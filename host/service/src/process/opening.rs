//! Opens the context of a request, and migrates once what an earlier version left in the project.

use acreta_config::{Config, Home, TrustStore};
use acreta_plugin_registry::Grants;
use acreta_store::project_root_outside;
use camino::Utf8Path;

use crate::{Context, Failure, Process, process::upgrade};

impl Context {
    /// Opens the context for the project that a directory belongs to.
    pub fn open(process: &Process, directory: &Utf8Path) -> Result<Self, Failure> {
        let environment = process.environment.clone();
        let home = Home::new(&environment)?;
        for error in home.close_to_others(false).1 {
            tracing::warn!(%error, "others may read acreta's own files");
        }
        let project = project_root_outside(directory, home.folder()).path;
        let trust = TrustStore::load(&home.trust_file())?;
        let mut context = Self {
            process: process.clone(),
            config: Config::builtin(),
            warnings: Vec::new(),
            grants: Grants::load(&home.grants_file())?,
            environment,
            home,
            project,
            all_projects: false,
            trust,
        };
        (context.config, context.warnings) = context.load_config(&context.project)?;
        if let Err(error) = upgrade::take_over_confirmations(&context) {
            tracing::warn!(%error, "confirmations could not be migrated yet");
        }
        Ok(context)
    }
}
