//! A client in memory, and helpers of the tests.

use std::sync::Arc;

use acreta_mcp::serve_streams;
use rmcp::model::{CallToolRequestParams, CallToolResult, ProtocolVersion};
use rmcp::service::RunningService;
use rmcp::{ClientLifecycleMode, ClientServiceExt, RoleClient, ServiceError};
use serde_json::Value;

use crate::fake::Fake;

pub(crate) type Client = RunningService<RoleClient, ()>;

/// Runs a test of one client against a server over a pipe in memory.
pub(crate) fn with_client(test: impl AsyncFnOnce(Client, Arc<Fake>)) {
    with_lifecycle(ClientLifecycleMode::Initialize, test);
}

pub(crate) fn with_lifecycle(
    lifecycle: ClientLifecycleMode,
    test: impl AsyncFnOnce(Client, Arc<Fake>),
) {
    run(async {
        let fake = Arc::new(Fake::default());
        let (near, far) = tokio::io::duplex(64 * 1024);
        let (read, write) = tokio::io::split(far);
        let backend = Arc::clone(&fake);
        let server = tokio::spawn(async move { serve_streams(backend, read, write).await });
        let client = ().serve_with_lifecycle(near, lifecycle).await.unwrap();
        test(client, fake).await;
        server.await.unwrap().unwrap();
    });
}

/// The protocol revision without a handshake.
pub(crate) fn discovering() -> ClientLifecycleMode {
    ClientLifecycleMode::Discover {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
    }
}

pub(crate) fn run<T>(test: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_all().build().unwrap();
    runtime.block_on(test)
}

pub(crate) async fn call(
    client: &Client,
    tool: &'static str,
    arguments: Value,
) -> Result<CallToolResult, ServiceError> {
    client.call_tool(params(tool, arguments)).await
}

pub(crate) fn params(tool: &'static str, arguments: Value) -> CallToolRequestParams {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    CallToolRequestParams::new(tool).with_arguments(arguments)
}

pub(crate) fn text(result: &CallToolResult) -> &str {
    &result.content[0].as_text().unwrap().text
}

pub(crate) fn structured(result: &CallToolResult) -> &Value {
    result.structured_content.as_ref().unwrap()
}

/// Returns code and message of a refusal.
pub(crate) fn refusal<T: std::fmt::Debug>(result: Result<T, ServiceError>) -> (i32, String) {
    match result {
        Err(ServiceError::McpError(error)) => (error.code.0, error.message.into_owned()),
        other => panic!("not refused: {other:?}"),
    }
}
