//! Dispatches a request: the checks before every handler, the routes of the table, the files of the dashboard, and the
//! headers of every answer.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Extension, RawPathParams, Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::any;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use tokio::time::Instant;
use tracing::Instrument;

use crate::auth::{self, RequiredAccess};
use crate::correlation::Correlation;
use crate::input::{self, RequestShape};
use crate::refusal::{JSON, Refusal, wrong_method};
use crate::routes::{Handler, Route, RouteCall, table};
use crate::server::Server;
use crate::service::Caller;
use crate::{events, mcp};

pub(crate) fn router(server: Arc<Server>) -> Router {
    let mut by_path: BTreeMap<&'static str, Vec<BoundRoute>> = BTreeMap::new();
    for route in table() {
        let mut generator = inlined();
        let shape = route.shape(&mut generator);
        let ready = BoundRoute { route, shape };
        by_path.entry(ready.route.path).or_default().push(ready);
    }
    let mut router = Router::new();
    for (path, routes) in by_path {
        let routes = Arc::new(routes);
        let handle =
            move |State(server): State<Arc<Server>>,
                  Extension(caller): Extension<Caller>,
                  path: Result<RawPathParams, axum::extract::rejection::RawPathParamsRejection>,
                  request: Request| {
                let routes = Arc::clone(&routes);
                async move {
                    let request_id = caller.request_id.clone();
                    let answer = answer(server, routes, caller, path.ok(), request).await;
                    answer.unwrap_or_else(|refusal| refusal.into_response(&request_id))
                }
            };
        router = router.route(path, any(handle));
    }
    router
        .route("/mcp", any(mcp::answer))
        .fallback(file)
        .layer(from_fn_with_state(Arc::clone(&server), front))
        .with_state(server)
}

/// Schemas without references, so that all bounds of a field are in its schema.
fn inlined() -> SchemaGenerator {
    let settings = SchemaSettings::draft2020_12();
    settings
        .with(|settings| settings.inline_subschemas = true)
        .into_generator()
}

/// A route with the fields of its request.
struct BoundRoute {
    route: Route,
    shape: RequestShape,
}

