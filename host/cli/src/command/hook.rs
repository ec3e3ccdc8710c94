//! `acreta hook`: called by agents, by git for a commit's message, and by acreta itself (`refresh`, `index-sessions`). An error is logged and
//! never reaches the caller. `prompt`, `failure` and `edit` have 200 ms by default; after that they print nothing.

mod form;
mod input;
mod log;
mod moment;
mod start;
mod stop;

use std::panic::{AssertUnwindSafe, catch_unwind};

use acreta_service::Failure;
use acreta_service::recall::{self, SessionKey, lifecycle};

use crate::CHILD;
use crate::args::{Arguments, HookArguments, HookCommand};
use crate::command::serve::program;
use crate::context::Context;
use crate::environment::environment;
use form::HookFormat;
use input::HookInput;

pub(crate) use log::note_once;

/// Never fails.
pub(crate) fn run(command: &HookCommand, arguments: &Arguments) {
    let done = match command {
        HookCommand::Prompt(_) | HookCommand::Failure(_) | HookCommand::Edit(_) => {
            moment::answer_in_time(command, arguments)
        }
        HookCommand::CommitMessage(own) => guarded(|| add_sessions_to_commit_message(own)),
        _ => guarded(|| answer(command, arguments)),
    };
    if let Err(problem) = done {
        log::note(command, &problem);
    }
}

/// Starts a sync in the background if one is due. What the person or the agent asked for does not fail because of it.
pub(crate) fn catch_up(context: &Context) {
    let is_child = std::env::var_os(CHILD).is_some_and(|value| value == "1");
    if is_child || context.is_frozen() {
        return;
    }
    if let Err(error) = program().and_then(|program| lifecycle::catch_up(&program, context)) {
        tracing::debug!(%error, "no sync was started");
    }
}

/// Returns the result, or an error message if the action fails or panics.
fn guarded<T>(action: impl FnOnce() -> Result<T, Failure>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(action)) {
        Ok(result) => result.map_err(|error| error.to_string()),
        Err(_) => Err("it panicked".to_owned()),
    }
}

fn answer(command: &HookCommand, arguments: &Arguments) -> Result<(), Failure> {
    let own = command.arguments();
    if !own.rest.is_empty() {
        tracing::debug!(rest = ?own.rest, "invalid arguments");
    }
    let said = HookInput::from_stdin();
    let context = context(arguments, &said)?;
    match command {
        HookCommand::SessionEnd(_) => stop::session_ended(&said, agent(own), &context),
        HookCommand::Compact(_) => lifecycle::compact(agent(own), &program()?, &context),
        HookCommand::Refresh(_) => recall::refresh(&context),
        HookCommand::IndexSessions(_) => {
            crate::priority::lower();
            acreta_service::sessions::index_all(&context)
        }
        _ if is_anothers(&said, own) => Ok(()),
        _ => {
            let form = HookFormat::of(agent(own));
            start::print_brief(&said, &session(&said, own), form, &context)?;
            catch_up(&context);
            Ok(())
        }
    }
}

/// Adds the ids of sessions as a trailer. Git calls with the file of the message, and where the message came from.
fn add_sessions_to_commit_message(own: &HookArguments) -> Result<(), Failure> {
    match own.rest.iter().find(|argument| *argument != "--") {
        Some(file) => acreta_service::sessions::name_sessions(file.as_str().into(), &environment()),
        None => Ok(()),
    }
}

/// Returns whether the call is meant for another agent: Cursor also runs the hooks it finds in Claude Code's settings.
fn is_anothers(said: &HookInput, own: &HookArguments) -> bool {
    said.is_cursor && agent(own) != Some("cursor")
}

fn agent(arguments: &HookArguments) -> Option<&str> {
    arguments.agent.as_deref()
}

fn session(said: &HookInput, own: &HookArguments) -> SessionKey {
    SessionKey::new(agent(own).unwrap_or_default(), said.session_id.as_str())
}

/// Opens the context of the directory that the agent works in.
fn context(arguments: &Arguments, said: &HookInput) -> Result<Context, Failure> {
    let directory = camino::Utf8Path::new(&said.cwd);
    if arguments.project.is_none() && directory.is_absolute() && directory.is_dir() {
        return Context::in_directory(arguments, directory);
    }
    Context::from_process(arguments)
}
