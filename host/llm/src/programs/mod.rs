//! The user's own agent program as a model: a prompt on its stdin, one answer back. The program keeps its login to
//! itself; tools, hooks, MCP servers and context files are off, and no session stays behind. One file per program knows
//! its command line and parses its output.

mod claude;
mod codex;
mod copilot;
mod environment;
mod gemini;
mod limits;
mod opencode;
mod outcome;
mod prompt;
mod workplace;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use acreta_types::with_causes;
use camino::Utf8Path;

use crate::exchange::{Exchange, FailedCall, ModelAnswer};
use crate::process::{self, Invocation, Unfinished};
use crate::scrub::Scrubber;
use crate::settings::AgentSettings;
use crate::{Clock, Code, LlmError, OWN_DEFAULT, Program};

pub(crate) use environment::{found_on_path, passed_on};
use outcome::{ProgramOutcome, classify};
use workplace::Workplace;

/// One request to one program, and its resources.
pub(crate) struct ProgramCall<'a> {
    pub(crate) settings: &'a AgentSettings,
    pub(crate) exchange: &'a Exchange<'a>,
    /// The user's environment variables.
    pub(crate) environment: &'a BTreeMap<String, String>,
    /// Folder in which programs run, with one subfolder each.
    pub(crate) folder: &'a Utf8Path,
    pub(crate) timeout: Duration,
    pub(crate) scrubber: &'a Scrubber,
    pub(crate) clock: &'a dyn Clock,
    pub(crate) is_cancelled: &'a dyn Fn() -> bool,
}

impl ProgramCall<'_> {
    /// Returns the model to ask for, or `None` if the program chooses.
    fn model(&self) -> Option<&str> {
        let model = self.exchange.model;
        (!model.is_empty() && model != OWN_DEFAULT).then_some(model)
    }

    fn user_folder(&self) -> Option<&Utf8Path> {
        let variable = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
        let home = self.environment.get(variable).map(Utf8Path::new)?;
        home.is_absolute().then_some(home)
    }
}

/// Command line of a program for one call.
#[derive(Default)]
struct CommandLine {
    arguments: Vec<String>,
    environment: BTreeMap<String, String>,
    stdin: String,
}

impl CommandLine {
    fn arguments<'a>(&mut self, words: impl IntoIterator<Item = &'a str>) {
        self.arguments
            .extend(words.into_iter().map(ToOwned::to_owned));
    }

    fn set(&mut self, variable: &str, value: impl Into<String>) {
        self.environment.insert(variable.to_owned(), value.into());
    }
}

/// Checks that the program is installed: nothing is reserved for one that is not.
pub(crate) fn check(
    settings: &AgentSettings,
    environment: &BTreeMap<String, String>,
) -> Result<(), LlmError> {
    let command = settings.command();
    let is_path = command.contains(['/', '\\']);
    if is_path || found_on_path(command, environment).is_some() {
        return Ok(());
    }
    Err(not_installed(settings))
}

/// Makes one call.
pub(crate) fn ask(call: &ProgramCall<'_>) -> Result<ModelAnswer, FailedCall> {
    let program = call.settings.program;
    let unprepared = |cause: LlmError| FailedCall::for_good(cause);
    let mut workplace = Workplace::open(call).map_err(unprepared)?;
    let mut line = CommandLine {
        environment: passed_on(program, call.environment, call.settings.key_env.as_deref()),
        ..CommandLine::default()
    };
    let prepared = match program {
        Program::Claude => claude::prepare(call, &workplace, &mut line),
        Program::Codex => codex::prepare(call, &mut workplace, &mut line),
        Program::OpenCode => opencode::prepare(call, &workplace, &mut line),
        Program::Copilot => copilot::prepare(call, &workplace, &mut line),
        Program::Gemini => gemini::prepare(call, &mut workplace, &mut line),
    };
    prepared.map_err(unprepared)?;
    let command = call.settings.command();
    let invocation = Invocation {
        program: command,
        arguments: line.arguments,
        environment: line.environment,
        folder: workplace.empty_folder(),
        stdin: line.stdin,
        timeout: call.timeout,
        contained: true,
        // Several programs repeat a call that was refused for a limit, for minutes, and say so meanwhile.
        gives_up: Some(Arc::new(move |stdout, stderr| {
            let said = complaints(program, stdout, stderr);
            matches!(classify(&said, None), ProgramOutcome::Limited(_))
        })),
    };
    let completed = process::run(invocation, call.is_cancelled);
    let outcome = match completed {
        Ok(completed) => match program {
            Program::Claude => claude::read(call, &completed),
            Program::Codex => codex::read(call, &completed),
            Program::OpenCode => opencode::read(&completed),
            Program::Copilot => copilot::read(&completed),
            Program::Gemini => gemini::read(&completed),
        },
        Err(Unfinished::Late { stdout, stderr }) => {
            match classify(&complaints(program, &stdout, &stderr), None) {
                refused @ (ProgramOutcome::Limited(_) | ProgramOutcome::LoggedOut(_)) => refused,
                _ => ProgramOutcome::Unfinished(Unfinished::Late { stdout, stderr }),
            }
        }
        Err(Unfinished::NotStarted(cause)) if cause.kind() == std::io::ErrorKind::NotFound => {
            return Err(FailedCall::for_good(not_installed(call.settings)));
        }
        Err(end) => ProgramOutcome::Unfinished(end),
    };
    if let Err(cause) = workplace.close() {
        tracing::warn!(
            program = program.name(),
            cause = with_causes(&cause),
            "files of a call could not be removed"
        );
    }
    outcome.judge(call)
}

/// Returns what a program says about failed attempts. Its answers are left out: they may quote the session.
fn complaints(program: Program, stdout: &str, stderr: &str) -> String {
    match program {
        Program::Codex => codex::complaints(stdout) + stderr,
        Program::Copilot => copilot::complaints(stdout) + stderr,
        Program::Gemini => gemini::complaints(stderr),
        Program::Claude | Program::OpenCode => stderr.to_owned(),
    }
}

fn logged_out(settings: &AgentSettings) -> LlmError {
    let message = format!("`{}` is not logged in", settings.command());
    let hint = format!("log in with `{}`", settings.program.login_command());
    LlmError::new(Code::LoggedOut, message).hint(hint)
}

fn not_installed(settings: &AgentSettings) -> LlmError {
    let command = settings.command();
    LlmError::new(Code::Provider, format!("`{command}` is not installed")).hint(format!(
        "install {command}, or choose another model with `acreta model use`"
    ))
}
