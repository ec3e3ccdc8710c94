//! Authentication. Everything is decided from the head of a request, before a byte of its body is read: its `Host`, its
//! `Origin`, and its token: the daemon's, or that of a browser that logged in.
//!
//! There are no cookies: a browser sends those to every port of a host, and any user of this machine may serve one.

use axum::extract::Request;
use http::{HeaderMap, StatusCode, header};

use crate::api::ProblemCode;
use crate::login::{Logins, same};
use crate::refusal::Refusal;

/// The server's own host names, and its token.
pub(crate) struct Authenticator {
    /// `127.0.0.1:8765` and the like, in lower case.
    hosts: Vec<String>,
    token: String,
}

/// Access that a path requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequiredAccess {
    Open,
    Token,
}

impl Authenticator {
    /// Creates the check; `bound` is the host as it was configured.
    pub(crate) fn new(bound: &str, port: u16, token: String) -> Self {
        let bound = bound.trim_matches(['[', ']']).to_ascii_lowercase();
        let bound = match bound.contains(':') {
            true => format!("[{bound}]"),
            false => bound,
        };
        let mut hosts = Vec::new();
        for name in ["127.0.0.1", "localhost", "[::1]", &bound] {
            hosts.push(format!("{name}:{port}"));
            // Browsers omit this port.
            if port == 80 {
                hosts.push(name.to_owned());
            }
        }
        Self { hosts, token }
    }

    /// Returns the hosts and origins for the MCP service, which checks them again.
    pub(crate) fn for_mcp(&self) -> acreta_mcp::AllowedCallers {
        let with_port = self.hosts.iter().filter(|host| has_port(host));
        acreta_mcp::AllowedCallers {
            hosts: self.hosts.clone(),
            origins: with_port.map(|host| format!("http://{host}")).collect(),
        }
    }

    pub(crate) fn authorize(
        &self,
        request: &Request,
        access: RequiredAccess,
        logins: &Logins,
        now_ms: u64,
    ) -> Result<(), Refusal> {
        let headers = request.headers();
        let host = self.host(request)?;
        let origin = only(headers, header::ORIGIN)?;
        if origin.is_some_and(|origin| !is_origin_of(origin, &host)) {
            return Err(wrong_origin("the request comes from another page"));
        }
        if access == RequiredAccess::Open {
            return Ok(());
        }
        let site = only(headers, header::HeaderName::from_static("sec-fetch-site"))?;
        if site.is_some_and(|site| site != "same-origin" && site != "none") {
            return Err(wrong_origin("the request comes from another page"));
        }
        let given = only(headers, header::AUTHORIZATION)?.and_then(bearer);
        let given = given.ok_or_else(unauthorised)?;
        match same(given, &self.token) | logins.knows(given, now_ms) {
            true => Ok(()),
            false => Err(unauthorised()),
        }
    }

    /// Returns the request's host, which must be one of ours.
    fn host(&self, request: &Request) -> Result<String, Refusal> {
        let host = only(request.headers(), header::HOST)?;
        let host = host.ok_or_else(|| Refusal::malformed("the `Host` header is missing"))?;
        let host = host.to_ascii_lowercase();
        let authority = request.uri().authority();
        let same = authority.is_none_or(|other| other.as_str().eq_ignore_ascii_case(&host));
        if same && self.hosts.contains(&host) {
            return Ok(host);
        }
        let message = "the `Host` header does not name this server";
        Err(Refusal::new(
            StatusCode::FORBIDDEN,
            ProblemCode::WrongHost,
            message,
        ))
    }
}

/// Returns the token of an `Authorization` header.
pub(crate) fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("bearer")
        .then_some(token.trim())
}

/// Returns a header that must not occur twice.
fn only(headers: &HeaderMap, name: header::HeaderName) -> Result<Option<&str>, Refusal> {
    let mut values = headers.get_all(&name).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    match (value.to_str(), values.next()) {
        (Ok(value), None) => Ok(Some(value)),
        _ => Err(Refusal::malformed(format!(
            "the header `{name}` must be given once, as text"
        ))),
    }
}

fn is_origin_of(origin: &str, host: &str) -> bool {
    origin
        .strip_prefix("http://")
        .is_some_and(|rest| rest.eq_ignore_ascii_case(host))
}

fn has_port(host: &str) -> bool {
    let port = host.rsplit_once(':').map(|(_, port)| port);
    port.is_some_and(|port| port.parse::<u16>().is_ok())
}

fn wrong_origin(message: &str) -> Refusal {
    Refusal::new(StatusCode::FORBIDDEN, ProblemCode::WrongOrigin, message)
}

fn unauthorised() -> Refusal {
    Refusal::new(
        StatusCode::UNAUTHORIZED,
        ProblemCode::Unauthorised,
        "missing or wrong token",
    )
    .header(
        header::WWW_AUTHENTICATE,
        http::HeaderValue::from_static("Bearer"),
    )
    .hint("in a browser, run `acreta dashboard`; elsewhere, send `Authorization: Bearer` with the token")
}