/// Checks every request, and adds headers to every answer.
async fn front(State(server): State<Arc<Server>>, mut request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let given = Correlation::of(request.headers());
    let caller = match given.request_id {
        Some(request_id) => Caller { request_id },
        None => server.next_caller(),
    };
    let request_id = caller.request_id.clone();
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let kind = AnswerKind::of(&path);
    let access = kind.access(&method, &path);
    let traceparent = given.traceparent;
    let span = tracing::info_span!("request", request_id, %method, path, traceparent);
    let admitted =
        server
            .authenticator
            .authorize(&request, access, &server.logins, server.now_ms());
    let mut response = match admitted {
        Ok(()) => {
            request.extensions_mut().insert(caller);
            next.run(request).instrument(span.clone()).await
        }
        Err(refusal) => refusal.into_response(&request_id),
    };
    let status = response.status().as_u16();
    let milliseconds = begun.elapsed().as_millis() as u64;
    span.in_scope(|| tracing::info!(request_id, %method, path, status, milliseconds, "answered"));
    finish(response.headers_mut(), kind, &request_id);
    response
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AnswerKind {
    Call,
    File,
}

impl AnswerKind {
    fn of(path: &str) -> Self {
        let first = path.trim_start_matches('/').split('/').next();
        match first {
            Some("api" | "v1" | "mcp") => Self::Call,
            _ => Self::File,
        }
    }

    fn access(self, method: &Method, path: &str) -> RequiredAccess {
        match (self, path) {
            (Self::File, _) => RequiredAccess::Open,
            (_, "/api/health") if method == Method::GET => RequiredAccess::Open,
            (_, "/api/login") if method == Method::POST => RequiredAccess::Open,
            _ => RequiredAccess::Token,
        }
    }
}

fn finish(headers: &mut HeaderMap, kind: AnswerKind, request_id: &str) {
    if let Ok(value) = HeaderValue::from_str(request_id) {
        headers.insert(HeaderName::from_static("x-request-id"), value);
    }
    let fixed = [
        (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let cache = match kind {
        AnswerKind::Call => "no-store",
        AnswerKind::File => "no-cache",
    };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
}

const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

async fn answer(
    server: Arc<Server>,
    routes: Arc<Vec<BoundRoute>>,
    caller: Caller,
    path: Option<RawPathParams>,
    request: Request,
) -> Result<Response, Refusal> {
    let method = request.method();
    let Some(index) = routes
        .iter()
        .position(|ready| ready.route.method == *method)
    else {
        return Err(wrong_method(
            routes.iter().map(|ready| ready.route.method.as_str()),
        ));
    };
    let ready = &routes[index];
    let path = path.ok_or_else(|| Refusal::malformed("the path is not UTF-8"))?;
    let path: Vec<(String, String)> = path
        .iter()
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let token = request.headers().get(header::AUTHORIZATION);
    let token = token.and_then(|value| auth::bearer(value.to_str().ok()?));
    let token = token.map(str::to_owned);
    let query = request.uri().query().unwrap_or("").to_owned();
    let headers = request.headers().clone();
    let mut input = match ready.route.has_effects() {
        false => ready.shape.read_query(&query)?,
        true => {
            input::check_is_json(&headers)?;
            NO_FIELDS.read_query(&query)?;
            let body = input::body(request.into_body(), &server.limits).await?;
            ready.shape.read_body(&body)?
        }
    };
    ready.shape.check_bounds(&mut input)?;
    if let Handler::Events = ready.route.handler {
        return events::stream(server, &headers, input).await;
    }
    let patience = ready.route.patience;
    let success = ready.route.success;
    let work = {
        let server = Arc::clone(&server);
        move || -> Result<Response, Refusal> {
            let call = RouteCall {
                server: &server,
                caller,
                path,
                token,
            };
            let body = call.answer(&routes[index].route, input)?;
            let mut response = Response::new(Body::from(body));
            *response.status_mut() = success;
            response.headers_mut().insert(header::CONTENT_TYPE, JSON);
            Ok(response)
        }
    };
    server.blocking(patience, work).await?
}

const NO_FIELDS: RequestShape = RequestShape { fields: Vec::new() };

/// Returns a file of the dashboard, or an error.
async fn file(
    State(server): State<Arc<Server>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Response {
    let found = find_file(&server, &request);
    found.unwrap_or_else(|refusal| refusal.into_response(&caller.request_id))
}

fn find_file(server: &Server, request: &Request) -> Result<Response, Refusal> {
    let path = request.uri().path();
    let nothing = || Refusal::not_found("no such path");
    if AnswerKind::of(path) == AnswerKind::Call {
        return Err(nothing());
    }
    if request.method() != Method::GET {
        return Err(wrong_method(["GET"].into_iter()));
    }
    let name = path.strip_prefix('/').unwrap_or(path);
    let name = if name.is_empty() { "index.html" } else { name };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-/".contains(&byte);
    let is_file = |part: &str| !part.is_empty() && !part.starts_with('.');
    if !name.bytes().all(plain) || !name.split('/').all(is_file) {
        return Err(nothing());
    }
    let asset = (server.assets)(name).ok_or_else(nothing)?;
    let content_type = HeaderValue::from_str(&asset.content_type).map_err(|_| nothing())?;
    let etag = asset
        .etag
        .and_then(|etag| HeaderValue::from_str(&etag).ok());
    let known = request.headers().get(header::IF_NONE_MATCH);
    let is_known = etag.is_some() && known == etag.as_ref();
    let mut response = match is_known {
        true => Response::new(Body::empty()),
        false => Response::new(Body::from(asset.bytes.into_owned())),
    };
    if is_known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, content_type);
    if let Some(etag) = etag {
        headers.insert(header::ETAG, etag);
    }
    Ok(response)
}
