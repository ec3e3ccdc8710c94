//! `acreta hook prompt|failure|edit`: called in the middle of a session, answers within a time limit or not at all.

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use acreta_service::recall::{
    EditRequest, FailureRequest, PromptRequest, Recalled, SessionKey, edit, failure, prompt,
};
use acreta_service::{Failure, recall::lifecycle};
use camino::{Utf8Path, Utf8PathBuf};

use super::form::{HookFormat, is_briefed_at};
use super::input::HookInput;
use super::{agent, context, guarded, is_anothers};
use crate::args::{Arguments, HookCommand};
use crate::command::serve::program;
use crate::context::Context;
use crate::output::raw;

/// Time limit of an answer. A slow machine can raise it in the environment.
const IN_TIME: Duration = Duration::from_millis(200);
const IN_TIME_VARIABLE: &str = "ACRETA_HOOK_WAIT_MS";

/// Prints the answer if it is ready in time. Otherwise the process exits silently, with everything the answer waited
/// for: nothing is half written, because memory is only read and a prompt is recorded in one write.
pub(super) fn answer_in_time(command: &HookCommand, arguments: &Arguments) -> Result<(), String> {
    std::thread::scope(|scope| {
        let (send, answer) = sync_channel(1);
        scope.spawn(move || {
            let _ = send.send(guarded(|| self::answer(command, arguments)));
        });
        match answer.recv_timeout(in_time()) {
            Ok(Ok(text)) => {
                raw(&text);
                Ok(())
            }
            Ok(Err(problem)) => Err(problem),
            Err(RecvTimeoutError::Disconnected) => Ok(()),
            // The thread may wait for an agent that does not close its end.
            Err(RecvTimeoutError::Timeout) => give_up(),
        }
    })
}

fn in_time() -> Duration {
    let environment = crate::environment::environment();
    let set = environment.get(IN_TIME_VARIABLE);
    let milliseconds = set.and_then(|text| text.parse().ok());
    milliseconds.map_or(IN_TIME, Duration::from_millis)
}

fn give_up() -> ! {
    std::process::exit(0);
}

fn answer(command: &HookCommand, arguments: &Arguments) -> Result<String, Failure> {
    let (own, said) = (command.arguments(), HookInput::from_stdin());
    if is_anothers(&said, own) {
        return Ok(String::new());
    }
    let context = context(arguments, &said)?;
    let recalled = recalled(command, &said, &context)?;
    if recalled.needs_refresh {
        lifecycle::refresh_in_background(&program()?, &context)?;
    }
    if context.json {
        let answer = serde_json::json!({
            "text": recalled.text,
            "memories": recalled.memories,
            "tokens": recalled.tokens,
        });
        return Ok(format!("{answer}\n"));
    }
    let form = HookFormat::of(agent(own));
    Ok(form.of_moment(command, &said.hook_event_name, &recalled.text))
}

fn recalled(
    command: &HookCommand,
    said: &HookInput,
    context: &Context,
) -> Result<Recalled, Failure> {
    let session = super::session(said, command.arguments());
    // The brief comes first, so that recall does not repeat it.
    let brief = match is_briefed_at(command, agent(command.arguments())) {
        true => {
            let directory = Utf8Path::new(&said.cwd);
            lifecycle::start_late(directory, &session, &program()?, context)?
        }
        false => None,
    };
    let mut recalled = of_moment(command, said, session, context)?;
    if let Some(brief) = brief {
        recalled.text.insert_str(0, &brief.text);
        recalled.tokens += brief.tokens;
    }
    Ok(recalled)
}

fn of_moment(
    command: &HookCommand,
    said: &HookInput,
    session: SessionKey,
    context: &Context,
) -> Result<Recalled, Failure> {
    match command {
        HookCommand::Failure(_) => match said.command() {
            None => Ok(Recalled::default()),
            Some(command) => {
                let request = FailureRequest {
                    session,
                    command,
                    output: said.output(),
                    has_failed: said.has_failed(),
                };
                failure(&request, context)
            }
        },
        HookCommand::Edit(_) => match said.file() {
            None => Ok(Recalled::default()),
            Some(file) => {
                let directory = Utf8PathBuf::from(&said.cwd);
                let request = EditRequest {
                    session,
                    file,
                    directory,
                };
                edit(&request, context)
            }
        },
        _ => {
            let request = PromptRequest {
                session,
                prompt: said.prompt(),
            };
            prompt(&request, context)
        }
    }
}
