//! One valid call of every endpoint, and the headers of every answer.

use serde_json::{Value, json};

use crate::support::{Request, Running};
use crate::world::PROJECTS;

pub(crate) const ID: &str = "01J000000000000000000A0003";

/// Method, path, body, status, and a pointer into the answer that must exist.
type Call = (&'static str, &'static str, Value, u16, &'static str);

pub(crate) fn every_call() -> Vec<Call> {
    let nothing = || Value::Null;
    let empty = || json!({});
    let project = PROJECTS[0];
    vec![
        ("GET", "/api/health", nothing(), 200, "/status"),
        ("GET", "/api/status", nothing(), 200, "/review/total"),
        (
            "GET",
            "/api/daemon",
            nothing(),
            200,
            "/schedule/sync/running",
        ),
        ("GET", "/api/openapi.json", nothing(), 200, "/paths"),
        ("GET", "/api/overview", nothing(), 200, "/growth/0/day"),
        (
            "GET",
            "/api/overview?project_root=/home/sam/code/paper%20mill",
            nothing(),
            200,
            "/cost/total/calls",
        ),
        ("POST", "/api/login/code", empty(), 200, "/url"),
        ("GET", "/api/login/codes", nothing(), 200, "/waiting"),
        ("POST", "/api/logout", empty(), 200, ""),
        (
            "POST",
            "/api/sync",
            json!({ "since": "7d", "max_sessions": 5, "dry_run": true }),
            202,
            "/job_id",
        ),
        (
            "POST",
            "/api/maintain",
            json!({ "project_root": project }),
            202,
            "/request_id",
        ),
        ("GET", "/api/jobs", nothing(), 200, "/jobs"),
        (
            "GET",
            "/api/memories?type=learning&kind=pitfall&tag=tests&trust=grounded&status=active&stale=false&scope=project&text=PORT&sort=title&limit=5&offset=0",
            nothing(),
            200,
            "/total",
        ),
        (
            "GET",
            "/api/memories/01J000000000000000000A0003",
            nothing(),
            200,
            "/evidence/contributions/0/evidence/0/event_id",
        ),
        (
            "POST",
            "/api/memories",
            json!({ "title": "a", "body": "b", "type": "learning", "kind": "insight", "tags": ["c"], "scope": "global" }),
            200,
            "/id",
        ),
        (
            "POST",
            "/api/memories/01J000000000000000000A0003/confirm",
            empty(),
            200,
            "/changed",
        ),
        (
            "POST",
            "/api/memories/01J000000000000000000A0003/accept",
            empty(),
            200,
            "/message",
        ),
        (
            "POST",
            "/api/memories/01J000000000000000000A0003/archive",
            json!({ "project_root": project }),
            200,
            "/path",
        ),
        (
            "POST",
            "/api/memories/01J000000000000000000A0003/restore",
            empty(),
            200,
            "/id",
        ),
        (
            "POST",
            "/api/memories/01J000000000000000000A0003/reject",
            empty(),
            200,
            "/changed",
        ),
        (
            "GET",
            "/api/memories/01J000000000000000000A0003/provenance",
            nothing(),
            200,
            "/used/briefs",
        ),
        (
            "GET",
            "/api/memories?sort=rank&facets=true",
            nothing(),
            200,
            "/facets/tags/0/memories",
        ),
        ("GET", "/api/home?since=0", nothing(), 200, "/learnt/total"),
        (
            "GET",
            "/api/timeline?limit=3&offset=1",
            nothing(),
            200,
            "/entries/2/kind",
        ),
        (
            "GET",
            "/api/sessions/search?q=lease",
            nothing(),
            200,
            "/hits/0/event",
        ),
        ("GET", "/api/exclude", nothing(), 200, "/folders"),
        (
            "POST",
            "/api/exclude",
            json!({ "folder": "/home/sam/secret" }),
            200,
            "/excluded/0",
        ),
        (
            "POST",
            "/api/exclude/remove",
            json!({ "folder": "/home/sam/secret" }),
            200,
            "/excluded",
        ),
        (
            "POST",
            "/api/project/trust",
            json!({ "project_root": project, "trusted": true }),
            200,
            "/changed",
        ),
        ("GET", "/api/model", nothing(), 200, "/spending/calls"),
        ("POST", "/api/model/test", empty(), 500, "/error/hints/0"),
        (
            "POST",
            "/api/model",
            json!({ "name": "codex" }),
            200,
            "/current",
        ),
        ("GET", "/api/settings", nothing(), 200, "/settings/0/plain"),
        (
            "POST",
            "/api/settings",
            json!({ "key": "hooks.learn", "value": false }),
            200,
            "/file",
        ),
        (
            "GET",
            "/api/search?q=queue&limit=2&offset=1",
            nothing(),
            200,
            "/hits/0/marks",
        ),
        (
            "POST",
            "/api/ask",
            json!({ "question": "Where is the queue?" }),
            200,
            "/nearest/0/trust",
        ),
        (
            "GET",
            "/api/briefs?limit=1",
            nothing(),
            200,
            "/briefs/0/lines/0/reason",
        ),
        ("GET", "/api/connect", nothing(), 200, "/0/granted"),
        (
            "POST",
            "/api/connect",
            json!({ "agent": "claude", "root": "/home/sam/sessions" }),
            200,
            "/0/path",
        ),
        (
            "POST",
            "/api/connect/claude/remove",
            empty(),
            200,
            "/0/granted",
        ),
        (
            "GET",
            "/api/project/list",
            nothing(),
            200,
            "/projects/0/root",
        ),
        (
            "POST",
            "/api/project/add",
            json!({ "path": "/home/sam/code/unregistered" }),
            200,
            "/changed",
        ),
        (
            "POST",
            "/api/project/remove",
            json!({ "path": "/home/sam/code/unregistered" }),
            200,
            "/changed",
        ),
        ("GET", "/api/review", nothing(), 200, "/waiting/total"),
        (
            "GET",
            "/api/review/u-nothing",
            nothing(),
            404,
            "/error/message",
        ),
        (
            "POST",
            "/api/review",
            json!({ "decisions": [{ "id": "u-nothing", "action": "accept" }], "dry_run": true }),
            200,
            "/decisions/0/effect/problem",
        ),
        ("POST", "/api/review/undo", empty(), 404, "/error/message"),
        (
            "GET",
            "/api/plugins",
            nothing(),
            200,
            "/plugins/0/use/calls",
        ),
        (
            "GET",
            "/api/runs?state=completed&limit=2&before=1769860800000",
            nothing(),
            200,
            "/runs/0/counts",
        ),
        (
            "GET",
            "/api/runs/run-001",
            nothing(),
            200,
            "/report/actions/0/reason",
        ),
        (
            "GET",
            "/api/queue?state=queued",
            nothing(),
            200,
            "/jobs/0/dead",
        ),
        ("POST", "/api/queue/JOB-0/cancel", empty(), 200, "/state"),
        ("POST", "/api/queue/JOB-0/retry", empty(), 200, "/state"),
        ("POST", "/api/queue/JOB-1/skip", empty(), 200, "/state"),
        (
            "GET",
            "/api/sessions?agent=claude&state=done&limit=1&offset=1",
            nothing(),
            200,
            "/sessions/0/bytes",
        ),
        (
            "GET",
            "/api/usage?by=model&agent=claude&since=30d",
            nothing(),
            200,
            "/total/sessions",
        ),
        (
            "GET",
            "/api/sessions/claude/session-000",
            nothing(),
            200,
            "/memories/0/type",
        ),
        (
            "GET",
            "/api/sessions/claude/session-000/events?around=e9&limit=4",
            nothing(),
            200,
            "/events/2/text",
        ),
        (
            "GET",
            "/api/sessions/claude/session-000/outline",
            nothing(),
            200,
            "/chapters/1/calls",
        ),
        (
            "GET",
            "/api/sessions/claude/session-000/rows?around=e9&limit=4",
            nothing(),
            200,
            "/rows/1/id",
        ),
        (
            "GET",
            "/api/sessions/claude/session-000/rows/e5",
            nothing(),
            200,
            "/changes/0/diff",
        ),
        (
            "GET",
            "/api/sessions/claude/session-000/find?q=lease",
            nothing(),
            200,
            "/rows/0",
        ),
        (
            "POST",
            "/v1/explore",
            json!({ "project_root": project, "detail": "normal", "budget": 500 }),
            200,
            "/slice",
        ),
        (
            "POST",
            "/v1/delta",
            json!({ "project_root": project }),
            200,
            "/delta",
        ),
        (
            "POST",
            "/v1/context",
            json!({ "project_root": project, "query": "queue" }),
            200,
            "/command",
        ),
        (
            "POST",
            "/v1/refresh",
            json!({ "project_root": project, "refresh": true }),
            200,
            "/freshness",
        ),
        (
            "GET",
            "/api/memories/nobody",
            nothing(),
            404,
            "/error/hints/0",
        ),
        ("GET", "/api/jobs/nothing", nothing(), 404, "/error/message"),
        (
            "POST",
            "/api/jobs/nothing/cancel",
            empty(),
            404,
            "/error/message",
        ),
        (
            "GET",
            "/api/sessions/claude/none",
            nothing(),
            404,
            "/error/message",
        ),
        (
            "POST",
            "/api/memories",
            json!({ "title": "Deploying", "body": format!("The deploy key is ghp_{}", "a1B2c3D4e5".repeat(4)) }),
            400,
            "/error/message",
        ),
        ("GET", "/api/search?q=busy", nothing(), 503, "/error/code"),
        (
            "GET",
            "/api/search?q=fail",
            nothing(),
            500,
            "/error/causes/0",
        ),
        (
            "GET",
            "/api/search?q=panic",
            nothing(),
            500,
            "/error/message",
        ),
    ]
}

/// Operations with tests of their own: a stream, a login without a token, an edit of what was read.
const ELSEWHERE: &[(&str, &str)] = &[
    ("get", "/api/events"),
    ("post", "/api/login"),
    ("put", "/api/memories/{id}"),
];

#[test]
fn every_endpoint_has_a_call() {
    let document = acreta_server::document("1");
    let calls = every_call();
    let fits = |template: &str, path: &str| {
        let path = path.split('?').next().unwrap_or(path);
        let mut pairs = template.split('/').zip(path.split('/'));
        template.split('/').count() == path.split('/').count()
            && pairs.all(|(wanted, found)| wanted == found || wanted.starts_with('{'))
    };
    for (template, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            let mut called = calls.iter();
            let is_called =
                called.any(|call| call.0.eq_ignore_ascii_case(method) && fits(template, call.1));
            let is_elsewhere = ELSEWHERE.contains(&(method.as_str(), template.as_str()));
            assert!(is_called != is_elsewhere, "{method} {template}");
        }
    }
}

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

