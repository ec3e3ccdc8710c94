//! Fetches from a URL. Connections are encrypted or local, including redirects; a reply that is larger than allowed or
//! incomplete is an error. No proxy is taken from the environment.

use std::io::Read;

use ureq::http::{HeaderMap, Response};
use ureq::{Agent, Body, Error};

use super::{
    COMPONENT_BYTES, FetchError, FetchOptions, Fetched, FetchedKind, FetchedManifest,
    MANIFEST_BYTES, SIGNATURE_BYTES, signature_name,
};
use crate::manifest::{MANIFEST, Manifest};
use crate::source::{Address, Source};

/// Fetches the manifest first: it names its component.
pub(crate) fn fetch(address: &Address, options: &FetchOptions) -> Result<Fetched, FetchError> {
    let http = FetchClient::new(options);
    let manifest_address = address.beside(MANIFEST);
    let manifest = match http.file(&manifest_address, MANIFEST_BYTES)? {
        Some(bytes) => text(&manifest_address, bytes)?,
        None => {
            return Err(FetchError::NoManifest {
                place: manifest_address.as_str().to_owned(),
            });
        }
    };
    let place = manifest_address.as_str().into();
    let component = Manifest::parse(place, &manifest)?.component;
    if address.file_name() != MANIFEST && address.file_name() != component {
        return Err(FetchError::OtherComponent {
            place: manifest_address.as_str().to_owned(),
            named: component,
            wanted: address.file_name().to_owned(),
        });
    }
    let component_address = address.beside(&component);
    let bytes = http.file(&component_address, COMPONENT_BYTES)?;
    let bytes = bytes.ok_or_else(|| FetchError::Status {
        url: component_address.as_str().to_owned(),
        status: 404,
    })?;
    let signature_address = address.beside(&signature_name(&component));
    let signature = http.file(&signature_address, SIGNATURE_BYTES)?;
    let signature = signature
        .map(|bytes| text(&signature_address, bytes))
        .transpose()?;
    Ok(Fetched {
        source: Source::Url(address.clone()),
        resolved: None,
        manifest: FetchedManifest {
            place: place.to_owned(),
            text: manifest,
        },
        component: bytes,
        signature,
        kind: FetchedKind::Published,
    })
}

/// Fetches a small text; `None` if the server does not have it.
pub fn fetch_text(
    address: &Address,
    max_bytes: u64,
    options: &FetchOptions,
) -> Result<Option<String>, FetchError> {
    let bytes = FetchClient::new(options).file(address, max_bytes)?;
    bytes.map(|bytes| text(address, bytes)).transpose()
}

/// Optional parts of a request.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct FetchRequest<'a> {
    pub(crate) accept: Option<&'a str>,
    /// Token for the first host only: a redirect to another host does not carry it.
    pub(crate) token: Option<&'a str>,
    /// Offset of the first requested byte.
    pub(crate) from: u64,
}

pub(crate) struct FetchReply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl FetchReply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

pub(crate) struct FetchClient {
    agent: Agent,
}

impl FetchClient {
    pub(crate) fn new(options: &FetchOptions) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .max_idle_connections(0)
            .proxy(None)
            .timeout_connect(Some(options.connect_timeout))
            .timeout_global(Some(options.timeout))
            .user_agent(concat!("acreta/", env!("CARGO_PKG_VERSION")))
            .build();
        Self {
            agent: config.new_agent(),
        }
    }

    /// Fetches a file; `None` if the server does not have it.
    fn file(&self, address: &Address, most: u64) -> Result<Option<Vec<u8>>, FetchError> {
        let reply = self.get(address, FetchRequest::default(), most)?;
        match reply.status {
            200 => Ok(Some(reply.body)),
            404 | 410 => Ok(None),
            status => Err(FetchError::Status {
                url: address.as_str().to_owned(),
                status,
            }),
        }
    }

    /// Sends a request, follows redirects, and reads the complete reply.
    pub(crate) fn get(
        &self,
        address: &Address,
        ask: FetchRequest<'_>,
        most: u64,
    ) -> Result<FetchReply, FetchError> {
        whole(self.respond(address, ask)?, address, most)
    }

    /// Sends a request and follows at most five redirects, each to an allowed address. The body is not read yet.
    pub(crate) fn respond(
        &self,
        address: &Address,
        ask: FetchRequest<'_>,
    ) -> Result<Response<Body>, FetchError> {
        let mut next = address.clone();
        for _ in 0..=REDIRECTS {
            let token = ask.token.filter(|_| next.place() == address.place());
            let response = self.respond_once(&next, FetchRequest { token, ..ask })?;
            let location = match response.status().as_u16() {
                301 | 302 | 303 | 307 | 308 => response.headers().get("location"),
                _ => return Ok(response),
            };
            let location = location.and_then(|location| location.to_str().ok());
            let redirect = |problem: String| FetchError::Redirect {
                url: next.as_str().to_owned(),
                problem,
            };
            let location =
                location.ok_or_else(|| redirect("the redirect names no target".to_owned()))?;
            next = next
                .redirected(location)
                .map_err(|error| redirect(error.to_string()))?;
        }
        Err(FetchError::Redirect {
            url: address.as_str().to_owned(),
            problem: format!("more than {REDIRECTS} redirects"),
        })
    }

    fn respond_once(
        &self,
        address: &Address,
        ask: FetchRequest<'_>,
    ) -> Result<Response<Body>, FetchError> {
        let mut request = self.agent.get(address.as_str());
        if let Some(accept) = ask.accept {
            request = request.header("accept", accept);
        }
        if let Some(token) = ask.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        if ask.from > 0 {
            request = request.header("range", format!("bytes={}-", ask.from));
        }
        request.call().map_err(|cause| failure(address, cause))
    }
}

/// Reads a complete reply of at most `most` bytes.
fn whole(
    mut response: Response<Body>,
    address: &Address,
    most: u64,
) -> Result<FetchReply, FetchError> {
    let url = || address.as_str().to_owned();
    let length = response.headers().get("content-length");
    let length: Option<u64> = length.and_then(|length| length.to_str().ok()?.parse().ok());
    let too_large = || FetchError::TooLarge {
        url: url(),
        allowed: most,
    };
    if length.is_some_and(|length| length > most) {
        return Err(too_large());
    }
    let mut body = Vec::new();
    let read = response
        .body_mut()
        .as_reader()
        .take(most.saturating_add(1))
        .read_to_end(&mut body);
    let received = body.len() as u64;
    if received > most {
        return Err(too_large());
    }
    let half = || FetchError::HalfDownload {
        url: url(),
        expected: length,
        received,
    };
    match read.map_err(Error::from) {
        Ok(_) if length.is_some_and(|length| length != received) => return Err(half()),
        Ok(_) => {}
        Err(Error::Timeout(_)) => return Err(FetchError::Timeout { url: url() }),
        Err(_) => return Err(half()),
    }
    Ok(FetchReply {
        status: response.status().as_u16(),
        headers: response.headers().clone(),
        body,
    })
}

const REDIRECTS: usize = 5;

fn failure(address: &Address, cause: Error) -> FetchError {
    let url = address.as_str().to_owned();
    match cause {
        Error::Timeout(_) => FetchError::Timeout { url },
        cause => FetchError::Unreached {
            url,
            cause: Box::new(cause),
        },
    }
}

pub(crate) fn text(address: &Address, bytes: Vec<u8>) -> Result<String, FetchError> {
    String::from_utf8(bytes).map_err(|_| FetchError::NotText {
        url: address.as_str().to_owned(),
    })
}
