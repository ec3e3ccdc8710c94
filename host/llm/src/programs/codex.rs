//! Codex: `codex exec` in a separate home with a link to the user's login, and the schema as a strict response format.

mod provider;
mod strict;

use std::time::Duration;

use serde_json::Value;

use super::outcome::{ProgramOutcome, classify, events, json_lines};
use super::workplace::Workplace;
use super::{CommandLine, ProgramCall, prompt};
use crate::LlmError;
use crate::exchange::{ModelAnswer, StopReason, count};
use crate::process::{self, Completed, Invocation};

pub(super) fn prepare(
    call: &ProgramCall<'_>,
    workplace: &mut Workplace,
    line: &mut CommandLine,
) -> Result<(), LlmError> {
    let exchange = call.exchange;
    let strict = exchange
        .schema
        .and_then(|schema| strict::adapted(schema.value()));
    let system = workplace.write("system.md", &prompt::system(exchange, strict.is_none()))?;
    line.arguments([
        "exec",
        "--ephemeral",
        "--ignore-user-config",
        "--ignore-rules",
        "--skip-git-repo-check",
        "-s",
        "read-only",
        "-C",
        workplace.empty_folder().as_str(),
        "--json",
    ]);
    if let Some(schema) = strict {
        let schema = workplace.write("schema.json", &schema.to_string())?;
        line.arguments(["--output-schema", schema.as_str()]);
    }
    let instructions = format!("model_instructions_file={}", quoted(system.as_str()));
    for setting in SETTINGS.into_iter().chain([instructions.as_str()]) {
        line.arguments(["-c", setting]);
    }
    if let Some(folder) = own_home(call) {
        let user = provider::of_user(&folder, call.environment);
        for setting in &user.settings {
            line.arguments(["-c", setting.as_str()]);
        }
        line.environment.extend(user.variables);
        // In the user's own folder Codex would send the user's instructions; a login outside of it is found only by the
        // program.
        let home = workplace.write("home/config.toml", "")?;
        let is_linked = workplace.link(&folder.join("auth.json"), "home/auth.json");
        let is_known = is_linked || call.settings.key_env.is_some() || user.has_provider;
        match home.parent() {
            Some(home) if is_known => line.set("CODEX_HOME", home.as_str()),
            _ => check_login(call, workplace, line)?,
        }
    }
    if let Some(catalog) = catalog_without_tools(call, workplace, line) {
        let path = workplace.write("models.json", &catalog)?;
        let setting = format!("model_catalog_json={}", quoted(path.as_str()));
        line.arguments(["-c", setting.as_str()]);
    }
    if let Some(model) = call.model() {
        line.arguments(["-m", model]);
    }
    line.arguments(["-"]);
    line.stdin = prompt::prompt(exchange);
    Ok(())
}

pub(super) fn read(call: &ProgramCall<'_>, completed: &Completed) -> ProgramOutcome {
    let events = match events(completed) {
        Ok(events) => events,
        Err(outcome) => return outcome,
    };
    let of = |kind: &str| {
        let kind = kind.to_owned();
        events.iter().rev().find(move |event| event["type"] == kind)
    };
    if let Some(failure) = of("turn.failed") {
        return classify(
            failure["error"]["message"].as_str().unwrap_or_default(),
            None,
        );
    }
    let message = events.iter().rev().find(|event| {
        event["type"] == "item.completed" && event["item"]["type"] == "agent_message"
    });
    let content = message.and_then(|event| event["item"]["text"].as_str());
    let Some(content) = content.filter(|_| completed.succeeded()) else {
        let error = of("error").and_then(|event| event["message"].as_str());
        return match error {
            Some(error) => classify(error, None),
            None if completed.succeeded() => ProgramOutcome::Unreadable {
                reason: "gave no answer",
                said: completed.stdout_text(),
            },
            None => classify(&completed.stderr_text(), None),
        };
    };
    let usage = of("turn.completed").map(|event| &event["usage"]);
    let schema = call.exchange.schema;
    ProgramOutcome::Answered(ModelAnswer {
        content: match schema {
            Some(schema) => strict::loosened(schema.value(), content),
            None => content.to_owned(),
        },
        tokens: usage.and_then(|usage| {
            Some((
                count(usage, "input_tokens")?,
                count(usage, "output_tokens")?,
            ))
        }),
        stop: StopReason::Done,
        list_price: None,
    })
}

