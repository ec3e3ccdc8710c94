//! Every kind of message and part: speaker, text and id.

use std::fs;

use acreta_sdk::adapter::testing::render;

use crate::support::{CHILD, MAIN, export, told};

const IGNORED: [&str; 1] = ["message_id"];

/// Removes the common part of ids.
fn short(lines: &str) -> String {
    let lines = lines.lines().map(|line| {
        let (id, rest) = line.split_once(' ').unwrap_or_default();
        match id.split_once("TideMessage") {
            Some((_, number)) => format!("message {number} {rest}\n"),
            None => {
                let (_, number) = id.split_once("TidePart").unwrap_or_default();
                format!("{number} {rest}\n")
            }
        }
    });
    lines.collect()
}

#[test]
fn a_whole_session() {
    let told = told(&export("tide-cache.json"), MAIN);
    assert_eq!(
        short(&render(&told.events, &IGNORED)),
        r##"0101 user/text "Cache the tide predictions, see @predict.go"
0101#1 user/injected "<acreta-brief>Predictions are computed per harbour.</acreta-brief>" injected_by=acreta
0102 user/injected "Called the Read tool with the following input: {\"filePath\":\"predict.go" injected_by=synthetic
0103 user/note "[file predict.go]"
0202 assistant/thinking "Look at where predictions are asked for." model=claude-sonnet-4-5 input_tokens=5000 output_tokens=80 cache_read_tokens=4000 cache_write_tokens=100 cost_dollars=0.01
0203 assistant/tool-call "{\"filePath\":\"/home/noor/tide-tables/main.go\"}" tool=read call_id=call_read
0203#1 tool/tool-result "<file>\n00001| func handler(w, r) { predict(r) }\n</file>" tool=read call_id=call_read
0204 assistant/tool-call "{\"command\":\"redis-cli ping\",\"description\":\"Checks for Redis\"}" tool=bash call_id=call_redis
0204#1 tool/tool-result "Error: redis-cli: command not found" tool=bash call_id=call_redis is_error=true
0301 assistant/tool-call "{\"query\":\"tide cache\"}" tool=acreta_search call_id=call_acreta model=claude-sonnet-4-5 input_tokens=1200 output_tokens=60 cache_read_tokens=0 cache_write_tokens=0 cost_dollars=0.01
0301#1 tool/injected "decisions/0002-one-binary.md: everything runs in one binary" tool=acreta_search call_id=call_acreta injected_by=acreta
0302 assistant/text "Redis is not installed; I can add it to the compose file."
0401 user/text "No Redis. We decided that the harbour PC runs one binary and nothing e"
0402 user/note "[agent general]"
0501 system/note "retry: APIError: Overloaded"
0502 assistant/text "Then a map with a lifetime per harbour." model=claude-sonnet-4-5 input_tokens=1500 output_tokens=200 cache_read_tokens=0 cache_write_tokens=0 cost_dollars=0.01
0503 assistant/tool-call "{\"description\":\"Find callers\",\"prompt\":\"List all callers of predict\",\"" tool=task call_id=call_task agent_id=ses_47d2a6d02ffeTideCacheKid002
0503#1 tool/tool-result "main.go and feed.go call predict.\n[file graph.png]" tool=task call_id=call_task
0601 user/injected "Review the working tree and report what is wrong." injected_by=command
0701 system/note "[compaction, automatic]"
0801 assistant/compaction "Goal: cache predictions in memory for one hour, no Redis." model=claude-sonnet-4-5 input_tokens=5000 output_tokens=50 cache_read_tokens=0 cache_write_tokens=0 cost_dollars=0
message 09 system/injected "Answer in English." injected_by=system-prompt
0901 user/injected "Continue if you have next steps." injected_by=synthetic
0902 user/injected "A new version of OpenCode is available." injected_by=notice
1002 assistant/tool-call "{\"command\":\"go test ./...\"}" tool=bash call_id=call_run model=claude-sonnet-4-5 input_tokens=10 output_tokens=5 cache_read_tokens=0 cache_write_tokens=0 cost_dollars=0.01
1003 assistant/tool-call "{\"command\":\"go v" tool=bash call_id=call_wait
message 10 system/note "MessageAbortedError: The operation was aborted."
1101 user/text "The tests take a minute here, so always run them with -short first."
"##
    );
    assert_eq!(told.messages(), ["parts of the unknown type `hologram`"]);
}

#[test]
fn what_an_agent_asked_its_agent_is_not_a_persons() {
    let told = told(&export("subagent.json"), CHILD);
    let texts = told.texts();
    assert_eq!(
        texts[0],
        ("user", "injected", "List all callers of predict")
    );
    assert_eq!(texts.len(), 2);
}

#[test]
fn every_event_knows_its_message_and_its_time() {
    let told = told(&export("tide-cache.json"), MAIN);
    let find = |id: &str| {
        told.events
            .iter()
            .find(|event| event.id.contains(id))
            .unwrap()
    };
    let at =
        |minute: u64, milliseconds: u64| Some(1_767_600_000_000 + minute * 60_000 + milliseconds);
    let table = [
        ("TidePart0101", at(1, 0)),
        ("TidePart0202", at(2, 1000)),
        ("TidePart0203", at(2, 3000)),
        ("TidePart0203#1", at(2, 3500)),
        ("TidePart0401", at(4, 0)),
        ("TideMessage10", at(10, 0)),
    ];
    for (id, expected) in table {
        assert_eq!(find(id).at_ms, expected, "{id}");
    }
    for event in told
        .events
        .iter()
        .filter(|event| event.id.starts_with("prt"))
    {
        let message = event
            .attrs
            .iter()
            .find(|(key, _)| key == "message_id")
            .unwrap();
        assert!(message.1.starts_with("msg_b82d59"));
    }
}

#[test]
fn origins_are_the_records_themselves() {
    let path = export("tide-cache.json");
    let bytes = fs::read(&path).unwrap();
    for event in told(&path, MAIN).events {
        let span = &bytes[event.origin.start as usize..event.origin.end as usize];
        assert!(span.starts_with(b"{") && span.ends_with(b"}"));
        let id = format!("\"id\": \"{}\"", event.origin.record);
        assert!(String::from_utf8_lossy(span).contains(&id), "{id}");
    }
}

#[test]
fn a_command_that_ends_with_another_exit_code_than_0_has_failed() {
    let whole = fs::read_to_string(export("tide-cache.json")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (metadata, expected) in [
        ("\"exit\": 0", false),
        ("\"exit\": 1", true),
        ("\"exit\": 127, \"truncated\": false", true),
        ("\"exit\": null", false),
        ("", false),
    ] {
        let path = folder.path().join("tide-cache.json");
        let changed = whole.replace("\"preview\": \"func handler\"", metadata);
        assert_ne!(changed, whole);
        #[expect(clippy::disallowed_methods, reason = "a fixture that is thrown away")]
        fs::write(&path, changed).unwrap();
        let lines = render(&told(&path, MAIN).events, &IGNORED);
        let result = lines
            .lines()
            .find(|line| line.contains("tool-result") && line.contains("call_id=call_read"));
        assert_eq!(
            result.unwrap().contains("is_error=true"),
            expected,
            "{metadata}"
        );
    }
}
