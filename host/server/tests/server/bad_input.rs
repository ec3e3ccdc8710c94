//! Invalid requests. Each answer names what is wrong, and nothing is done.

use serde_json::Value;

use crate::support::{Request, Running};

/// Method, path, body, status, and a required part of the message.
type Case = (&'static str, &'static str, &'static str, u16, &'static str);

const CASES: &[Case] = &[
    (
        "GET",
        "/api/health?x=1",
        "",
        400,
        "unknown field `x` (expected none)",
    ),
    (
        "GET",
        "/api/status?verbose=true",
        "",
        400,
        "unknown field `verbose`",
    ),
    (
        "GET",
        "/api/overview?project=/a",
        "",
        400,
        "unknown field `project` (expected: project_root)",
    ),
    (
        "GET",
        "/api/overview?project_root=/etc",
        "",
        403,
        "`/etc` is not a registered project",
    ),
    (
        "GET",
        "/api/overview?project_root=",
        "",
        400,
        "`project_root`: must not be empty",
    ),
    (
        "GET",
        "/api/memories?limit=0",
        "",
        400,
        "`limit`: invalid value: integer `0`, expected a whole number from 1 to 500",
    ),
    ("GET", "/api/memories?limit=501", "", 400, "`limit`"),
    (
        "GET",
        "/api/memories?limit=ten",
        "",
        400,
        "`limit`: invalid type: string \"ten\"",
    ),
    ("GET", "/api/memories?limit=1.5", "", 400, "`limit`"),
    (
        "GET",
        "/api/memories?limit=99999999999999999999999",
        "",
        400,
        "`limit`",
    ),
    ("GET", "/api/memories?offset=-1", "", 400, "`offset`"),
    (
        "GET",
        "/api/memories?limit=1&limit=2",
        "",
        400,
        "`limit` is given twice",
    ),
    (
        "GET",
        "/api/memories?type=poem",
        "",
        400,
        "`type`: unknown variant `poem`, expected one of `decision`, `learning`, `summary`",
    ),
    ("GET", "/api/memories?trust=yes", "", 400, "`trust`"),
    ("GET", "/api/memories?status=gone", "", 400, "`status`"),
    ("GET", "/api/memories?stale=1", "", 400, "`stale`"),
    ("GET", "/api/memories?scope=everybody", "", 400, "`scope`"),
    ("GET", "/api/memories?sort=random", "", 400, "`sort`"),
    (
        "GET",
        "/api/memories?limt=3&Type=decision",
        "",
        400,
        "unknown fields `limt`, `Type`",
    ),
    (
        "GET",
        "/api/memories/x?project_root=/etc",
        "",
        403,
        "not a registered project",
    ),
    ("GET", "/api/search", "", 400, "missing field `q`"),
    ("GET", "/api/search?q=", "", 400, "`q`: must not be empty"),
    (
        "GET",
        "/api/search?q=a&since=yesterday",
        "",
        400,
        "yesterday",
    ),
    ("GET", "/api/search?q=a&limit=101", "", 400, "from 1 to 100"),
    ("GET", "/api/runs?state=lost", "", 400, "`state`"),
    ("GET", "/api/runs?before=now", "", 400, "`before`"),
    ("GET", "/api/queue?state=9", "", 400, "`state`"),
    ("GET", "/api/sessions?state=asleep", "", 400, "`state`"),
    (
        "GET",
        "/api/sessions/claude/session-000/events?limit=501",
        "",
        400,
        "`limit`",
    ),
    (
        "GET",
        "/api/sessions/claude/session-000/events?around=nothing",
        "",
        404,
        "event",
    ),
    (
        "GET",
        "/api/sessions/claude/session-000/rows?around=nothing",
        "",
        404,
        "has no event",
    ),
    (
        "GET",
        "/api/sessions/claude/session-000/rows/nothing",
        "",
        404,
        "has no event",
    ),
    (
        "GET",
        "/api/sessions/claude/session-000/find",
        "",
        400,
        "`q`",
    ),
    ("GET", "/api/timeline?limit=501", "", 400, "`limit`"),
    (
        "GET",
        "/api/jobs?state=running",
        "",
        400,
        "unknown field `state`",
    ),
    (
        "GET",
        "/api/events?since=3",
        "",
        400,
        "unknown field `since`",
    ),
    (
        "GET",
        "/api/events?project_root=/etc",
        "",
        403,
        "not a registered project",
    ),
    ("GET", "/api/memories/%ff", "", 400, "not UTF-8"),
    ("POST", "/api/ask", "", 400, "the body is empty"),
    ("POST", "/api/ask", "{", 400, "the body is not JSON"),
    (
        "POST",
        "/api/ask",
        "\u{feff}{}",
        400,
        "the body is not JSON",
    ),
    ("POST", "/api/ask", "{} {}", 400, "the body is not JSON"),
    ("POST", "/api/ask", "[]", 400, "the body must be an object"),
    ("POST", "/api/ask", "{}", 400, "missing field `question`"),
    (
        "POST",
        "/api/ask",
        r#"{"question":""}"#,
        400,
        "`question`: must not be empty",
    ),
    (
        "POST",
        "/api/ask",
        r#"{"question":5}"#,
        400,
        "`question`: invalid type: integer `5`, expected a string",
    ),
    (
        "POST",
        "/api/ask",
        r#"{"question":null}"#,
        400,
        "`question`",
    ),
    (
        "POST",
        "/api/ask",
        r#"{"question":"a","model":"b","colour":1}"#,
        400,
        "unknown fields `model`, `colour` (expected: ",
    ),
    (
        "POST",
        "/api/ask",
        r#"{"question":"a","project_root":"/etc"}"#,
        403,
        "not a registered project",
    ),
    (
        "POST",
        "/api/ask?x=1",
        r#"{"question":"a"}"#,
        400,
        "unknown field `x`",
    ),
    (
        "POST",
        "/api/sync",
        r#"{"max_sessions":0}"#,
        400,
        "`max_sessions`",
    ),
    (
        "POST",
        "/api/sync",
        r#"{"max_sessions":"5"}"#,
        400,
        "`max_sessions`",
    ),
    (
        "POST",
        "/api/sync",
        r#"{"force":"yes"}"#,
        400,
        "`force`: invalid type: string \"yes\", expected a boolean",
    ),
    ("POST", "/api/sync", r#"{"since":"soon"}"#, 400, "`since`"),
    (
        "POST",
        "/api/sync",
        r#"{"dryrun":true}"#,
        400,
        "unknown field `dryrun`",
    ),
    (
        "POST",
        "/api/maintain",
        r#"{"project_root":"/etc"}"#,
        403,
        "not a registered project",
    ),
    (
        "POST",
        "/api/maintain",
        r#"{"project_root":["/etc"]}"#,
        400,
        "`project_root`",
    ),
    (
        "POST",
        "/api/jobs/x/cancel",
        r#"{"why":1}"#,
        400,
        "unknown field `why`",
    ),
    (
        "POST",
        "/api/memories",
        r#"{"body":"a"}"#,
        400,
        "missing field `title`",
    ),
    (
        "POST",
        "/api/memories",
        r#"{"title":"a","body":"b","tags":"c"}"#,
        400,
        "`tags`",
    ),
    (
        "POST",
        "/api/memories",
        r#"{"title":"a","body":"b","tags":["c",1]}"#,
        400,
        "`tags[1]`",
    ),
    (
        "POST",
        "/api/memories",
        r#"{"title":"a","body":"b","tags":["1","2","3","4","5","6","7","8","9","10","11","12","13"]}"#,
        400,
        "`tags` has 13 items; at most 12",
    ),
    (
        "POST",
        "/api/memories",
        r#"{"title":"a","body":"b","scope":"all"}"#,
        400,
        "`scope`",
    ),
    (
        "POST",
        "/api/memories",
        r#"{"title":"a","body":"b","id":"c"}"#,
        400,
        "unknown field `id`",
    ),
    (
        "PUT",
        "/api/memories/01J000000000000000000A0003",
        r#"{"title":"a"}"#,
        400,
        "missing field `expected_digest`",
    ),
    (
        "PUT",
        "/api/memories/nobody",
        r#"{"title":"a","expected_digest":"x"}"#,
        404,
        "no such memory",
    ),
    (
        "PUT",
        "/api/memories/01J000000000000000000A0003",
        r#"{"trust":"confirmed","expected_digest":"x"}"#,
        400,
        "unknown field `trust`",
    ),
    (
        "POST",
        "/api/memories/nobody/confirm",
        "{}",
        404,
        "no such memory",
    ),
    (
        "POST",
        "/api/memories/01J000000000000000000A0003/confirm",
        r#"{"by":"me"}"#,
        400,
        "unknown field `by`",
    ),
    (
        "POST",
        "/api/memories/01J000000000000000000A0003/delete",
        "{}",
        404,
        "no such path",
    ),
    ("POST", "/api/connect", "{}", 400, "missing field `agent`"),
    (
        "POST",
        "/api/connect",
        r#"{"agent":"nobody"}"#,
        400,
        "reads `nobody`",
    ),
    (
        "POST",
        "/api/connect/nobody/remove",
        "{}",
        400,
        "reads `nobody`",
    ),
    ("POST", "/api/project/add", r#"{"path":7}"#, 400, "`path`"),
    ("POST", "/api/queue/999/retry", "{}", 404, "no such job"),
    ("POST", "/api/login", "{}", 400, "missing field `code`"),
    (
        "POST",
        "/v1/explore",
        r#"{"project_root":"/etc"}"#,
        403,
        "not a registered project",
    ),
    (
        "POST",
        "/v1/explore",
        r#"{"project_root":"/home/sam/code/lantern","budget":1}"#,
        400,
        "from 100 to 100000",
    ),
    (
        "POST",
        "/v1/explore",
        r#"{"project_root":"/home/sam/code/lantern","detail":"all"}"#,
        400,
        "`detail`",
    ),
    (
        "POST",
        "/v1/delta",
        r#"{"project_root":"/home/sam/code/lantern","from":"x"}"#,
        400,
        "unknown field `from`",
    ),
    (
        "POST",
        "/v1/context",
        r#"{"project_root":"/home/sam/code/lantern","query":""}"#,
        400,
        "`query`",
    ),
    ("POST", "/mcp?x=1", "{}", 400, "unknown field `x`"),
    (
        "POST",
        "/mcp?project_root=/etc",
        "{}",
        403,
        "not a registered project",
    ),
];

#[test]
fn what_is_wrong_is_named_and_nothing_is_done() {
    let running = Running::start();
    let state = || {
        let documents = ["/api/memories?limit=500", "/api/project/list", "/api/queue"];
        documents.map(|path| running.get(path).text())
    };
    let before = state();
    for (method, path, body, status, why) in CASES {
        let request = Request::new(method, path).token();
        let request = if *method == "GET" {
            request
        } else {
            request.text(body)
        };
        let answer = running.send(&request);
        assert_eq!(
            answer.status,
            *status,
            "{method} {path} {body}: {}",
            answer.text()
        );
        let (_, message) = answer.problem();
        assert!(message.contains(why), "{method} {path} {body}: {message}");
    }
    assert_eq!(state(), before);
}

#[test]
fn deep_and_strange_json_is_refused() {
    let running = Running::start();
    let bodies: &[Vec<u8>] = &[
        format!(r#"{{"question":{}"#, "[".repeat(100_000)).into_bytes(),
        b"{\"question\":\"\xff\"}".to_vec(),
        br#"{"question":"\ud800"}"#.to_vec(),
        br#"{"question":1e999}"#.to_vec(),
        b"NaN".to_vec(),
        vec![0; 64],
    ];
    for body in bodies {
        let mut request = Request::new("POST", "/api/ask").token().text("x");
        request.body = body.clone();
        let answer = running.send(&request);
        assert_eq!(answer.status, 400, "{:?}", &body[..body.len().min(40)]);
        assert!(matches!(answer.json(), Value::Object(_)));
    }
}

#[test]
fn hostile_text_comes_back_as_data() {
    let running = Running::start();
    for text in crate::world::HOSTILE {
        let line = text.lines().next().unwrap_or_default();
        let title: String = line.chars().take(100).collect();
        let note = serde_json::json!({ "title": title, "body": text });
        let added = running.post("/api/memories", &note);
        // Characters that a terminal obeys or nobody sees have no place in a memory.
        if acreta_text::visible(text) != *text {
            assert_eq!(added.status, 400, "{}", added.text());
            assert!(added.text().contains("control"), "{}", added.text());
            continue;
        }
        assert_eq!(added.status, 200, "{}", added.text());
        let id = added.json()["id"].as_str().unwrap().to_owned();
        let read = running.get(&format!("/api/memories/{id}"));
        let body = read.json()["body"].as_str().unwrap().to_owned();
        assert!(body.ends_with(text), "{body}");
        assert_eq!(read.header("content-type"), Some("application/json"));
    }
}
