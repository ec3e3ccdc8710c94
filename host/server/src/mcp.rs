//! MCP over HTTP, per project: `/mcp` is the server's own; `?project_root=` or the header `acreta-project` selects
//! another registered one.

use std::sync::Arc;

use acreta_mcp::http_service;
use axum::body::Body;
use axum::extract::{Extension, Request, State};
use axum::response::Response;
use http::Method;
use http_body_util::Full;
use tokio::time::timeout;
use tower_service::Service as _;

use crate::api::InProject;
use crate::input::{self, RequestShape, typed};
use crate::refusal::{Refusal, wrong_method};
use crate::server::{CallClass, Server};
use crate::service::Caller;

pub(crate) async fn answer(
    State(server): State<Arc<Server>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Response {
    let answer = pass_on(server, request).await;
    answer.unwrap_or_else(|refusal| refusal.into_response(&caller.request_id))
}

async fn pass_on(server: Arc<Server>, request: Request) -> Result<Response, Refusal> {
    if request.method() != Method::POST {
        return Err(wrong_method(["POST"].into_iter()));
    }
    input::check_is_json(request.headers())?;
    let project = project_of(&request)?;
    let (parts, body) = request.into_parts();
    let body = input::body(body, &server.limits).await?;
    let asked = Arc::clone(&server);
    let find = move || {
        asked.check_project(project.as_deref())?;
        let backend = asked.service.backend(project.as_deref());
        backend.map_err(Refusal::from)
    };
    let backend = server.blocking(CallClass::Usual, find).await??;
    let turn = timeout(server.limits.call_time, server.turns.long.acquire()).await;
    let Ok(Ok(_turn)) = turn else {
        return Err(Refusal::busy("too many calls at once"));
    };
    let mut service = http_service(backend, server.authenticator.for_mcp()).map_err(|error| {
        tracing::error!(%error, "the MCP service could not be created");
        Refusal::broke_down()
    })?;
    let request = http::Request::from_parts(parts, Full::new(body));
    let answered = timeout(server.limits.long_call_time, service.call(request)).await;
    let Ok(answered) = answered.map_err(|_| Refusal::timed_out())?;
    Ok(answered.map(Body::new))
}

/// Returns the project, which may be named only once, in one of the two ways.
fn project_of(request: &Request) -> Result<Option<String>, Refusal> {
    let shape = RequestShape::of::<InProject>(&mut schemars::SchemaGenerator::default());
    let mut query = shape.read_query(request.uri().query().unwrap_or(""))?;
    shape.check_bounds(&mut query)?;
    let by_query = typed::<InProject>(query)?.project_root;
    let by_header = match request.headers().get("acreta-project") {
        None => None,
        Some(value) => {
            let text = std::str::from_utf8(value.as_bytes());
            Some(text.map_err(|_| Refusal::invalid("`acreta-project` is not UTF-8"))?)
        }
    };
    match (by_query, by_header) {
        (Some(_), Some(_)) => Err(Refusal::invalid(
            "the project is named twice: by `project_root` and by `acreta-project`",
        )),
        (Some(project), None) => Ok(Some(project)),
        (None, header) => Ok(header.map(str::to_owned)),
    }
}
