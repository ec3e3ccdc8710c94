//! Asking a running daemon something.

use std::time::Duration;

use acreta_service::Failure;

use crate::daemon::place::Address;

/// The address a browser opens: it works once, for a minute.
pub fn login_url(address: &Address, token: &str) -> Result<String, Failure> {
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
            .hint("`acreta down` and `acreta up` start it anew")
        })?;
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap_or_default();
    match answer["url"].as_str() {
        Some(url) => Ok(url.to_owned()),
        None => Err(Failure::saying(format!(
            "the daemon at {} gave no address",
            address.url
        ))),
    }
}