#[test]
fn every_endpoint_answers() {
    let running = Running::start();
    for (method, path, body, status, pointer) in every_call() {
        let request = Request::new(method, path).token();
        let request = match body {
            Value::Null => request,
            body => request.json(&body),
        };
        let answer = running.send(&request);
        assert_eq!(answer.status, status, "{method} {path}: {}", answer.text());
        assert!(
            answer.json().pointer(pointer).is_some(),
            "{path}: {}",
            answer.text()
        );
        assert_eq!(
            answer.header("content-type"),
            Some("application/json"),
            "{path}"
        );
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
        assert_eq!(
            answer.header("x-content-type-options"),
            Some("nosniff"),
            "{path}"
        );
        assert_eq!(
            answer.header("referrer-policy"),
            Some("no-referrer"),
            "{path}"
        );
        assert!(answer.header("x-request-id").is_some(), "{path}");
        assert_eq!(answer.header("content-security-policy"), Some(POLICY));
    }
}

#[test]
fn health_says_nothing_else_and_needs_no_token() {
    let running = Running::start();
    let answer = running.send(&Request::new("GET", "/api/health"));
    assert_eq!(answer.text(), r#"{"status":"ok","version":"0.0.0-test"}"#);
}

#[test]
fn an_edit_of_what_was_read_goes_in_and_one_of_what_changed_does_not() {
    let running = Running::start();
    let path = format!("/api/memories/{ID}");
    let digest = running.get(&path).json()["digest"].clone();
    let edit = json!({ "title": "New", "tags": ["x"], "expected_digest": digest });
    let put = Request::new("PUT", &path).token().json(&edit);
    let first = running.send(&put);
    assert_eq!(first.json()["changed"], true);
    assert_eq!(running.get(&path).json()["memory"]["title"], "New");
    let second = running.send(&put);
    assert_eq!(second.status, 409);
    assert_eq!(second.problem().0, "changed-meanwhile");
}

#[test]
fn files_of_the_dashboard_need_no_token_and_are_not_sent_twice() {
    let running = Running::start();
    for path in ["/", "/index.html", "/pages/app.js"] {
        let answer = running.send(&Request::new("GET", path));
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(answer.header("content-security-policy"), Some(POLICY));
        let again = Request::new("GET", path).with("If-None-Match", "\"1\"");
        let again = running.send(&again);
        assert_eq!((again.status, again.body.len()), (304, 0), "{path}");
    }
    assert_eq!(
        running.send(&Request::new("GET", "/nothing.js")).status,
        404
    );
}

#[test]
fn a_call_that_takes_too_long_is_given_up_and_the_next_one_works() {
    let mut limits = crate::support::quick();
    // Long enough for the next call on a busy machine.
    limits.call_time = std::time::Duration::from_secs(2);
    let running = Running::start_with(limits, acreta_server::Schedule::off());
    let answer = running.get("/api/search?q=wait");
    assert_eq!(answer.status, 504);
    assert_eq!(answer.problem().0, "timed-out");
    assert_eq!(running.get("/api/jobs").status, 200);
}

#[test]
fn an_id_that_a_caller_brings_is_its_request_id() {
    let running = Running::start();
    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
    let parent = format!("00-{TRACE}-00f067aa0ba902b7-01");
    let table = [
        ("X-Request-Id", "build-17", Some("build-17")),
        ("traceparent", parent.as_str(), Some(TRACE)),
        ("X-Request-Id", "no spaces", None),
        ("X-Request-Id", "<b>", None),
        ("traceparent", "00-1-2-3", None),
    ];
    for (name, value, expected) in table {
        for path in ["/api/status", "/api/memories/none"] {
            let request = Request::new("GET", path).token().with(name, value);
            let answer = running.send(&request);
            let id = answer.header("x-request-id").unwrap().to_owned();
            match expected {
                Some(expected) => assert_eq!(id, expected, "{name}: {value}"),
                None => assert!(id != value && !id.is_empty(), "{name}: {value}"),
            }
            if answer.status != 200 {
                assert_eq!(answer.json()["request_id"], id);
            }
        }
    }
}
