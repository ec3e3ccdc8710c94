//! OpenCode: `opencode run` with a separate config, an agent without tools and an in-memory database. The user's
//! providers are copied from the user's config, except keys.

use std::collections::BTreeMap;

use camino::Utf8PathBuf;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::{Map, Value, json};

use super::outcome::{ProgramOutcome, classify, events};
use super::workplace::Workplace;
use super::{CommandLine, ProgramCall, prompt};
use crate::exchange::{ModelAnswer, StopReason, count};
use crate::process::Completed;
use crate::{LlmError, Money};

pub(super) fn prepare(
    call: &ProgramCall<'_>,
    workplace: &Workplace,
    line: &mut CommandLine,
) -> Result<(), LlmError> {
    let user = UserConfig::read(call);
    if !user.has_login && user.config.get("provider").is_none() && !user.has_key {
        // OpenCode would use a free hosted model, which the user did not choose.
        return Err(super::logged_out(call.settings));
    }
    let mut config = Value::Object(user.config);
    config["share"] = json!("disabled");
    config["autoupdate"] = json!(false);
    config["agent"] = json!({
        "acreta": {
            "mode": "primary",
            "prompt": unsubstituted(&prompt::system(call.exchange, true)),
            "tools": { "*": false },
            "permission": { "*": "deny" },
        },
        // It would make another call for a title.
        "title": { "disable": true },
    });
    let file = workplace.write("config/opencode/opencode.json", &config.to_string())?;
    drop(file);
    line.set("XDG_CONFIG_HOME", workplace.path("config").as_str());
    line.set("OPENCODE_DB", ":memory:");
    for variable in [
        "OPENCODE_DISABLE_PROJECT_CONFIG",
        "OPENCODE_DISABLE_CLAUDE_CODE",
        "OPENCODE_DISABLE_AUTOUPDATE",
        "OPENCODE_DISABLE_MODELS_FETCH",
    ] {
        line.set(variable, "1");
    }
    line.environment.extend(user.variables);
    line.arguments([
        "run",
        "--pure",
        "--format",
        "json",
        "--agent",
        "acreta",
        "--title",
        "x",
        // It retries a refused call for minutes and reports that only in its log.
        "--print-logs",
        "--log-level",
        "ERROR",
    ]);
    if let Some(model) = call.model() {
        line.arguments(["-m", model]);
    }
    line.stdin = prompt::prompt(call.exchange);
    Ok(())
}

pub(super) fn read(completed: &Completed) -> ProgramOutcome {
    let events = match events(completed) {
        Ok(events) => events,
        Err(outcome) => return outcome,
    };
    if let Some(error) = events.iter().find(|event| event["type"] == "error") {
        let error = &error["error"];
        let data = &error["data"];
        let status = data["statusCode"].as_u64();
        let message = data["message"].as_str().or(error["message"].as_str());
        let words = [message, error["name"].as_str()];
        let words: Vec<&str> = words.into_iter().flatten().collect();
        let status = status.and_then(|status| u16::try_from(status).ok());
        return classify(&words.join(" / "), status);
    }
    let parts = |kind: &str| {
        let kind = kind.to_owned();
        let of_kind = events.iter().filter(move |event| event["type"] == kind);
        of_kind.map(|event| &event["part"])
    };
    let content: String = parts("text")
        .filter_map(|part| part["text"].as_str())
        .collect();
    if content.is_empty() || !completed.succeeded() {
        return match completed.succeeded() {
            true => ProgramOutcome::Unreadable {
                reason: "gave no answer",
                said: completed.stdout_text(),
            },
            false => classify(&completed.stderr_text(), None),
        };
    }
    let tokens = parts("step_finish").filter_map(|part| tokens(&part["tokens"]));
    let tokens = tokens.reduce(|sum, one| (sum.0 + one.0, sum.1 + one.1));
    let cost: f64 = parts("step_finish")
        .filter_map(|part| part["cost"].as_f64())
        .sum();
    ProgramOutcome::Answered(ModelAnswer {
        content,
        tokens,
        stop: StopReason::Done,
        list_price: Money::from_dollars(cost),
    })
}

