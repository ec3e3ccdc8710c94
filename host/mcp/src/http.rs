//! The server as a tower service for streamable HTTP. Every request stands for itself: there are no
//! sessions to pile up. Who may come in by which name, and from which page, is checked before
//! anything is read; tokens are the business of whoever mounts it.

use std::sync::Arc;

use rmcp::transport::streamable_http_server::StreamableHttpServerConfig;
use rmcp::transport::streamable_http_server::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;

use crate::backend::Backend;
use crate::server::MemoryServer;
use crate::stdio::ServeError;

/// Takes `POST`; answers everything else with 405.
pub type HttpService = StreamableHttpService<MemoryServer, NeverSessionManager>;

/// Names and pages that may reach the server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Doors {
    /// `Host` headers: `localhost`, or `127.0.0.1:8765` for one port. Loopback names when empty.
    pub hosts: Vec<String>,
    /// `Origin` headers of pages, `http://127.0.0.1:8765`. None when empty; requests without an
    /// `Origin` do not come from a page.
    pub origins: Vec<String>,
}

/// Refuses origins that every page can have, and those without a port, which would stand for all.
pub fn http_service(backend: Arc<dyn Backend>, doors: Doors) -> Result<HttpService, ServeError> {
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

/// Scheme, host and port.
fn names_one_origin(origin: &str) -> bool {
    let rest = origin
        .strip_prefix("http://")
        .or_else(|| origin.strip_prefix("https://"));
    let port = rest.and_then(|rest| rest.rsplit_once(':'));
    port.is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok())
}
