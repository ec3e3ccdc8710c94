//! Local servers: asks them for their models, only on loopback and for at most 200 ms.

use std::collections::BTreeMap;
use std::io::Read;
use std::net::IpAddr;
use std::time::Duration;

use serde_json::Value;
use ureq::Agent;

use super::{ModelAccess, ModelOption, Readiness};

/// Returns the default addresses of local servers.
pub(super) fn usual(environment: &BTreeMap<String, String>) -> Vec<(String, String)> {
    let ollama = environment
        .get("OLLAMA_HOST")
        .and_then(|host| ollama_address(host))
        .unwrap_or_else(|| "http://127.0.0.1:11434".to_owned());
    let address = |provider: &str, url: &str| (provider.to_owned(), url.to_owned());
    vec![
        address("ollama", &ollama),
        address("llamacpp", "http://127.0.0.1:8080"),
        address("lmstudio", "http://127.0.0.1:1234"),
        address("vllm", "http://127.0.0.1:8000"),
    ]
}

/// Asks one server for its models. Returns `None` if no such server answers.
pub(super) fn look(provider: &str, url: &str) -> Option<ModelOption> {
    let path = match provider {
        "ollama" => "/api/tags",
        _ => "/v1/models",
    };
    let reply: Value = serde_json::from_slice(&get(&format!("{url}{path}"))?).ok()?;
    let listed = match provider {
        "ollama" => reply.get("models")?.as_array()?,
        _ => reply.get("data")?.as_array()?,
    };
    let models: Vec<String> = listed
        .iter()
        .filter(|model| answers_here(model))
        .filter_map(|model| model.get("name").or_else(|| model.get("id"))?.as_str())
        .filter(|name| !name.contains("embed"))
        .take(MOST_MODELS)
        .map(|name| acreta_text::visible(acreta_text::head(name, LONGEST_NAME)))
        .collect();
    let server = match provider {
        "ollama" => "Ollama",
        "llamacpp" => "llama.cpp",
        "lmstudio" => "LM Studio",
        other => other,
    };
    let first = models.first()?;
    let others = match models.len() - 1 {
        0 => String::new(),
        others => format!(" (and {others} more)"),
    };
    Some(ModelOption {
        provider: provider.to_owned(),
        label: format!("{first} on {server}{others}"),
        models,
        access: ModelAccess::Local,
        readiness: Readiness::Ready,
        destination: "stays on this machine".to_owned(),
        version: None,
        remedy: None,
    })
}

const PROBE: Duration = Duration::from_millis(200);
const MOST_BYTES: u64 = 1024 * 1024;
const MOST_MODELS: usize = 100;
const LONGEST_NAME: usize = 200;

/// Returns true if the model runs on this machine. A server may forward a model to its vendor; such a model is not
/// local.
fn answers_here(model: &Value) -> bool {
    let name = model
        .get("name")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let is_remote = |field: &str| {
        model
            .get(field)
            .and_then(Value::as_str)
            .is_some_and(|value| !value.is_empty())
    };
    !is_remote("remote_host") && !is_remote("remote_model") && !name.ends_with("cloud")
}

fn get(url: &str) -> Option<Vec<u8>> {
    let agent: Agent = Agent::config_builder()
        .max_redirects(0)
        .max_idle_connections(0)
        .proxy(None)
        .timeout_global(Some(PROBE))
        .build()
        .new_agent();
    let mut response = agent.get(url).call().ok()?;
    let mut body = Vec::new();
    let reader = response.body_mut().as_reader();
    reader.take(MOST_BYTES).read_to_end(&mut body).ok()?;
    Some(body)
}

/// Returns `OLLAMA_HOST` as a URL if it is on this machine. Scheme and port may be missing.
fn ollama_address(host: &str) -> Option<String> {
    let host = host.trim().trim_end_matches('/');
    let (secure, rest) = match host.split_once("://") {
        Some(("http", rest)) => (false, rest),
        Some(("https", rest)) => (true, rest),
        Some(_) => return None,
        None => (false, host),
    };
    let scheme = if secure { "https" } else { "http" };
    let (name, port) = match rest.rsplit_once(':') {
        Some((name, port)) if !port.contains(']') => (name, port.parse::<u16>().ok()?),
        _ => (rest, 11434),
    };
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    // A server that listens on all interfaces also listens here.
    let bare = match bare {
        "" | "0.0.0.0" => "127.0.0.1",
        "::" => "::1",
        other => other,
    };
    let address: Option<IpAddr> = bare.parse().ok();
    match address {
        Some(IpAddr::V4(four)) if four.is_loopback() => Some(format!("{scheme}://{four}:{port}")),
        Some(IpAddr::V6(six)) if six.is_loopback() => Some(format!("{scheme}://[{six}]:{port}")),
        None if bare == "localhost" => Some(format!("{scheme}://localhost:{port}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ollama_is_asked_on_this_machine_only() {
        let cases = [
            ("127.0.0.1:9999", Some("http://127.0.0.1:9999")),
            ("0.0.0.0", Some("http://127.0.0.1:11434")),
            (":8000", Some("http://127.0.0.1:8000")),
            ("[::1]:8000", Some("http://[::1]:8000")),
            ("http://localhost:1/", Some("http://localhost:1")),
            ("https://127.0.0.1", Some("https://127.0.0.1:11434")),
            ("192.168.0.4:11434", None),
            ("http://models.example", None),
            ("ftp://localhost", None),
            ("localhost.models.example", None),
        ];
        for (host, address) in cases {
            assert_eq!(ollama_address(host).as_deref(), address, "{host}");
        }
    }
}