fn tokens(tokens: &Value) -> Option<(u64, u64)> {
    let cache = &tokens["cache"];
    let more = |value: &Value, name: &str| count(value, name).unwrap_or(0);
    let input = count(tokens, "input")?
        .saturating_add(more(cache, "read"))
        .saturating_add(more(cache, "write"));
    let output = count(tokens, "output")?.saturating_add(more(tokens, "reasoning"));
    Some((input, output))
}

/// The parts of the user's OpenCode config that a call needs.
struct UserConfig {
    config: Map<String, Value>,
    /// Environment variables that the providers' settings name.
    variables: BTreeMap<String, String>,
    has_login: bool,
    has_key: bool,
}

impl UserConfig {
    fn read(call: &ProgramCall<'_>) -> Self {
        let folder = |variable: &str, usual: &str| -> Option<Utf8PathBuf> {
            let named = call.environment.get(variable).filter(|it| !it.is_empty());
            match named {
                Some(folder) => Some(folder.into()),
                None => Some(call.user_folder()?.join(usual)),
            }
        };
        let data = folder("XDG_DATA_HOME", ".local/share");
        let has_login = data.is_some_and(|data| data.join("opencode/auth.json").is_file());
        let mut config = Map::new();
        let own = folder("XDG_CONFIG_HOME", ".config").map(|folder| folder.join("opencode"));
        for name in ["config.json", "opencode.json", "opencode.jsonc"] {
            let Some(path) = own.as_ref().map(|folder| folder.join(name)) else {
                continue;
            };
            // A file that is missing or not JSON is ignored.
            let text = std::fs::read_to_string(path).unwrap_or_default();
            let Some(Value::Object(parsed)) = with_comments(&text) else {
                continue;
            };
            let wanted = parsed
                .into_iter()
                .filter(|(key, _)| TAKEN_OVER.contains(&key.as_str()));
            config.extend(wanted);
        }
        let mut named = Vec::new();
        config
            .values_mut()
            .for_each(|value| take_keys_out(value, &mut named));
        let variables = named.into_iter().filter_map(|name| {
            let value = call.environment.get(&name)?.clone();
            Some((name, value))
        });
        let mut variables: BTreeMap<String, String> = variables.collect();
        let key = call.settings.key_env.as_ref();
        let key = key.and_then(|name| Some((name.clone(), call.environment.get(name)?.clone())));
        let has_key = key.is_some();
        variables.extend(key);
        Self {
            config,
            variables,
            has_login,
            has_key,
        }
    }
}

/// Parses JSON with comments.
fn with_comments(text: &str) -> Option<Value> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default());
    parsed.ok()?.value.map(Value::from)
}

const TAKEN_OVER: [&str; 4] = [
    "disabled_providers",
    "enabled_providers",
    "model",
    "provider",
];

/// Removes keys that the config contains, and collects the variables that it names.
fn take_keys_out(value: &mut Value, variables: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, value| {
                let name = name.to_lowercase();
                let is_secret = name.contains("apikey")
                    || name.contains("token")
                    || name.contains("authorization")
                    || name.contains("secret");
                let refers = value
                    .as_str()
                    .is_some_and(|text| text.starts_with("{env:") || text.starts_with("{file:"));
                // A token limit is a number and not a secret.
                !is_secret || refers || value.is_number() || value.is_object()
            });
            fields
                .values_mut()
                .for_each(|value| take_keys_out(value, variables));
        }
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| take_keys_out(item, variables)),
        Value::String(text) => {
            let named = text.split("{env:").skip(1);
            let named = named.filter_map(|rest| rest.split_once('}'));
            variables.extend(named.map(|(name, _)| name.to_owned()));
        }
        _ => {}
    }
}

/// Escapes `{env:…}` and `{file:…}`, which OpenCode would replace; in a prompt they are literal text.
fn unsubstituted(text: &str) -> String {
    text.replace("{env:", "{ env:").replace("{file:", "{ file:")
}
