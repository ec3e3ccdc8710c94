//! The provider in the user's Codex configuration, such as a company gateway: passed on as settings, without any key
//! from the file.

use std::collections::BTreeMap;

use camino::Utf8Path;
use toml_edit::{Document, Item, Value};

/// The parts of the user's `config.toml` that a call needs.
#[derive(Default)]
pub(super) struct UserProvider {
    /// Arguments for `-c`.
    pub(super) settings: Vec<String>,
    /// Environment variables that the provider's settings name.
    pub(super) variables: BTreeMap<String, String>,
    pub(super) has_provider: bool,
}

/// Reads model and provider. A file that cannot be read is ignored: Codex reports it itself.
pub(super) fn of_user(folder: &Utf8Path, environment: &BTreeMap<String, String>) -> UserProvider {
    let text = std::fs::read_to_string(folder.join("config.toml"));
    let config = text.ok().and_then(|text| Document::parse(text).ok());
    let Some(config) = config else {
        return UserProvider::default();
    };
    let mut user = UserProvider::default();
    for name in [
        "model",
        "model_provider",
        "openai_base_url",
        "chatgpt_base_url",
    ] {
        if let Some(value) = config.get(name).and_then(Item::as_str) {
            user.settings
                .push(format!("{name}={}", super::quoted(value)));
        }
    }
    let Some(chosen) = config.get("model_provider").and_then(Item::as_str) else {
        return user;
    };
    let provider = config
        .get("model_providers")
        .and_then(|all| all.get(chosen));
    let provider = provider.and_then(Item::as_table_like);
    let Some(provider) = provider.filter(|_| !chosen.contains('.')) else {
        return user;
    };
    user.has_provider = true;
    for name in ["request_max_retries", "stream_max_retries"] {
        // Codex waits between retries for as long as the service says.
        if provider.get(name).is_none() {
            user.settings
                .push(format!("model_providers.{chosen}.{name}=1"));
        }
    }
    for (name, value) in provider.iter() {
        let Some(value) = value.as_value().filter(|_| HANDED_OVER.contains(&name)) else {
            continue;
        };
        for variable in named_variables(name, value) {
            if let Some(content) = environment.get(variable) {
                user.variables.insert(variable.to_owned(), content.clone());
            }
        }
        let value = value.to_string();
        // Codex splits the path at its dots, even inside quotes.
        user.settings
            .push(format!("model_providers.{chosen}.{name}={}", value.trim()));
    }
    user
}

/// Provider settings that contain no secret.
const HANDED_OVER: [&str; 10] = [
    "base_url",
    "env_http_headers",
    "env_key",
    "name",
    "query_params",
    "request_max_retries",
    "requires_openai_auth",
    "stream_idle_timeout_ms",
    "stream_max_retries",
    "wire_api",
];

fn named_variables<'a>(name: &str, value: &'a Value) -> Vec<&'a str> {
    match name {
        "env_key" => value.as_str().into_iter().collect(),
        "env_http_headers" => value
            .as_inline_table()
            .into_iter()
            .flat_map(|table| table.iter())
            .filter_map(|(_, value)| value.as_str())
            .collect(),
        _ => Vec::new(),
    }
}