/// Returns the errors that it reported while running.
pub(super) fn complaints(stdout: &str) -> String {
    let events = json_lines(stdout).into_iter();
    let errors = events.filter(|event| event["type"] == "error");
    let messages = errors.filter_map(|event| event["message"].as_str().map(ToOwned::to_owned));
    messages.collect::<Vec<_>>().join("\n")
}

/// Asks the program about a login stored elsewhere, in the system's key store. Without one it would try in vain to
/// reach its service.
fn check_login(
    call: &ProgramCall<'_>,
    workplace: &Workplace,
    line: &CommandLine,
) -> Result<(), LlmError> {
    match ask_about(call, workplace, line, &["login", "status"]) {
        Ok(completed) if !completed.succeeded() => {
            let said = completed.stdout_text() + &completed.stderr_text();
            match classify(&said, None) {
                ProgramOutcome::LoggedOut(_) => Err(super::logged_out(call.settings)),
                // An old version without the command may still be logged in.
                _ => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

/// Returns Codex's catalog of models without the tools that an entry gives its model whatever the settings say: newer
/// models get a JavaScript tool, tools for subagents and a patch tool, 17 kB a call. `None` for versions without the
/// command; they have no such models.
fn catalog_without_tools(
    call: &ProgramCall<'_>,
    workplace: &Workplace,
    line: &CommandLine,
) -> Option<String> {
    let completed = ask_about(call, workplace, line, &["debug", "models", "--bundled"]);
    let completed = completed.ok().filter(Completed::succeeded)?;
    let mut catalog: Value = serde_json::from_str(&completed.stdout_text()).ok()?;
    for model in catalog.get_mut("models")?.as_array_mut()? {
        for (key, none) in [
            ("tool_mode", Value::Null),
            ("multi_agent_version", Value::Null),
            ("apply_patch_tool_type", Value::Null),
            ("experimental_supported_tools", Value::Array(Vec::new())),
        ] {
            if let Some(value) = model.get_mut(key) {
                *value = none;
            }
        }
    }
    Some(catalog.to_string())
}

/// Runs a command of the program that asks no model.
fn ask_about(
    call: &ProgramCall<'_>,
    workplace: &Workplace,
    line: &CommandLine,
    command: &[&str],
) -> Result<Completed, process::Unfinished> {
    let invocation = Invocation {
        program: call.settings.command(),
        arguments: command.iter().map(|word| (*word).to_owned()).collect(),
        environment: line.environment.clone(),
        folder: workplace.empty_folder(),
        stdin: String::new(),
        timeout: ASIDE,
        contained: true,
        gives_up: None,
    };
    process::run(invocation, call.is_cancelled)
}

const ASIDE: Duration = Duration::from_secs(5);

/// Returns the folder of the user's own Codex.
fn own_home(call: &ProgramCall<'_>) -> Option<camino::Utf8PathBuf> {
    let named = call.environment.get("CODEX_HOME");
    match named.filter(|folder| !folder.is_empty()) {
        Some(folder) => Some(folder.into()),
        None => Some(call.user_folder()?.join(".codex")),
    }
}

/// Quotes a text for TOML, with JSON's syntax.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Disables tools, context and hooks. A version only warns about a name that it does not know.
const SETTINGS: [&str; 25] = [
    "model_reasoning_effort=\"low\"",
    "project_doc_max_bytes=0",
    "web_search=\"disabled\"",
    "tools.experimental_request_user_input.enabled=false",
    "include_permissions_instructions=false",
    "include_environment_context=false",
    "include_apps_instructions=false",
    "include_collaboration_mode_instructions=false",
    "skills.include_instructions=false",
    "skills.bundled.enabled=false",
    "features.hooks=false",
    "features.shell_tool=false",
    "features.unified_exec=false",
    "features.multi_agent=false",
    "agents.enabled=false",
    "features.goals=false",
    "features.view_image=false",
    "features.plugins=false",
    "features.apps=false",
    "features.image_generation=false",
    "features.tool_suggest=false",
    "features.skill_search=false",
    "features.sleep_tool=false",
    "features.memories=false",
    "features.shell_snapshot=false",
];
