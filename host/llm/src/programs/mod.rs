//! The user's own agent program as a model: a prompt on its stdin, one answer back. The program keeps
//! its login to itself; no tool, hook, MCP server or context file takes part, and no session stays
//! behind. One file per program knows its command line and how to read what it writes.

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
use std::time::Duration;

use acreta_model::with_causes;
use camino::Utf8Path;

use crate::exchange::{Answer, Exchange, Failed};
use crate::process::{self, Invocation, Unfinished};
use crate::scrub::Scrubber;
use crate::settings::AgentSettings;
use crate::{Clock, Code, LlmError, OWN_DEFAULT, Program};

pub(crate) use environment::{found_on_path, passed_on};
use outcome::{Outcome, classify};
use workplace::Workplace;

/// One question to one program, and what it may use.
pub(crate) struct Call<'a> {
    pub(crate) settings: &'a AgentSettings,
    pub(crate) exchange: &'a Exchange<'a>,
    /// The user's variables.
    pub(crate) environment: &'a BTreeMap<String, String>,
    /// Where programs run: a folder for each.
    pub(crate) folder: &'a Utf8Path,
    pub(crate) timeout: Duration,
    pub(crate) scrubber: &'a Scrubber,
    pub(crate) clock: &'a dyn Clock,
    pub(crate) is_cancelled: &'a dyn Fn() -> bool,
}

impl Call<'_> {
    /// The model to ask for, unless the program chooses.
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

/// How a program is started for one call.
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

/// Reports whether the program can be asked: nothing is reserved for one that is not installed.
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

/// Asks the program once.
pub(crate) fn ask(call: &Call<'_>) -> Result<Answer, Failed> {
    let program = call.settings.program;
    let unprepared = |cause: LlmError| Failed::for_good(cause);
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
        // Several programs repeat a refused call for minutes, and say so meanwhile. Their answers are
        // not looked at here: they may quote the session.
        Err(Unfinished::Late { stdout, stderr }) => {
            let complaints = match program {
                Program::Codex => codex::complaints(&stdout) + &stderr,
                Program::Copilot => copilot::complaints(&stdout) + &stderr,
                Program::Gemini => gemini::complaints(&stderr),
                _ => stderr.clone(),
            };
            match classify(&complaints, None) {
                refused @ (Outcome::Limited(_) | Outcome::LoggedOut(_)) => refused,
                _ => Outcome::Unfinished(Unfinished::Late { stdout, stderr }),
            }
        }
        Err(Unfinished::NotStarted(cause)) if cause.kind() == std::io::ErrorKind::NotFound => {
            return Err(Failed::for_good(not_installed(call.settings)));
        }
        Err(end) => Outcome::Unfinished(end),
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
