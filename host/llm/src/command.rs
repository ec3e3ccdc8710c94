//! A program as a provider. It reads the request as JSON and writes the reply, as JSON with `content` or as plain text.
//! It sees `PATH`, `HOME` and the configured environment variables, runs in the run folder, and is killed with all its
//! child processes after its timeout.

use std::collections::BTreeMap;
use std::time::Duration;

use camino::Utf8Path;
use serde_json::{Value, json};

use crate::exchange::{Exchange, FailedCall, ModelAnswer, StopReason, count};
use crate::process::{self, Invocation};
use crate::scrub::Scrubber;
use crate::settings::CommandSettings;
use crate::{Code, LlmError};

/// Working folder and environment of a command.
pub(crate) struct CommandContext<'a> {
    pub(crate) folder: &'a Utf8Path,
    pub(crate) environment: &'a BTreeMap<String, String>,
    pub(crate) timeout: Duration,
    pub(crate) is_cancelled: &'a dyn Fn() -> bool,
}

pub(crate) fn ask(
    settings: &CommandSettings,
    exchange: &Exchange<'_>,
    place: &CommandContext<'_>,
    scrubber: &Scrubber,
) -> Result<ModelAnswer, FailedCall> {
    let program = &settings.program;
    let completed = process::run(invocation(settings, exchange, place), place.is_cancelled)
        .map_err(|end| match end.was_started() {
            true => FailedCall::maybe_paid(end.error(program, place.timeout)),
            false => FailedCall::for_good(
                end.error(program, place.timeout)
                    .hint("check the command of this provider in the user config"),
            ),
        })?;
    if !completed.succeeded() {
        let said = scrubber.excerpt(&completed.stderr_text());
        return Err(FailedCall::maybe_paid(
            LlmError::new(Code::Provider, format!("`{program}` failed")).because(
                if said.is_empty() {
                    "it gave no reason".to_owned()
                } else {
                    said
                },
            ),
        ));
    }
    answer(&completed.stdout).map_err(|reason| {
        FailedCall::maybe_paid(LlmError::new(
            Code::InvalidReply,
            format!("`{program}` {reason}"),
        ))
    })
}

/// Environment variables that move agents' session folders, and the folder name for each.
const SESSION_FOLDERS: [(&str, &str); 10] = [
    ("CLAUDE_CONFIG_DIR", "claude"),
    ("CODEX_HOME", "codex"),
    ("CONTINUE_GLOBAL_DIR", "continue"),
    ("COPILOT_HOME", "copilot"),
    ("GEMINI_CLI_HOME", "gemini"),
    ("KIMI_CODE_HOME", "kimi-code"),
    ("KIMI_SHARE_DIR", "kimi"),
    ("KIRO_HOME", "kiro"),
    ("PI_CODING_AGENT_DIR", "pi"),
    ("XDG_DATA_HOME", "data"),
];

fn invocation<'a>(
    settings: &'a CommandSettings,
    exchange: &Exchange<'_>,
    place: &CommandContext<'a>,
) -> Invocation<'a> {
    let mut environment = BTreeMap::new();
    let configured = settings.environment.iter().map(String::as_str);
    for name in ["PATH", "HOME"].into_iter().chain(configured) {
        if let Some(value) = place.environment.get(name) {
            environment.insert(name.to_owned(), value.clone());
        }
    }
    if settings.persist_sessions_in_workspace {
        for (name, folder) in SESSION_FOLDERS {
            let folder = place.folder.join("agent").join(folder);
            environment.insert(name.to_owned(), folder.into_string());
        }
    }
    Invocation {
        program: &settings.program,
        arguments: settings
            .arguments
            .iter()
            .map(|argument| argument.replace("{model}", exchange.model))
            .collect(),
        environment,
        folder: place.folder,
        stdin: request(exchange),
        timeout: place.timeout,
        contained: false,
        gives_up: None,
    }
}

fn request(exchange: &Exchange<'_>) -> String {
    json!({
        "purpose": exchange.purpose,
        "model": exchange.model,
        "messages": exchange.messages,
        "json_schema": exchange.schema.map(crate::Schema::value),
        "max_output_tokens": exchange.max_output_tokens,
    })
    .to_string()
}

/// Reads JSON with `content`, or `result` as some agents call it, or plain text.
fn answer(output: &[u8]) -> Result<ModelAnswer, &'static str> {
    let text = str::from_utf8(output).map_err(|_| "wrote something that is not UTF-8")?;
    let text = text.trim();
    if text.is_empty() {
        return Err("wrote nothing");
    }
    let whole: Option<Value> = serde_json::from_str(text).ok();
    let named = whole.as_ref().and_then(|whole| {
        let content = whole.get("content").or_else(|| whole.get("result"))?;
        Some((content.as_str()?, whole.get("usage").unwrap_or(whole)))
    });
    let (content, usage) = match named {
        Some((content, usage)) => (content, Some(usage)),
        None => (text, None),
    };
    let tokens = usage.and_then(|usage| {
        Some((
            count(usage, "input_tokens")?,
            count(usage, "output_tokens")?,
        ))
    });
    Ok(ModelAnswer {
        content: content.to_owned(),
        tokens,
        stop: StopReason::Done,
        list_price: None,
    })
}
