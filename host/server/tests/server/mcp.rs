//! MCP under `/mcp`: the same authentication as everything else, and a project per request.

use std::process::Command;

use serde_json::{Value, json};

use crate::support::{Answer, Request, Running, TOKEN, has, root};
use crate::world::PROJECTS;

fn call(tool: &str, arguments: &Value) -> Request {
    let body = json!({
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": { "name": tool, "arguments": arguments },
    });
    Request::new("POST", "/mcp")
        .token()
        .json(&body)
        .with("Accept", "application/json, text/event-stream")
}

fn project(answer: &Answer) -> Value {
    assert_eq!(answer.status, 200, "{}", answer.text());
    let report = &answer.json()["result"]["structuredContent"];
    report
        .pointer("/report/project_root")
        .or(report.get("project_root"))
        .cloned()
        .unwrap_or_else(|| panic!("{report}"))
}

#[test]
fn a_project_is_named_by_query_or_header() {
    let running = Running::start();
    let explore = call("context_explore", &json!({}));
    let own = running.send(&explore);
    assert!(own.header("x-request-id").is_some());
    assert_eq!(project(&own), running.world.project(0));
    let by_header = explore.clone().with("acreta-project", PROJECTS[1]);
    assert_eq!(project(&running.send(&by_header)), running.world.project(1));
    let path = format!("/mcp?project_root={}", PROJECTS[1].replace(' ', "+"));
    let by_query = Request {
        path,
        ..explore.clone()
    };
    assert_eq!(project(&running.send(&by_query)), running.world.project(1));
    let twice = by_query.with("acreta-project", PROJECTS[0]);
    assert_eq!(running.send(&twice).status, 400);
    let foreign = explore.with("acreta-project", "/etc");
    assert_eq!(running.send(&foreign).problem().0, "project-not-registered");
}

#[test]
fn the_doors_are_the_same() {
    let running = Running::start();
    let ask = call("ask", &json!({ "question": "Where?" }));
    let cases = [
        (ask.clone().without("Authorization"), 401),
        (ask.clone().with("Origin", "null"), 403),
        (ask.clone().with("Host", "evil.example"), 403),
        (ask.clone().with("Content-Type", "text/plain"), 415),
        (
            Request {
                method: "GET".to_owned(),
                ..ask.clone()
            },
            405,
        ),
        (ask.clone().text(&"x".repeat(1024 * 1024 + 1)), 413),
        (ask.with("Origin", "http://127.0.0.1:PORT"), 200),
    ];
    for (request, status) in cases {
        let answer = running.send(&request);
        assert_eq!(answer.status, status, "{}", answer.text());
    }
}

/// The script of the MCP crate sends no token: a wrapper adds it.
#[test]
fn the_python_sdk_lists_and_calls_every_tool() {
    let python = std::env::var_os("ACRETA_PYTHON").map(|path| path.to_string_lossy().into_owned());
    let python = python.unwrap_or_else(|| "python3".to_owned());
    if !has(&python, &["-c", "from mcp import Client"]) {
        acreta_testing::skip(acreta_testing::MCP, "python3 has no `mcp` with a `Client`");
        return;
    }
    let running = Running::start();
    let output = Command::new(python)
        .arg(root().join("host/server/tests/mcp_with_token.py"))
        .arg(root().join("host/mcp/tests/other_client.py"))
        .arg(format!("http://{}/mcp", running.address))
        .arg(TOKEN)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    println!("{text}");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}");
    assert!(text.contains("auto: called all"), "{text}");
}
