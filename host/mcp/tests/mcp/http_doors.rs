//! The HTTP service: who is admitted, and what is returned.

use std::sync::Arc;

use acreta_mcp::{AllowedCallers, ServeError, http_service};
use bytes::Bytes;
use http::{Method, Request, StatusCode};
use http_body_util::{BodyExt, Full};
use serde_json::{Value, json};
use tower_service::Service;

use crate::fake::Fake;
use crate::support::run;

/// Allowed hosts and origins, the headers of a request, and whether it is admitted.
type Case<'a> = (&'a AllowedCallers, &'a [(&'a str, &'a str)], bool);

/// Sends one request and returns status and body.
fn answer(doors: AllowedCallers, request: Request<Full<Bytes>>) -> (StatusCode, String) {
    let mut service = http_service(Arc::new(Fake::default()), doors).unwrap();
    run(async {
        let response = service.call(request).await.unwrap();
        let status = response.status();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        (status, String::from_utf8_lossy(&body).into_owned())
    })
}

fn post(headers: &[(&str, &str)], body: impl Into<Bytes>) -> Request<Full<Bytes>> {
    let mut request = Request::builder()
        .method(Method::POST)
        .uri("/mcp")
        .header("accept", "application/json, text/event-stream")
        .header("content-type", "application/json");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(Full::new(body.into())).unwrap()
}

fn ask() -> String {
    let call = json!({
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": { "name": "ask", "arguments": { "question": "Where?" } },
    });
    call.to_string()
}

#[test]
fn only_known_hosts_and_origins_get_in() {
    let doors = AllowedCallers {
        hosts: vec!["127.0.0.1:8765".to_owned(), "localhost:8765".to_owned()],
        origins: vec!["http://127.0.0.1:8765".to_owned()],
    };
    let home = ("host", "127.0.0.1:8765");
    let cases: &[Case<'_>] = &[
        (&doors, &[home], true),
        (&doors, &[("host", "localhost:8765")], true),
        (&doors, &[home, ("origin", "http://127.0.0.1:8765")], true),
        (&doors, &[("host", "127.0.0.1:9999")], false),
        (&doors, &[("host", "evil.example")], false),
        (&doors, &[("host", "127.0.0.1.evil.example:8765")], false),
        (&doors, &[home, ("origin", "http://evil.example")], false),
        (&doors, &[home, ("origin", "null")], false),
        (&doors, &[home, ("origin", "https://127.0.0.1:8765")], false),
        (&doors, &[home, ("origin", "http://127.0.0.1:8766")], false),
        (&doors, &[home, ("origin", "")], false),
        (&doors, &[], false),
    ];
    let closed = AllowedCallers::default();
    let by_default: &[Case<'_>] = &[
        (&closed, &[home], true),
        (&closed, &[("host", "evil.example")], false),
        (&closed, &[home, ("origin", "http://127.0.0.1:8765")], false),
        (&closed, &[home, ("origin", "null")], false),
    ];
    for (doors, headers, let_in) in cases.iter().chain(by_default) {
        let (status, body) = answer((*doors).clone(), post(headers, ask()));
        assert_eq!(status.is_success(), *let_in, "{headers:?}: {status} {body}");
        assert_eq!(body.contains("SQLite"), *let_in, "{headers:?}: {body}");
    }
}

#[test]
fn origins_that_stand_for_many_are_not_taken() {
    for origin in [
        "null",
        "*",
        "http://localhost",
        "http://localhost:*",
        "localhost:80",
        "http://:80",
    ] {
        let doors = AllowedCallers {
            hosts: Vec::new(),
            origins: vec![origin.to_owned()],
        };
        let refused = http_service(Arc::new(Fake::default()), doors);
        assert!(
            matches!(refused, Err(ServeError::Origin { .. })),
            "{origin}"
        );
    }
}

#[test]
fn a_request_stands_for_itself() {
    let host = ("host", "localhost");
    let (status, body) = answer(AllowedCallers::default(), post(&[host], ask()));
    assert_eq!(status, StatusCode::OK);
    let answer: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(answer["result"]["isError"], json!(false), "{body}");
    assert!(answer["result"]["structuredContent"]["tokens"].is_u64());
}

#[test]
fn bad_requests_are_refused() {
    let host = ("host", "localhost");
    let get = Request::builder()
        .method(Method::GET)
        .uri("/mcp")
        .header("host", "localhost")
        .header("accept", "text/event-stream")
        .body(Full::new(Bytes::new()))
        .unwrap();
    let form = Request::builder()
        .method(Method::POST)
        .uri("/mcp")
        .header("host", "localhost")
        .header("content-type", "text/plain")
        .header("accept", "application/json, text/event-stream")
        .body(Full::new(Bytes::from(ask())))
        .unwrap();
    let large = "x".repeat(10 * 1024 * 1024);
    let cases = [
        (get, StatusCode::METHOD_NOT_ALLOWED),
        (form, StatusCode::UNSUPPORTED_MEDIA_TYPE),
        (post(&[host], large), StatusCode::PAYLOAD_TOO_LARGE),
    ];
    for (request, expected) in cases {
        let name = format!("{} {:?}", request.method(), request.headers());
        let (status, body) = answer(AllowedCallers::default(), request);
        assert_eq!(status, expected, "{name}: {body}");
    }
    for garbage in ["{not json", "[]", "17", ""] {
        let (status, body) = answer(AllowedCallers::default(), post(&[host], garbage));
        assert!(status.is_client_error(), "{garbage}: {status} {body}");
    }
}
