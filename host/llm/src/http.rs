//! One HTTP call: a JSON body out, a bounded body back. Redirects are not followed, because they would carry the key
//! elsewhere, and connections are not reused, because a stale one looks like a call that may have been billed. No proxy
//! is taken from the environment.

use std::io::Read;
use std::time::Duration;

use ureq::{Agent, Error, Timeout};

use crate::ProviderSettings;

pub(crate) struct HttpClient {
    agent: Agent,
}

pub(crate) struct HttpReply {
    pub(crate) status: u16,
    /// Pause that the server asks for.
    pub(crate) retry_after: Option<Duration>,
    pub(crate) body: Vec<u8>,
}

/// A call that ended without a complete reply. The texts are not redacted yet.
#[derive(Debug)]
pub(crate) enum HttpFailure {
    /// The server was not reached, so nothing was sent.
    Unreached(String),
    /// No secure connection is possible.
    Untrusted(String),
    Timeout,
    /// The connection broke after the request was sent.
    Cut(String),
    TooLarge,
}

impl HttpClient {
    pub(crate) fn new(settings: &ProviderSettings) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .max_idle_connections(0)
            .proxy(None)
            .timeout_connect(Some(settings.connect_timeout))
            .timeout_global(Some(settings.timeout))
            .user_agent(concat!("acreta/", env!("CARGO_PKG_VERSION")))
            .build();
        Self {
            agent: config.new_agent(),
        }
    }

    pub(crate) fn post(
        &self,
        url: &str,
        headers: &[(&str, String)],
        body: &str,
    ) -> Result<HttpReply, HttpFailure> {
        let mut request = self
            .agent
            .post(url)
            .header("content-type", "application/json")
            .header("accept", "application/json");
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        let mut response = request.send(body).map_err(failure)?;
        let retry_after = retry_after(response.headers());
        let status = response.status().as_u16();
        let mut body = Vec::new();
        response
            .body_mut()
            .as_reader()
            .take(MOST_BYTES + 1)
            .read_to_end(&mut body)
            .map_err(|cause| failure(Error::from(cause)))?;
        if body.len() as u64 > MOST_BYTES {
            return Err(HttpFailure::TooLarge);
        }
        Ok(HttpReply {
            status,
            retry_after,
            body,
        })
    }
}

/// Maximum size of a reply and of a request.
pub(crate) const MOST_BYTES: u64 = 8 * 1024 * 1024;

fn failure(error: Error) -> HttpFailure {
    let text = error.to_string();
    match error {
        Error::Timeout(Timeout::Resolve | Timeout::Connect)
        | Error::HostNotFound
        | Error::ConnectionFailed => HttpFailure::Unreached(text),
        Error::Timeout(_) => HttpFailure::Timeout,
        Error::Io(cause) if is_unreached(&cause) => HttpFailure::Unreached(text),
        Error::Io(cause) if cause.kind() == std::io::ErrorKind::TimedOut => HttpFailure::Timeout,
        Error::Tls(_) | Error::Rustls(_) | Error::Pem(_) | Error::TlsRequired => {
            HttpFailure::Untrusted(text)
        }
        _ => HttpFailure::Cut(text),
    }
}

fn is_unreached(cause: &std::io::Error) -> bool {
    use std::io::ErrorKind;
    matches!(
        cause.kind(),
        ErrorKind::ConnectionRefused
            | ErrorKind::HostUnreachable
            | ErrorKind::NetworkUnreachable
            | ErrorKind::AddrNotAvailable
    )
}

/// Reads `retry-after-ms`, or `retry-after` in seconds. For a date our own backoff is used.
fn retry_after(headers: &ureq::http::HeaderMap) -> Option<Duration> {
    let number =
        |name: &str| -> Option<f64> { headers.get(name)?.to_str().ok()?.trim().parse().ok() };
    let seconds = number("retry-after-ms")
        .map(|milliseconds| milliseconds / 1000.0)
        .or_else(|| number("retry-after"))?;
    Duration::try_from_secs_f64(seconds).ok()
}
