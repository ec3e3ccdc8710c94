//! Client of a running daemon.

use std::time::Duration;

use acreta_service::Failure;

use crate::daemon::place::DaemonAddress;

/// Requests a URL for a browser: it works once, within a minute.
pub fn login_url(address: &DaemonAddress, token: &str) -> Result<String, Failure> {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_global(Some(Duration::from_secs(10)))
        .proxy(None)
        .build()
        .into();
    let answer = agent
        .post(format!("{}/api/login/code", address.url))
        .header("authorization", format!("Bearer {token}"))
        .content_type("application/json")
        .send("{}")
        .and_then(|mut answer| answer.body_mut().read_to_string())
        .map_err(|error| {
            Failure::saying(format!(
                "the daemon at {} does not answer: {error}",
                address.url
            ))
            .hint("restart it with `acreta down` and `acreta up`")
        })?;
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap_or_default();
    match answer["url"].as_str() {
        Some(url) => Ok(url.to_owned()),
        None => Err(Failure::saying(format!(
            "the daemon at {} returned no login URL",
            address.url
        ))),
    }
}
