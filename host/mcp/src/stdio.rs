//! Serves one client over a pair of streams, from a synchronous caller. Ends when the client closes its end; earlier
//! requests are answered first.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::service::{QuitReason, ServerInitializeError};
use rmcp::transport::stdio_pipes;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::backend::Backend;
use crate::lines::LineTransport;
use crate::server::MemoryServer;

/// Serves stdin and stdout until the client disconnects. Stdout belongs to the protocol: a backend must not write to
/// it.
pub fn serve_stdio(backend: Arc<dyn Backend>) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .thread_name("acreta-mcp")
        .build()
        .map_err(ServeError::Runtime)?;
    let served = runtime.block_on(async {
        let (read, write) = stdio_pipes();
        serve_streams(backend, read, write).await
    });
    // A write in progress may finish; a read of stdin may block for ever.
    runtime.shutdown_timeout(LAST_CALLS);
    served
}

/// Serves any pair of streams, for callers with their own runtime.
pub async fn serve_streams(
    backend: Arc<dyn Backend>,
    read: impl AsyncRead + Send + Unpin + 'static,
    write: impl AsyncWrite + Send + Unpin + 'static,
) -> Result<(), ServeError> {
    let transport = LineTransport::new(read, write);
    let service = match MemoryServer::new(backend).serve(transport).await {
        Ok(service) => service,
        // The client only probed whether the server starts.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(ServeError::Start(Box::new(error))),
    };
    match service.waiting().await {
        Ok(QuitReason::JoinError(error)) | Err(error) => Err(ServeError::Broken(error.into())),
        Ok(_) => Ok(()),
    }
}

/// Reason why serving ended before the client did.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("could not start the runtime of the MCP server")]
    Runtime(#[source] io::Error),
    #[error("the MCP handshake failed")]
    Start(#[source] Box<ServerInitializeError>),
    #[error("the MCP server panicked")]
    Broken(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("`{origin}` cannot be allowed as an origin")]
    Origin { origin: String },
}

const LAST_CALLS: Duration = Duration::from_secs(10);
