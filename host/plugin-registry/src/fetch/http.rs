//! Fetches from a URL. Connections are encrypted or local, including redirects; a reply that is larger than allowed or
//! incomplete is an error. No proxy is taken from the environment.

use std::io::Read;

use camino::Utf8PathBuf;
use ureq::http::{HeaderMap, Method, Request, Response};
use ureq::{Agent, Body, Error};

use super::{
    COMPONENT_BYTES, FetchError, FetchOptions, Fetched, FetchedKind, FetchedManifest,
    SIGNATURE_BYTES, assembled, embedded_in, signature_names,
};
use crate::manifest::MANIFEST_BYTES;
use crate::manifest::{MANIFEST, Manifest};
use crate::source::{Address, Source};

/// Fetches the manifest first, which names its component; or a component that may have its manifest inside.
pub(crate) fn fetch(address: &Address, options: &FetchOptions) -> Result<Fetched, FetchError> {
    let http = FetchClient::new(options);
    let missing = |address: &Address| FetchError::Status {
        url: address.as_str().to_owned(),
        status: 404,
    };
    if address.file_name() != MANIFEST {
        let component = http.file(address, COMPONENT_BYTES)?;
        let component = component.ok_or_else(|| missing(address))?;
        let has_own = embedded_in(&component, address.as_str())?
            .manifest
            .is_some();
        let beside = match has_own {
            true => None,
            false => Some(manifest(&http, address)?),
        };
        if let Some((beside, named)) = &beside
            && named != address.file_name()
        {
            return Err(FetchError::OtherComponent {
                place: beside.place.to_string(),
                named: named.clone(),
                wanted: address.file_name().to_owned(),
            });
        }
        let beside = beside.map(|(beside, _)| beside);
        return with_signature(&http, address, address, component, beside);
    }
    let (beside, named) = manifest(&http, address)?;
    let component_address = address.beside(&named);
    let component = http.file(&component_address, COMPONENT_BYTES)?;
    let component = component.ok_or_else(|| missing(&component_address))?;
    with_signature(&http, address, &component_address, component, Some(beside))
}

/// Fetches the manifest beside an address; returns it with the component that it names.
fn manifest(
    http: &FetchClient,
    address: &Address,
) -> Result<(FetchedManifest, String), FetchError> {
    let address = address.beside(MANIFEST);
    let Some(bytes) = http.file(&address, MANIFEST_BYTES)? else {
        return Err(FetchError::NoManifest {
            place: address.as_str().to_owned(),
        });
    };
    let place = Utf8PathBuf::from(address.as_str());
    let text = text(&address, bytes)?;
    let component = Manifest::parse(&place, &text)?.component;
    Ok((FetchedManifest { place, text }, component))
}

fn with_signature(
    http: &FetchClient,
    address: &Address,
    component_address: &Address,
    component: Vec<u8>,
    beside: Option<FetchedManifest>,
) -> Result<Fetched, FetchError> {
    let mut signature = None;
    for name in signature_names(component_address.file_name()) {
        let address = component_address.beside(&name);
        if signature.is_none()
            && let Some(bytes) = http.file(&address, SIGNATURE_BYTES)?
        {
            signature = Some(text(&address, bytes)?);
        }
    }
    let source = Source::Url(address.clone());
    assembled(source, component, beside, signature, FetchedKind::Published)
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
    /// Value of the header `authorization`, for the first host only: a redirect to another host does not carry it.
    pub(crate) authorization: Option<&'a str>,
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
    pub(super) fn file(&self, address: &Address, most: u64) -> Result<Option<Vec<u8>>, FetchError> {
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

    /// Asks if an address exists. The reply has no body.
    pub(crate) fn head(
        &self,
        address: &Address,
        authorization: Option<&str>,
    ) -> Result<FetchReply, FetchError> {
        let mut request = self.agent.head(address.as_str());
        if let Some(authorization) = authorization {
            request = request.header("authorization", authorization);
        }
        let response = request.call().map_err(|cause| failure(address, cause))?;
        Ok(FetchReply {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            body: Vec::new(),
        })
    }

    /// Sends a request with a body, follows no redirect, and reads the complete reply.
    pub(crate) fn send(
        &self,
        method: Method,
        address: &Address,
        authorization: Option<&str>,
        content: Option<(&str, &[u8])>,
    ) -> Result<FetchReply, FetchError> {
        let mut request = Request::builder().method(method).uri(address.as_str());
        if let Some(authorization) = authorization {
            request = request.header("authorization", authorization);
        }
        if let Some((media_type, _)) = content {
            request = request.header("content-type", media_type);
        }
        let failed = |cause| failure(address, cause);
        let body = content.map_or(&[][..], |(_, bytes)| bytes);
        let request = request.body(body).map_err(|error| failed(error.into()))?;
        whole(
            self.agent.run(request).map_err(failed)?,
            address,
            REPLY_BYTES,
        )
    }

    /// Sends a request and follows at most five redirects, each to an allowed address. The body is not read yet.
    pub(crate) fn respond(
        &self,
        address: &Address,
        ask: FetchRequest<'_>,
    ) -> Result<Response<Body>, FetchError> {
        let mut next = address.clone();
        for _ in 0..=REDIRECTS {
            let authorization = ask
                .authorization
                .filter(|_| next.place() == address.place());
            let ask = FetchRequest {
                authorization,
                ..ask
            };
            let response = self.respond_once(&next, ask)?;
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
        if let Some(authorization) = ask.authorization {
            request = request.header("authorization", authorization);
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
/// Maximum size of the reply to a request with a body.
const REPLY_BYTES: u64 = 1024 * 1024;

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
