//! A process that serves over stdio: a client that starts it, a client of another code base, and bytes that no client
//! would send.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use rmcp::ServiceExt;
use rmcp::transport::TokioChildProcess;
use serde_json::{Value, json};

use crate::support::{call, run, text};

const SERVER: &str = env!("CARGO_BIN_EXE_acreta-mcp-fake");

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":"start","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}"#;
const PING: &str = r#"{"jsonrpc":"2.0","id":"after","method":"ping"}"#;

/// Sends lines to the server, closes its input, and waits until it ends.
fn served(lines: &[&[u8]]) -> Output {
    let mut child = Command::new(SERVER)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    for line in lines {
        input.write_all(line).unwrap();
        input.write_all(b"\n").unwrap();
    }
    drop(input);
    child.wait_with_output().unwrap()
}

/// Parses stdout, on which every line is a message.
fn messages(output: &Output) -> Vec<Value> {
    let text = std::str::from_utf8(&output.stdout).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn with_id(messages: &[Value], id: Value) -> Option<&Value> {
    messages
        .iter()
        .find(|message| message.get("id") == Some(&id))
}

#[test]
fn a_client_starts_the_server_and_calls_it() {
    run(async {
        let command = tokio::process::Command::new(SERVER);
        let transport = TokioChildProcess::new(command).unwrap();
        let client = ().serve(transport).await.unwrap();
        assert_eq!(client.list_all_tools().await.unwrap().len(), 12);
        let result = call(&client, "ask", json!({ "question": "Where is the queue?" })).await;
        assert!(text(&result.unwrap()).contains("kept in SQLite"));
        client.cancel().await.unwrap();
    });
}

#[test]
fn lines_that_are_no_requests_are_answered_and_the_next_one_works() {
    let deep = "[".repeat(100_000);
    let long = format!(r#"{{"id":7,"method":"{}"}}"#, "x".repeat(17 * 1024 * 1024));
    let cases: &[(&[u8], Value, i64, &str)] = &[
        (b"{not json", Value::Null, -32700, "not JSON"),
        (b"\xff\xfe{}", Value::Null, -32700, "not JSON"),
        (deep.as_bytes(), Value::Null, -32700, "not JSON"),
        (long.as_bytes(), Value::Null, -32600, "more than 16777216 bytes"),
        (b"[]", Value::Null, -32600, "batches are not supported"),
        (b"17", Value::Null, -32600, "not a JSON-RPC message"),
        (br#"{"jsonrpc":"2.0","id":7}"#, json!(7), -32600, "not a JSON-RPC message"),
        (br#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#, json!(7), -32600, "not a JSON-RPC message"),
        (br#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, Value::Null, -32600, "not a JSON-RPC message"),
        (br#"{"jsonrpc":"2.0","id":7,"method":"memory/forget"}"#, json!(7), -32601, "unknown method `memory/forget`"),
        (br#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":"x"}"#, json!(7), -32602, "`tools/call`"),
        (
            br#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"ask","arguments":[1]}}"#,
            json!(7),
            -32602,
            "`tools/call`",
        ),
    ];
    for (line, id, code, why) in cases {
        let name = String::from_utf8_lossy(&line[..line.len().min(80)]);
        let output = served(&[INITIALIZE.as_bytes(), line, PING.as_bytes()]);
        assert!(output.status.success(), "{name}");
        let messages = messages(&output);
        assert_eq!(messages.len(), 3, "{name}: {messages:?}");
        let complaint = messages
            .iter()
            .find(|message| message.get("error").is_some());
        let complaint = complaint.unwrap_or_else(|| panic!("{name}: {messages:?}"));
        assert_eq!(complaint.get("id").unwrap_or(&Value::Null), id, "{name}");
        assert_eq!(complaint["error"]["code"], *code, "{name}: {complaint}");
        let message = complaint["error"]["message"].as_str().unwrap();
        assert!(message.contains(why), "{name}: {message}");
        let after = with_id(&messages, json!("after")).unwrap();
        assert_eq!(after["result"], json!({}), "{name}");
    }
}

#[test]
fn a_client_that_goes_away_ends_the_server() {
    let cases: &[&[&[u8]]] = &[
        &[],
        &[b""],
        &[br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#],
        &[INITIALIZE.as_bytes()],
        &[INITIALIZE.as_bytes(), br#"{"jsonrpc":"2.0","id":1,"met"#],
    ];
    for lines in cases {
        let output = served(lines);
        assert!(output.status.success(), "{lines:?}");
    }
}

#[test]
fn what_was_asked_before_the_end_is_answered() {
    let ask = br#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask","arguments":{"question":"Where?"}}}"#;
    let early = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let output = served(&[early, INITIALIZE.as_bytes(), ask]);
    assert!(output.status.success());
    let messages = messages(&output);
    let answer = with_id(&messages, json!(2)).unwrap();
    assert_eq!(answer["result"]["isError"], json!(false), "{answer}");
}

#[test]
fn a_client_that_reads_nothing_does_not_keep_the_server() {
    let mut child = Command::new(SERVER)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{INITIALIZE}").unwrap();
    // The server may have exited by now, so its answer is lost.
    let _ = writeln!(input, "{PING}");
    drop(input);
    child.wait().unwrap();
}

/// A panic in the backend is written to stderr and leaves stdout alone.
#[test]
fn standard_output_belongs_to_the_protocol() {
    let panic = br#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"memory_search","arguments":{"query":"panic"}}}"#;
    let output = served(&[INITIALIZE.as_bytes(), panic]);
    let messages = messages(&output);
    let broken = with_id(&messages, json!(2)).unwrap();
    assert_eq!(broken["error"]["code"], -32603);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("the fake was asked to"), "{errors}");
}

/// The Python SDK, if it is installed.
#[test]
fn a_client_of_another_code_base_calls_every_tool() {
    #[expect(
        clippy::disallowed_methods,
        reason = "only whoever runs the test knows which Python has it"
    )]
    let python = std::env::var("ACRETA_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let found = Command::new(&python)
        .args(["-c", "import mcp"])
        .stderr(Stdio::null())
        .status();
    if !found.is_ok_and(|status| status.success()) {
        acreta_testing::skip(acreta_testing::MCP, "python3 has no `mcp`");
        return;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/other_client.py");
    let output = Command::new(&python)
        .args([script, SERVER])
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("called all"), "{said}");
}
