//! What every command starts from: the environment, read once and here only, the project, and the
//! settings that follow from them.

use acreta_config::{Config, Environment, Home, Sources, TrustStore};
use acreta_plugins::Grants;
use acreta_store::project_root_outside;
use camino::{Utf8Path, Utf8PathBuf};

use crate::args::Arguments;
use crate::failure::{CliError, Kind};
use crate::output;

pub(crate) struct Context {
    pub(crate) environment: Environment,
    pub(crate) home: Home,
    pub(crate) project: Utf8PathBuf,
    pub(crate) config: Config,
    pub(crate) trust: TrustStore,
    pub(crate) grants: Grants,
    pub(crate) json: bool,
    /// Settings that the command line decides.
    flags: Vec<(String, String)>,
}

impl Context {
    pub(crate) fn from_process(arguments: &Arguments) -> Result<Self, CliError> {
        let start = match &arguments.project {
            Some(project) if project.is_dir() => project.clone(),
            Some(project) => {
                let message = format!("there is no directory `{project}`");
                return Err(
                    CliError::new(Kind::Usage, message).hint("`--project` takes a directory")
                );
            }
            None => current_directory()?,
        };
        Self::in_directory(arguments, &start)
    }

    /// For the project of a directory, whichever the current one is.
    pub(crate) fn in_directory(arguments: &Arguments, start: &Utf8Path) -> Result<Self, CliError> {
        let environment = environment();
        let home = Home::new(&environment)?;
        let project = project_root_outside(start, home.folder()).path;
        let trust = TrustStore::load(&home.trust_file())?;
        let mut context = Self {
            config: Config::builtin(),
            grants: Grants::load(&home.grants_file())?,
            environment,
            home,
            project,
            trust,
            json: arguments.wants_json(),
            flags: flags(arguments),
        };
        context.config = context.config_of(&context.project)?;
        Ok(context)
    }

    /// The settings that hold in a project.
    pub(crate) fn config_of(&self, project: &Utf8Path) -> Result<Config, CliError> {
        let sources = Sources {
            user_file: Some(self.home.config_file()),
            // In the home folder a project's config would be the user's own.
            project_file: Some(project_config(project))
                .filter(|file| *file != self.home.config_file()),
            project_trusted: self.trust.is_trusted(project),
            explicit_file: self.environment.get("ACRETA_CONFIG").map(Utf8PathBuf::from),
            environment: self.environment.clone(),
            flags: self.flags.clone(),
        };
        let (config, warnings) = Config::load(&sources)?;
        for warning in warnings {
            output::warn(&warning.to_string());
        }
        Ok(config)
    }
}

/// The variables of this process, those that are text.
pub(crate) fn environment() -> Environment {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

fn flags(arguments: &Arguments) -> Vec<(String, String)> {
    let no_models = ("llm.enabled".to_owned(), "false".to_owned());
    arguments.no_llm.then_some(no_models).into_iter().collect()
}

pub(crate) fn project_config(project: &Utf8Path) -> Utf8PathBuf {
    project.join(".acreta").join("config.toml")
}

fn current_directory() -> Result<Utf8PathBuf, CliError> {
    let directory = std::env::current_dir().map_err(|error| {
        CliError::new(
            Kind::Failure,
            format!("the current directory is gone: {error}"),
        )
    })?;
    Utf8PathBuf::from_path_buf(directory).map_err(|path| {
        CliError::new(
            Kind::Failure,
            format!(
                "the current directory `{}` is not valid UTF-8",
                path.display()
            ),
        )
    })
}
