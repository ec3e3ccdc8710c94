//! The server as a tower service for streamable HTTP. It is stateless: there are no sessions to accumulate. `Host` and
//! `Origin` are checked before anything is read; the caller that mounts the service checks tokens.

use std::sync::Arc;

use rmcp::transport::streamable_http_server::StreamableHttpServerConfig;
use rmcp::transport::streamable_http_server::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;

use crate::backend::Backend;
use crate::server::MemoryServer;
use crate::stdio::ServeError;

/// Accepts `POST`; answers everything else with 405.
pub type HttpService = StreamableHttpService<MemoryServer, NeverSessionManager>;

/// The allowed `Host` and `Origin` headers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllowedCallers {
    /// `Host` headers: `localhost`, or `127.0.0.1:8765` for one port. Loopback names when empty.
    pub hosts: Vec<String>,
    /// `Origin` headers of pages, `http://127.0.0.1:8765`. Empty allows none; requests without an `Origin` do not come
    /// from a page.
    pub origins: Vec<String>,
}

/// Refuses origins that any page can have, and those without a port, which would match all ports.
pub fn http_service(
    backend: Arc<dyn Backend>,
    doors: AllowedCallers,
) -> Result<HttpService, ServeError> {
    for origin in &doors.origins {
        if !names_one_origin(origin) {
            let origin = origin.clone();
            return Err(ServeError::Origin { origin });
        }
    }
    let mut config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(BODY_BYTES)
        .with_allowed_origins(doors.origins)
        .enforce_origin_validation();
    if !doors.hosts.is_empty() {
        config = config.with_allowed_hosts(doors.hosts);
    }
    let server = MemoryServer::new(backend);
    let make = move || Ok(server.clone());
    Ok(StreamableHttpService::new(
        make,
        Arc::new(NeverSessionManager::default()),
        config,
    ))
}

const BODY_BYTES: usize = 1024 * 1024;

/// Returns whether an origin has scheme, host and port.
fn names_one_origin(origin: &str) -> bool {
    let rest = origin
        .strip_prefix("http://")
        .or_else(|| origin.strip_prefix("https://"));
    let port = rest.and_then(|rest| rest.rsplit_once(':'));
    port.is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok())
}
