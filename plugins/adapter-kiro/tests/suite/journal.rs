//! The newer shape: a journal per session, with its description next to it.

use std::fs;
use std::path::Path;

use acreta_sdk::adapter::testing::{ReadResult, START, assert_same, put, read, sessions};
use acreta_sdk::adapter::{Adapter, Session};
use adapter_kiro::Kiro;

use crate::{JOURNAL, SUBAGENT, check, fixture};

fn session(path: &Path) -> Session {
    let mut found = sessions::<Kiro>(path);
    assert_eq!(found.len(), 1, "{path:?}");
    found.remove(0)
}

#[test]
fn every_voice_is_told() {
    let session = session(&fixture(&format!("{JOURNAL}.jsonl")));
    let told = check(
        &session,
        r##"
@0 user/text "uploads to the archive fail now and then, make the uploader retry"
@0#1 user/injected "<acreta-brief>The uploader is in src/upload.rs.</acreta-brief>" injected_by=acreta
@293 assistant/thinking "Look at the client first." model=claude-sonnet-5
@293#1 assistant/text "I'll look at the uploader first."
@293#2 assistant/tool-call "{\"command\":\"rg -n 'send' src/upload.rs\",\"__tool_use_purpose\":\"Find the" tool=shell call_id=tooluse_a1
@756 tool/tool-result "31:    let reply = client.send(request)?;\n" tool=shell call_id=tooluse_a1
@1077 assistant/tool-call "{\"query\":\"retry\"}" tool=context7___query call_id=tooluse_a2
@1077#1 assistant/tool-call "{\"query\":\"retry budget\"}" tool=acreta___search call_id=tooluse_a3
@1409 tool/tool-result "nothing" tool=context7___query call_id=tooluse_a2
@1409#1 tool/injected "uploads: three tries, then the dead letter box" tool=acreta___search call_id=tooluse_a3 injected_by=acreta
@1799 assistant/text "I retry every failed upload five times."
@1980 user/text "no: never retry a 4xx, it will not get better. three tries for 5xx and"
@1980#1 user/note "[image]"
@2286 assistant/tool-call "{\"command\":\"cargo test upload\"}" tool=shell call_id=tooluse_b1
@2536 tool/tool-result "error[E0599]: no method named `is_server_error`\n" tool=shell call_id=tooluse_b1 is_error=true
@2865 assistant/tool-call "{\"path\":\"src/upload.rs\",\"command\":\"strReplace\"}" tool=write call_id=tooluse_b2
@3105 tool/tool-result "permission denied" tool=write call_id=tooluse_b2 is_error=true
@3344 user/compaction "The uploader retries 5xx and timeouts three times, a 4xx never."
@3466 assistant/text "A 4xx is no longer retried; 5xx and timeouts are, three times."
@3670 user/note "conversation cleared"
"##,
        &[],
    );
    let times: Vec<_> = told.events.iter().filter_map(|event| event.at_ms).collect();
    assert_eq!(
        times,
        [
            1_782_812_400_000,
            1_782_812_400_000,
            1_782_812_520_500,
            1_782_812_520_500
        ]
    );
    assert_eq!(
        told.events[0].origin.record,
        "0000a101-3c2d-4e1f-a0b9-8c7d6e5f4a01"
    );
}

#[test]
fn the_description_beside_it_is_read() {
    let session = session(&fixture(&format!("{JOURNAL}.jsonl")));
    assert_eq!(session.id, JOURNAL);
    assert_eq!(
        session.project_dir.as_deref(),
        Some("/home/noor/archive-uploader")
    );
    assert_eq!(session.parent, None);
    assert_eq!(session.started_ms, Some(1_782_812_400_120));
    assert_eq!(session.updated_ms, Some(1_782_813_000_500));
    let attrs: Vec<_> = session.attrs.iter().map(|(k, v)| (&**k, &**v)).collect();
    assert_eq!(
        attrs,
        [
            ("title", "Retries in the uploader"),
            ("model", "claude-sonnet-5")
        ]
    );
}

