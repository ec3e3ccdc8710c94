//! Gemini CLI: `gemini -p` in a separate home with links to the user's login; the home is removed with its session.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::outcome::{ProgramOutcome, classify, without_output};
use super::workplace::Workplace;
use super::{CommandLine, ProgramCall, prompt};
use crate::LlmError;
use crate::exchange::{ModelAnswer, StopReason, count};
use crate::process::Completed;

pub(super) fn prepare(
    call: &ProgramCall<'_>,
    workplace: &mut Workplace,
    line: &mut CommandLine,
) -> Result<(), LlmError> {
    let named = call.environment.get("GEMINI_CLI_HOME");
    let user = named.filter(|folder| !folder.is_empty()).map(Into::into);
    let user = user.or_else(|| call.user_folder().map(ToOwned::to_owned));
    // Written first, because it creates the folder.
    let mut settings = settings();
    workplace.write(SETTINGS_FILE, &settings.to_string())?;
    let mut links = Vec::new();
    for name in LOGIN_FILES {
        let Some(user) = &user else {
            break;
        };
        let target = user.join(".gemini").join(name);
        if workplace.link(&target, &format!("home/.gemini/{name}")) {
            links.push(name);
        }
    }
    let auth = auth_type(&line.environment, &links);
    settings["security"] = json!({ "auth": { "selectedType": auth } });
    workplace.write(SETTINGS_FILE, &settings.to_string())?;
    let system = workplace.write("system.md", &prompt::system(call.exchange, true))?;
    line.set("GEMINI_CLI_HOME", workplace.path("home").as_str());
    line.set("GEMINI_SYSTEM_MD", system.as_str());
    line.arguments([
        "-p",
        "",
        "-o",
        "json",
        "-e",
        "none",
        "--allowed-mcp-server-names",
        "none",
        "--skip-trust",
    ]);
    if let Some(model) = call.model() {
        line.arguments(["-m", model]);
    }
    line.stdin = prompt::prompt(call.exchange);
    Ok(())
}

pub(super) fn read(completed: &Completed) -> ProgramOutcome {
    let said = completed.stdout_text();
    if !completed.succeeded() || said.trim().is_empty() {
        return failure(completed);
    }
    let Ok(reply) = serde_json::from_str::<Value>(said.trim()) else {
        return ProgramOutcome::Unreadable {
            reason: "wrote something that is not JSON",
            said,
        };
    };
    let Some(content) = reply["response"].as_str().filter(|text| !text.is_empty()) else {
        return ProgramOutcome::Unreadable {
            reason: "gave no answer",
            said,
        };
    };
    let models = reply["stats"]["models"].as_object();
    let tokens = models.into_iter().flat_map(|models| models.values());
    let tokens = tokens.filter_map(|model| {
        let tokens = &model["tokens"];
        let input = count(tokens, "prompt").or_else(|| count(tokens, "input"))?;
        let thoughts = count(tokens, "thoughts").unwrap_or(0);
        Some((input, count(tokens, "candidates")?.saturating_add(thoughts)))
    });
    ProgramOutcome::Answered(ModelAnswer {
        content: content.to_owned(),
        tokens: tokens.reduce(|sum, one| (sum.0 + one.0, sum.1 + one.1)),
        stop: StopReason::Done,
        list_price: None,
    })
}

/// Returns its messages about failed attempts, without the error dumps around them.
pub(super) fn complaints(stderr: &str) -> String {
    let lines = stderr.lines();
    let attempts = lines.filter(|line| line.starts_with("Attempt ") || line.contains("status: "));
    attempts.collect::<Vec<_>>().join("\n")
}

const SETTINGS_FILE: &str = "home/.gemini/settings.json";

/// Disables hooks, servers, tools, skills and further turns.
fn settings() -> Value {
    json!({
        "hooksConfig": { "enabled": false },
        "mcp": { "allowed": ["none"] },
        "tools": { "core": ["none"] },
        "skills": { "enabled": false },
        "experimental": { "enableAgents": false, "autoMemory": false },
        "model": { "maxSessionTurns": 1 },
        "general": { "disableAutoUpdate": true },
        "privacy": { "usageStatisticsEnabled": false },
    })
}

/// Returns the login method that the program would detect in its usual home.
fn auth_type(environment: &BTreeMap<String, String>, links: &[&str]) -> &'static str {
    let is_on = |name: &str| environment.get(name).is_some_and(|value| value == "true");
    if is_on("GOOGLE_GENAI_USE_GCA") {
        "oauth-personal"
    } else if is_on("GOOGLE_GENAI_USE_VERTEXAI") {
        "vertex-ai"
    } else if environment.contains_key("GEMINI_API_KEY") || !links.contains(&"oauth_creds.json") {
        "gemini-api-key"
    } else {
        "oauth-personal"
    }
}

/// Files with a login or a key; only the program opens them.
const LOGIN_FILES: [&str; 4] = [
    ".env",
    "gemini-credentials.json",
    "google_accounts.json",
    "oauth_creds.json",
];

/// Exit code for a missing login.
const NO_LOGIN: i32 = 41;

/// Reads its error: JSON on stderr, after other output.
fn failure(completed: &Completed) -> ProgramOutcome {
    let said = completed.stderr_text();
    let json = said.find("{\n").or_else(|| said.find('{'));
    let error: Option<Value> = json.and_then(|start| {
        let mut values = serde_json::Deserializer::from_str(&said[start..]).into_iter();
        values.next()?.ok()
    });
    let error = error.as_ref().map(|whole| &whole["error"]);
    let message = error.and_then(|error| error["message"].as_str());
    let status = error.and_then(|error| error["code"].as_u64());
    let status = status.and_then(|status| u16::try_from(status).ok());
    if completed.exit_code == Some(NO_LOGIN) {
        return ProgramOutcome::LoggedOut(message.unwrap_or(&said).to_owned());
    }
    match message {
        Some(message) => classify(message, status),
        None => without_output(completed),
    }
}
