//! A typed, blocking client of acreta's HTTP API.
//!
//! ```no_run
//! # fn main() -> Result<(), acreta_client::Error> {
//! use acreta_client::{Client, SearchFields};
//!
//! let client = Client::new("the token in ~/.acreta/token");
//! let found = client.search(&SearchFields { q: "queue".to_owned(), ..Default::default() })?;
//! # Ok(())
//! # }
//! ```
//!
//! The token is sent to one server only: redirects and proxies are not followed.

// Generated, and compared byte for byte.
#[rustfmt::skip]
mod api;
mod events;
mod path;

use std::io::Read;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use ureq::http::{Method, Request, Response};
use ureq::{Agent, Body};

pub use api::*;
pub use events::Events;

/// Default URL of the daemon.
pub const DEFAULT_URL: &str = "http://127.0.0.1:8765";

/// Maximum size of a response.
const MOST_BYTES: u64 = 256 * 1024 * 1024;

/// Reason why a call failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The server refused the call.
    #[error("{}", problem.message)]
    Refused {
        status: u16,
        problem: Problem,
        request_id: String,
    },
    /// The server did not answer.
    #[error("acreta at {url} does not respond")]
    Unreachable {
        url: String,
        #[source]
        cause: Box<ureq::Error>,
    },
    /// The connection closed before the end of the response.
    #[error("acreta at {url} closed the connection before the end of its response")]
    Interrupted {
        url: String,
        #[source]
        cause: std::io::Error,
    },
    /// The response does not match this version of the API.
    #[error("acreta at {url} sent an unexpected response (status {status})")]
    Unexpected {
        url: String,
        status: u16,
        #[source]
        cause: serde_json::Error,
    },
}

impl Error {
    /// Returns the server's id of a refused call; `acreta logs --request` shows its log.
    pub fn request_id(&self) -> Option<&str> {
        match self {
            Self::Refused { request_id, .. } => Some(request_id),
            _ => None,
        }
    }
}

/// Calls one server. Every method is one call.
#[derive(Debug, Clone)]
pub struct Client {
    agent: Agent,
    token: String,
    url: String,
    request_id: Option<String>,
}

impl Client {
    /// Creates a client of the daemon at [`DEFAULT_URL`].
    pub fn new(token: &str) -> Self {
        Self::at(token, DEFAULT_URL)
    }

    /// Creates a client of a daemon at another URL.
    pub fn at(token: &str, url: &str) -> Self {
        let agent = Agent::config_builder()
            .timeout_connect(Some(Duration::from_secs(10)))
            .timeout_recv_response(Some(Duration::from_secs(150)))
            .http_status_as_error(false)
            .max_redirects(0)
            .proxy(None)
            .build();
        Self {
            agent: agent.into(),
            token: token.to_owned(),
            url: url.trim_end_matches('/').to_owned(),
            request_id: None,
        }
    }

    /// Sets the id of this client's calls in acreta's log: letters, digits and `._-`, at most 128.
    pub fn with_request_id(&self, id: &str) -> Self {
        Self {
            request_id: Some(id.to_owned()),
            ..self.clone()
        }
    }

    fn call<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        fields: Map<String, Value>,
    ) -> Result<T, Error> {
        let mut response = self.open(method, path, fields, None)?;
        let status = response.status().as_u16();
        let bytes = self.read(&mut response)?;
        serde_json::from_slice(&bytes).map_err(|cause| self.unexpected(status, cause))
    }

    fn stream(
        &self,
        path: &str,
        fields: Map<String, Value>,
        last_event_id: Option<&str>,
    ) -> Result<Events, Error> {
        let response = self.open(Method::GET, path, fields, last_event_id)?;
        Ok(Events::new(response, self.url.clone()))
    }

    fn open(
        &self,
        method: Method,
        path: &str,
        fields: Map<String, Value>,
        last_event_id: Option<&str>,
    ) -> Result<Response<Body>, Error> {
        let is_get = method == Method::GET;
        let mut url = format!("{}{path}", self.url);
        if is_get {
            url.push_str(&path::query(&fields));
        }
        let mut request = Request::builder()
            .method(method)
            .uri(url)
            .header("authorization", format!("Bearer {}", self.token));
        for (name, value) in [
            ("x-request-id", self.request_id.as_deref()),
            ("last-event-id", last_event_id),
        ] {
            if let Some(value) = value {
                request = request.header(name, value);
            }
        }
        let sent = if is_get {
            request
                .body(())
                .map_err(ureq::Error::from)
                .and_then(|request| self.agent.run(request))
        } else {
            request
                .header("content-type", "application/json")
                .body(Value::Object(fields).to_string())
                .map_err(ureq::Error::from)
                .and_then(|request| self.agent.run(request))
        };
        let response = sent.map_err(|cause| Error::Unreachable {
            url: self.url.clone(),
            cause: Box::new(cause),
        })?;
        match response.status().is_success() {
            true => Ok(response),
            false => Err(self.refused(response)),
        }
    }

    fn refused(&self, mut response: Response<Body>) -> Error {
        let status = response.status().as_u16();
        let bytes = match self.read(&mut response) {
            Ok(bytes) => bytes,
            Err(error) => return error,
        };
        match serde_json::from_slice::<ProblemBody>(&bytes) {
            Ok(body) => Error::Refused {
                status,
                problem: body.error,
                request_id: body.request_id,
            },
            Err(cause) => self.unexpected(status, cause),
        }
    }

    fn read(&self, response: &mut Response<Body>) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let mut body = response.body_mut().as_reader().take(MOST_BYTES);
        body.read_to_end(&mut bytes)
            .map_err(|cause| Error::Interrupted {
                url: self.url.clone(),
                cause,
            })?;
        Ok(bytes)
    }

    fn unexpected(&self, status: u16, cause: serde_json::Error) -> Error {
        Error::Unexpected {
            url: self.url.clone(),
            status,
            cause,
        }
    }
}

/// Returns the fields of a request that are set.
fn given(fields: &impl serde::Serialize) -> Map<String, Value> {
    match serde_json::to_value(fields) {
        Ok(Value::Object(fields)) => fields,
        // Request fields are structs, which serialise as objects.
        _ => Map::new(),
    }
}
