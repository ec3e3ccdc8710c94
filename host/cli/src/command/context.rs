//! `acreta context …`: where to look in a codebase, and what changed in it.

mod figures;
mod text;

use std::ops::ControlFlow;
use std::time::Duration;

use acreta_service::codebase::{CodebaseQuery, Event, Following, Gain, Response, Source};
use acreta_service::{Failure, codebase::pilot};

use crate::args::{ContextCommand, ProjectArgument, WatchArguments};
use crate::context::Context;
use crate::output::{json, json_text, talk};
use crate::watch;

pub(crate) fn run(command: &ContextCommand, context: &Context) -> Result<(), Failure> {
    match command {
        ContextCommand::Explore(arguments) => {
            let asked = asked(&arguments.project, context)?;
            print(&asked.explore(&arguments.request(), context)?, context);
        }
        ContextCommand::Delta(arguments) => {
            let asked = asked(&arguments.project, context)?;
            print(&asked.delta(&arguments.request())?, context);
        }
        ContextCommand::Refresh(arguments) => {
            let asked = asked(&arguments.project, context)?;
            print(&asked.refresh(&arguments.request())?, context);
        }
        ContextCommand::Watch(arguments) => follow(arguments, context)?,
        ContextCommand::Gain(project) => {
            let asked = asked(project, context)?;
            print_gain(&asked.codebase.gain(&asked.folder)?, context);
        }
        ContextCommand::Pilot(arguments) => {
            let folder = arguments.project.folder.as_deref();
            let report = pilot::run(folder, arguments.questions, context)?;
            match context.json {
                true => json(&report),
                false => figures::print_pilot(&report),
            }
        }
    }
    Ok(())
}

fn asked(argument: &ProjectArgument, context: &Context) -> Result<CodebaseQuery, Failure> {
    CodebaseQuery::new(argument.folder.as_deref(), context)
}

fn follow(arguments: &WatchArguments, context: &Context) -> Result<(), Failure> {
    let asked = asked(&arguments.project, context)?;
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
                        Source::Polling => "by repeated scans",
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

/// Prints JSON as one line per answer, as it is sent and as budgets count it.
fn print(response: &Response, context: &Context) {
    if context.json {
        json_text(&response.to_json());
    } else {
        text::print(response);
    }
}

fn print_gain(gain: &Gain, context: &Context) {
    if context.json {
        return json(gain);
    }
    if gain.served == 0 {
        return talk("no answers about this project yet");
    }
    figures::print_gain(gain);
}
