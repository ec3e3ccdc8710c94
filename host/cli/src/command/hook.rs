//! `acreta hook session-start|session-end`: called by agents. Whatever goes wrong, the agent hears
//! nothing of it and the person finds it in a log.

mod form;
mod log;
mod start;
mod stop;

use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};

use acreta_service::Failure;
use serde::Deserialize;

use crate::args::{Arguments, HookArguments, HookCommand};
use crate::context::Context;
use form::Form;

pub(crate) use log::note_once;

/// What agents say about the session. None of them says all of it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Said {
    #[serde(alias = "sessionId", alias = "conversation_id")]
    pub(super) session_id: String,
    #[serde(alias = "transcriptPath")]
    pub(super) transcript_path: String,
    #[serde(alias = "workspace_root")]
    pub(super) cwd: String,
    /// Only Cursor says it.
    cursor_version: Option<String>,
}

/// Bytes that are read of it.
const SAID_BYTES: u64 = 1024 * 1024;

/// Never fails.
pub(crate) fn run(command: &HookCommand, arguments: &Arguments) {
    let done = catch_unwind(AssertUnwindSafe(|| answer(command, arguments)));
    let problem = match done {
        Ok(Ok(())) => return,
        Ok(Err(error)) => error.to_string(),
        Err(_) => "it panicked".to_owned(),
    };
    log::note(command, &problem);
}

fn answer(command: &HookCommand, arguments: &Arguments) -> Result<(), Failure> {
    let (HookCommand::SessionStart(own) | HookCommand::SessionEnd(own)) = command;
    if !own.rest.is_empty() {
        tracing::debug!(rest = ?own.rest, "arguments that mean nothing");
    }
    let said = said();
    let context = context(arguments, &said)?;
    match command {
        // Cursor also runs the hooks that it finds in Claude Code's settings.
        HookCommand::SessionStart(own)
            if said.cursor_version.is_some() && agent(own) != Some("cursor") =>
        {
            Ok(())
        }
        HookCommand::SessionStart(own) => {
            start::tell(&said, agent(own), Form::of(agent(own)), &context)
        }
        HookCommand::SessionEnd(own) => stop::put_down(&said, agent(own), &context),
    }
}

fn agent(arguments: &HookArguments) -> Option<&str> {
    arguments.agent.as_deref()
}

/// From the directory the agent works in.
fn context(arguments: &Arguments, said: &Said) -> Result<Context, Failure> {
    let directory = camino::Utf8Path::new(&said.cwd);
    if arguments.project.is_none() && directory.is_absolute() && directory.is_dir() {
        return Context::in_directory(arguments, directory);
    }
    Context::from_process(arguments)
}

fn said() -> Said {
    use std::io::IsTerminal;
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        return Said::default();
    }
    let mut text = String::new();
    // What is no JSON, and what is cut off, says nothing.
    let _ = stdin.lock().take(SAID_BYTES).read_to_string(&mut text);
    serde_json::from_str(&text).unwrap_or_default()
}
