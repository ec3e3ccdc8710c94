//! The context of every command: project, settings and output format.

use std::ops::Deref;
use std::sync::Arc;

use acreta_service::{Failure, Kind, Process, ProcessCaches, learn::frozen};
use camino::{Utf8Path, Utf8PathBuf};

use crate::args::{Arguments, Command};
use crate::command::hook::note_once;
use crate::environment::environment;
use crate::{output, progress};

/// A project and its settings, and whether the command prints JSON.
pub(crate) struct Context {
    service: acreta_service::Context,
    pub(crate) json: bool,
}

impl Context {
    pub(crate) fn from_process(arguments: &Arguments) -> Result<Self, Failure> {
        let start = match &arguments.project {
            Some(project) if project.is_dir() => project.clone(),
            Some(project) => {
                let message = format!("no such directory: `{project}`");
                return Err(
                    Failure::new(Kind::Usage, message).hint("`--project` takes a directory")
                );
            }
            None => current_directory()?,
        };
        Self::in_directory(arguments, &start)
    }

    /// Opens the context for the project of a directory, regardless of the current one.
    pub(crate) fn in_directory(arguments: &Arguments, start: &Utf8Path) -> Result<Self, Failure> {
        Ok(Self {
            service: acreta_service::Context::open(&process(arguments, start)?, start)?,
            json: arguments.wants_json(),
        })
    }
}

impl Deref for Context {
    type Target = acreta_service::Context;

    fn deref(&self) -> &Self::Target {
        &self.service
    }
}

fn process(arguments: &Arguments, start: &Utf8Path) -> Result<Process, Failure> {
    let mut environment = environment();
    if let Some(folder) = &arguments.cache_dir {
        let folder = Utf8PathBuf::from_path_buf(std::path::absolute(folder).unwrap_or_default());
        environment.insert(
            "ACRETA_CACHE_DIR".to_owned(),
            folder.unwrap_or_default().into_string(),
        );
    }
    let is_frozen = arguments.command.is_frozen();
    let frozen = match is_frozen {
        true => Some(Arc::new(frozen::surroundings(&mut environment, start)?)),
        false => None,
    };
    let no_models = ("llm.enabled".to_owned(), "false".to_owned());
    let without_models = arguments.no_llm || is_frozen;
    let own_program = std::env::current_exe().ok();
    let own_program = own_program.and_then(|path| Utf8PathBuf::from_path_buf(path).ok());
    Ok(Process {
        flags: without_models.then_some(no_models).into_iter().collect(),
        notice: match &arguments.command {
            Command::Hook(_) => Arc::new(|text| note_once("hook", text)),
            Command::Mcp => Arc::new(|text| {
                output::warn(text);
                note_once("mcp", text);
            }),
            _ => Arc::new(output::warn),
        },
        warns_of_settings: !matches!(arguments.command, Command::Doctor),
        preparing: match &arguments.command {
            // An agent may show its person what a hook or a server says.
            Command::Hook(_) | Command::Mcp => Arc::new(|_| {}),
            _ => Arc::new(progress::preparing),
        },
        tried: arguments.tried.clone(),
        frozen,
        admits: arguments.admits(),
        compiler: own_program,
        kept: match &arguments.command {
            Command::Hook(hook) if hook.is_waited_for() => ProcessCaches::hurried(),
            _ => ProcessCaches::default(),
        },
        ..Process::silent(environment)
    })
}

/// Advice about a path that is not valid UTF-8.
pub(crate) const NOT_UTF8: &str = "acreta stores paths as UTF-8: rename the file or folder";

pub(crate) fn current_directory() -> Result<Utf8PathBuf, Failure> {
    let directory = std::env::current_dir().map_err(|error| {
        Failure::new(
            Kind::Failure,
            format!("the current directory cannot be read: {error}"),
        )
        .hint("it may have been deleted: change to another folder")
    })?;
    Utf8PathBuf::from_path_buf(directory).map_err(|path| {
        Failure::new(
            Kind::Failure,
            format!(
                "the current directory `{}` is not valid UTF-8",
                path.display()
            ),
        )
        .hint(NOT_UTF8)
    })
}