#[test]
fn what_a_subagent_is_asked_is_no_person() {
    let session = session(&fixture(&format!("{SUBAGENT}.jsonl")));
    assert_eq!(session.parent.as_deref(), Some(JOURNAL));
    assert!(
        session
            .attrs
            .contains(&("relation".to_owned(), "subagent".to_owned()))
    );
    check(
        &session,
        r##"
@0 user/injected "List every caller of upload()." injected_by=agent
@194 assistant/text "Only src/main.rs calls it."
"##,
        &[],
    );
}

#[test]
fn damage_costs_itself() {
    check(
        &session(&fixture("damaged.jsonl")),
        r##"
@0 user/text "log each retry on one line"
@386 assistant/text "One line each."
@811 assistant/text "Logged."
@988 assistant/text "Logged, under the same id."
"##,
        &[
            " 190..298 the line ends inside a string",
            " 299..386 the line ends inside a string",
            " 542..617 records of the unknown type `Horoscope`",
            "0000a120-3c2d-4e1f-a0b9-8c7d6e5f4a20 694..810 a message without content",
            " 811..987 parts of the unknown type `dance`",
            " 1156..1206 unfinished at the end of the file, left for the next read",
        ],
    );
}

#[test]
fn many_steps_tell_what_one_tells() {
    let folder = tempfile::tempdir().unwrap();
    for name in [JOURNAL, "damaged"] {
        let copy = folder.path().join("grown.jsonl");
        let bytes = fs::read(fixture(&format!("{name}.jsonl"))).unwrap();
        put(&copy, &bytes);
        let session = session(&copy);
        let whole = read::<Kiro>(&session, &START).0.events;
        for step in [61, 500] {
            let mut cursor = START;
            let mut events = Vec::new();
            for size in (1..bytes.len()).step_by(step).chain([bytes.len()]) {
                put(&copy, &bytes[..size]);
                let (told, next) = read::<Kiro>(&session, &cursor);
                events.extend(told.events);
                cursor = next;
            }
            assert_same(&events, &whole, &format!("{name} by {step}"));
        }
    }
}

#[test]
fn a_rewritten_journal_refuses_its_cursor() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("rewritten.jsonl");
    let bytes = fs::read(fixture(&format!("{JOURNAL}.jsonl"))).unwrap();
    put(&copy, &bytes);
    let session = session(&copy);
    let (_, cursor) = read::<Kiro>(&session, &START);
    let mut rewritten = bytes.clone();
    let near_the_end = rewritten.len() - 10;
    rewritten[near_the_end] ^= 1;
    for file in [&bytes[..bytes.len() - 1], &rewritten] {
        put(&copy, file);
        let failure = Kiro::read(&session, &cursor, &mut ReadResult::default()).unwrap_err();
        assert_eq!(failure.code, "invalid-cursor");
    }
}

#[test]
fn a_failed_command_is_an_error_whatever_its_status_says() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("codes.jsonl");
    let table = [
        ("exit status: 0", false),
        ("exit status: 10", true),
        ("exit status: 1", true),
        ("0", false),
        ("signal: 9", true),
        ("", false),
    ];
    for (status, is_error) in table {
        let line = format!(
            r#"{{"version":"v1","kind":"ToolResults","data":{{"message_id":"m","content":[{{"kind":"toolResult","data":{{"toolUseId":"t","content":[{{"kind":"json","data":{{"exit_status":"{status}","stdout":"out"}}}}],"status":"success"}}}}]}}}}"#
        );
        put(&path, line + "\n");
        let (told, _) = read::<Kiro>(&session(&path), &START);
        let found = told.events[0]
            .attrs
            .iter()
            .any(|(key, _)| key == "is_error");
        assert_eq!(found, is_error, "{status}");
    }
}

#[test]
fn files_of_others_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.jsonl");
    let table = [
        "",
        "plain text",
        r#"{"version":3,"kind":"Prompt","data":{}}"#,
        r#"{"version":"v1","kind":"Prompt"}"#,
        r#"{"type":"x","version":"v1","kind":"Prompt","data":{}}"#,
        r#"{"kind":0,"v":{"version":3,"requests":[]}}"#,
        r#"{"conversation_id":"c","messages":[]}"#,
        r#"{"history":[],"sessionId":"s"}"#,
        "SQLite format 3\0 and nothing else",
    ];
    for text in table {
        put(&path, text);
        let found = Kiro::sessions(&path.to_string_lossy()).unwrap_or_default();
        assert!(found.is_empty(), "{text}");
    }
}
