//! Who comes in. Everything is decided from the head of a request, before a byte of its body is
//! read: by which name it came, from which page, and with which token or cookie.

use axum::extract::Request;
use http::{HeaderMap, Method, StatusCode, header};

use crate::api::ProblemCode;
use crate::login::{Logins, same};
use crate::refusal::Refusal;

/// The server's own names, and its token.
pub(crate) struct Doors {
    /// `127.0.0.1:8765` and the like, in lower case.
    hosts: Vec<String>,
    token: String,
}

/// What a path asks of whoever comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Open,
    Token,
}

impl Doors {
    /// `bound` is the host as it was asked for.
    pub(crate) fn new(bound: &str, port: u16, token: String) -> Self {
        let bound = bound.trim_matches(['[', ']']).to_ascii_lowercase();
        let bound = match bound.contains(':') {
            true => format!("[{bound}]"),
            false => bound,
        };
        let mut hosts = Vec::new();
        for name in ["127.0.0.1", "localhost", "[::1]", &bound] {
            hosts.push(format!("{name}:{port}"));
            // Browsers leave this port out.
            if port == 80 {
                hosts.push(name.to_owned());
            }
        }
        Self { hosts, token }
    }

    /// For the MCP service, which looks once more.
    pub(crate) fn for_mcp(&self) -> acreta_mcp::Doors {
        let with_port = self.hosts.iter().filter(|host| has_port(host));
        acreta_mcp::Doors {
            hosts: self.hosts.clone(),
            origins: with_port.map(|host| format!("http://{host}")).collect(),
        }
    }

    pub(crate) fn admit(
        &self,
        request: &Request,
        access: Access,
        logins: &Logins,
        now_ms: u64,
    ) -> Result<(), Refusal> {
        let headers = request.headers();
        let host = self.host(request)?;
        let origin = only(headers, header::ORIGIN)?;
        if origin.is_some_and(|origin| !is_origin_of(origin, &host)) {
            return Err(wrong_origin("the request comes from another page"));
        }
        if access == Access::Open {
            return Ok(());
        }
        if let Some(given) = only(headers, header::AUTHORIZATION)? {
            let token = given
                .split_once(' ')
                .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
            let fits = token.is_some_and(|(_, token)| same(token.trim(), &self.token));
            return if fits { Ok(()) } else { Err(unauthorised()) };
        }
        let cookie = cookie(headers).ok_or_else(unauthorised)?;
        if !logins.knows(cookie, now_ms) {
            return Err(unauthorised());
        }
        // A cookie comes along by itself: the page that sent the request must be ours.
        if request.method() != Method::GET && origin.is_none() {
            return Err(wrong_origin("a call with a cookie needs its `Origin`"));
        }
        let site = only(headers, header::HeaderName::from_static("sec-fetch-site"))?;
        if site.is_some_and(|site| site != "same-origin" && site != "none") {
            return Err(wrong_origin("the request comes from another page"));
        }
        Ok(())
    }

    /// The name by which the request came, which is one of ours.
    fn host(&self, request: &Request) -> Result<String, Refusal> {
        let host = only(request.headers(), header::HOST)?;
        let host = host.ok_or_else(|| Refusal::malformed("there is no `Host`"))?;
        let host = host.to_ascii_lowercase();
        let authority = request.uri().authority();
        let same = authority.is_none_or(|other| other.as_str().eq_ignore_ascii_case(&host));
        if same && self.hosts.contains(&host) {
            return Ok(host);
        }
        let message = "the request came by a name that is not this server's";
        Err(Refusal::new(
            StatusCode::FORBIDDEN,
            ProblemCode::WrongHost,
            message,
        ))
    }
}

/// The value of the cookie, if there is one.
pub(crate) fn cookie(headers: &HeaderMap) -> Option<&str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .find_map(|pair| pair.trim().strip_prefix("acreta="))
}

/// A header that must not be there twice.
fn only(headers: &HeaderMap, name: header::HeaderName) -> Result<Option<&str>, Refusal> {
    let mut values = headers.get_all(&name).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    match (value.to_str(), values.next()) {
        (Ok(value), None) => Ok(Some(value)),
        _ => Err(Refusal::malformed(format!("`{name}` is not one text"))),
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
        "there is no token, or a wrong one",
    )
    .header(
        header::WWW_AUTHENTICATE,
        http::HeaderValue::from_static("Bearer"),
    )
    .hint("in a browser, run `acreta dashboard`; elsewhere, send `Authorization: Bearer` with the token")
}
