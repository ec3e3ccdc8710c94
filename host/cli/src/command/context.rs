//! `acreta context …`: where to look in a codebase, and what changed in it.

mod memory_hints;
mod text;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use acreta_context::{
    Context as Codebase, ContextOptions, Event, Following, Gain, Response, SensitivePatterns,
    Source,
};
use acreta_store::project_root_outside;
use camino::Utf8PathBuf;

use crate::args::{ContextCommand, ProjectArgument, WatchArguments};
use crate::clock::now_ms;
use crate::context::Context;
use crate::failure::CliError;
use crate::output::{json, line, raw, talk};
use crate::watch;
use memory_hints::FromMemory;

pub(crate) fn run(command: &ContextCommand, context: &Context) -> Result<(), CliError> {
    match command {
        ContextCommand::Explore(arguments) => {
            let asked = Asked::new(&arguments.project, context)?;
            let request = arguments.request();
            let hints = match &request.query {
                Some(query) => Some(FromMemory::about(query, &asked.project, context)?),
                None => None,
            };
            let hints = hints.as_ref().map(|hints| hints as _);
            print(
                &asked.codebase.explore(&asked.folder, &request, hints)?,
                context,
            );
        }
        ContextCommand::Delta(arguments) => {
            let asked = Asked::new(&arguments.project, context)?;
            print(
                &asked.codebase.delta(&asked.folder, &arguments.request())?,
                context,
            );
        }
        ContextCommand::Refresh(arguments) => {
            let asked = Asked::new(&arguments.project, context)?;
            print(
                &asked
                    .codebase
                    .refresh(&asked.folder, &arguments.request())?,
                context,
            );
        }
        ContextCommand::Watch(arguments) => follow(arguments, context)?,
        ContextCommand::Gain(project) => {
            let asked = Asked::new(project, context)?;
            print_gain(&asked.codebase.gain(&asked.folder)?, context);
        }
    }
    Ok(())
}

/// The folder a person means, the project whose memory and settings hold there, and who answers.
struct Asked {
    folder: Utf8PathBuf,
    project: Utf8PathBuf,
    codebase: Codebase,
}

impl Asked {
    fn new(argument: &ProjectArgument, context: &Context) -> Result<Self, CliError> {
        let Some(folder) = &argument.folder else {
            let config = &context.config;
            return Ok(Self {
                folder: context.project.clone(),
                project: context.project.clone(),
                codebase: codebase(config, context)?,
            });
        };
        let folder = folder
            .canonicalize_utf8()
            .unwrap_or_else(|_| folder.clone());
        let project = project_root_outside(&folder, context.home.folder()).path;
        let config = context.config_of(&project)?;
        Ok(Self {
            folder,
            project,
            codebase: codebase(&config, context)?,
        })
    }
}

fn codebase(config: &acreta_config::Config, context: &Context) -> Result<Codebase, CliError> {
    let now = || UNIX_EPOCH + Duration::from_millis(now_ms());
    let now: Arc<dyn Fn() -> SystemTime + Send + Sync> = Arc::new(now);
    let mut options = ContextOptions::new(context.home.cache().join("context"), now);
    options.sensitive = SensitivePatterns {
        allow: config.text_list("context.sensitive.allow"),
        deny: config.text_list("context.sensitive.deny"),
    };
    options.global_ignore = ignore::gitignore::gitconfig_excludes_path()
        .and_then(|file| Utf8PathBuf::from_path_buf(file).ok())
        .filter(|file| file.is_file());
    Ok(Codebase::open(options)?)
}

fn follow(arguments: &WatchArguments, context: &Context) -> Result<(), CliError> {
    let asked = Asked::new(&arguments.project, context)?;
    let following = Following {
        interval: Duration::from_secs(arguments.interval),
        detail: arguments.detail(),
    };
    watch::catch_interrupts();
    asked
        .codebase
        .watch(&asked.folder, following, &mut |event| {
            match event {
                Event::Started { files, source } => {
                    let how = match source {
                        Source::Events => "by file events",
                        Source::Polling => "by looking again and again",
                    };
                    talk(&format!("watching {files} files in {} {how}", asked.folder));
                }
                Event::Changed(response) => print(&response, context),
                Event::Idle => {}
            }
            if watch::is_interrupted() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })?;
    Ok(())
}

/// JSON is one line for each answer, as it goes over the wire and as budgets count it.
fn print(response: &Response, context: &Context) {
    if context.json {
        raw(&format!("{}\n", response.to_json()));
    } else {
        text::print(response);
    }
}

fn print_gain(gain: &Gain, context: &Context) {
    if context.json {
        return json(gain);
    }
    if gain.served == 0 {
        return talk("nothing was served about this project yet");
    }
    line(&format!(
        "answers       {} ({} hits)",
        gain.served, gain.hits
    ));
    line(&format!("served        {} tokens", gain.served_tokens));
    line(&format!(
        "stands for    {} tokens of files",
        gain.file_tokens
    ));
    line(&format!("saved         {:.1} %", gain.reduction * 100.0));
}
