//! Serving one client over a pair of streams, from a thread that knows nothing of async. Ends when
//! the client closes its end; what was asked before is answered first.

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

/// Serves standard input and output until the client goes away. Standard output belongs to the
/// protocol: a backend must not write to it.
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
    // A write that is under way may end; a read of standard input may hang for ever.
    runtime.shutdown_timeout(LAST_CALLS);
    served
}

/// The same over any streams, for callers with a runtime of their own.
pub async fn serve_streams(
    backend: Arc<dyn Backend>,
    read: impl AsyncRead + Send + Unpin + 'static,
    write: impl AsyncWrite + Send + Unpin + 'static,
) -> Result<(), ServeError> {
    let transport = LineTransport::new(read, write);
    let service = match MemoryServer::new(backend).serve(transport).await {
        Ok(service) => service,
        // Somebody looked whether the server starts, and went away.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(ServeError::Start(Box::new(error))),
    };
    match service.waiting().await {
        Ok(QuitReason::JoinError(error)) | Err(error) => Err(ServeError::Broken(error.into())),
        Ok(_) => Ok(()),
    }
}

/// Why serving ended before the client did.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("could not start the runtime of the MCP server")]
    Runtime(#[source] io::Error),
    #[error("the MCP client and the server could not agree how to begin")]
    Start(#[source] Box<ServerInitializeError>),
    #[error("the MCP server broke down")]
    Broken(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("`{origin}` is not an origin that may be allowed")]
    Origin { origin: String },
}

const LAST_CALLS: Duration = Duration::from_secs(10);
