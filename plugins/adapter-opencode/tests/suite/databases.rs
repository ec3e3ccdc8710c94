//! The databases of other versions, and large ones.

use acreta_sdk::adapter::testing::{render, sessions};
use adapter_opencode::OpenCode;

use crate::support::{attribute, database, execute, session, told};

const IGNORED: [&str; 1] = ["message_id"];
const NEWER: &str = "ses_5a00000001ffeTideNewer0001";

#[test]
fn newer_messages_are_rows_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = database("newer", folder.path());
    let ids: Vec<_> = sessions::<OpenCode>(&path)
        .into_iter()
        .map(|session| session.id)
        .collect();
    assert_eq!(ids, [NEWER, "ses_5a00000002ffeTideNewer0002"]);

    let told = told(&path, NEWER);
    assert_eq!(
        render(&told.events, &IGNORED),
        r##"prt_c0000009dup_ user/text "Start with the page for Kiel."
msg_c0000001user user/text "Show the next high tide on the start page"
msg_c0000001user#1 user/note "[file index.html]"
msg_c0000001user#2 user/note "[agent plan]"
msg_c0000002syst system/injected "You are working in /home/noor/tide-tables." injected_by=system-prompt
msg_c0000003asst assistant/thinking "The page has no data yet." model=claude-sonnet-4-5 input_tokens=65 output_tokens=40 cache_read_tokens=10 cache_write_tokens=5
msg_c0000003asst#1 assistant/tool-call "{\"path\":\"index.html\"}" tool=read call_id=call_n1
msg_c0000003asst#2 tool/tool-result "<main></main>\n[file shot.png]" tool=read call_id=call_n1
msg_c0000003asst#3 assistant/tool-call "{\"command\":\"make\"}" tool=bash call_id=call_n2
msg_c0000003asst#4 tool/tool-result "make: no rule" tool=bash call_id=call_n2 is_error=true
msg_c0000003asst#5 assistant/tool-call "{\"comm" tool=bash call_id=call_n3
msg_c0000003asst#6 assistant/text "I'll put it into the header."
msg_c0000003asst#7 system/note "connection reset"
msg_c0000004shel user/note "git diff --stat"
msg_c0000004shel#1 user/injected " index.html | 2 ++" injected_by=bash
msg_c0000005user user/text "Not in the header: the header is cached for a day. Use the sidebar."
msg_c0000006synt user/injected "The user switched to plan mode." injected_by=synthetic
msg_c0000007comp assistant/compaction "The next high tide goes into the sidebar."
"##
    );
    assert_eq!(
        told.messages(),
        [
            "contents of the unknown type `scent`",
            "messages of the unknown type `telepathy`",
            "the message is not valid JSON",
        ]
    );
}

#[test]
fn the_earlier_program_of_the_same_name_is_known_by_its_tables() {
    let folder = tempfile::tempdir().unwrap();
    let path = database("go", folder.path());
    let child = session(&path, "title-s-go-1");
    assert_eq!(child.parent.as_deref(), Some("s-go-1"));
    assert_eq!(attribute(&child, "empty"), Some("true"));
    // Milliseconds here, seconds there.
    assert_eq!(child.started_ms, Some(1_767_600_000_000));
    let main = session(&path, "s-go-1");
    assert_eq!(main.started_ms, Some(1_767_600_000_000));
    assert_eq!(attribute(&main, "title"), Some("Flag for the harbour"));

    let told = told(&path, "s-go-1");
    assert_eq!(
        render(&told.events, &[]),
        r##"m1 user/text "Add a flag for the harbour name"
m1#1 user/note "[file /home/noor/map.png]"
m2 assistant/thinking "Flags live in main.go." model=claude-3.7-sonnet
m2#1 assistant/tool-call "{\"file_path\":\"main.go\"}" tool=view call_id=tc1
m3 tool/tool-result "package main" tool=view call_id=tc1
m4 assistant/text "Added --harbour." model=claude-3.7-sonnet
m5 user/text "Call it --port instead, like the other tools."
m6 assistant/tool-call "{}" tool=edit call_id=tc2 model=claude-3.7-sonnet
m6#1 system/note "[the reply ended: canceled]"
m7 tool/tool-result "Tool execution canceled by user" tool=edit call_id=tc2 is_error=true
m8 assistant/compaction "We renamed the flag to --port." model=claude-3.7-sonnet
"##
    );
    assert_eq!(
        told.messages(),
        [
            "parts of the unknown type `riddle`",
            "a part without data",
            "the parts are not a JSON list",
        ]
    );
}

#[test]
fn columns_that_are_not_there_are_not_missed() {
    let folder = tempfile::tempdir().unwrap();
    let path = database("few-columns", folder.path());
    assert_eq!(sessions::<OpenCode>(&path).len(), 1);
    let told = told(&path, "ses_few");
    assert_eq!(told.texts(), [("user", "text", "Spell it Wattenmeer.")]);
    let expected = ["a part without a type", "the message is not valid JSON"];
    assert_eq!(told.messages(), expected);
}

#[test]
fn other_databases_are_left_alone() {
    let table = [
        "CREATE TABLE ItemTable (key TEXT, value BLOB)",
        "CREATE TABLE session (id TEXT, directory TEXT)",
        "CREATE TABLE message (id TEXT, session_id TEXT, data TEXT); \
         CREATE TABLE part (id TEXT, message_id TEXT, data TEXT)",
        "CREATE TABLE sessions (id TEXT, description TEXT, working_dir TEXT); \
         CREATE TABLE messages (id TEXT, session_id TEXT, role TEXT, content_json TEXT)",
    ];
    for sql in table {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("opencode.db");
        execute(&path, sql);
        assert!(sessions::<OpenCode>(&path).is_empty(), "{sql}");
    }
}

#[test]
fn ten_thousand_sessions_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("opencode.db");
    execute(
        &path,
        "CREATE TABLE session (id TEXT PRIMARY KEY, directory TEXT, time_updated INTEGER);
         CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
         CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, data TEXT);
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
         INSERT INTO session SELECT 'ses_' || i, '/home/noor', i FROM n;
         INSERT INTO message SELECT 'msg_' || id, id, 1, '{\"role\":\"user\"}' FROM session;
         INSERT INTO part SELECT 'prt_' || id, id, '{\"type\":\"text\",\"text\":\"hello\"}' FROM message;",
    );
    let found = sessions::<OpenCode>(&path);
    assert_eq!(found.len(), 10_000);
    assert!(
        found
            .iter()
            .all(|session| attribute(session, "empty").is_none())
    );
    assert_eq!(told(&path, "ses_7777").texts(), [("user", "text", "hello")]);
}

#[test]
fn credentials_are_not_read() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["opencode", "newer"] {
        let path = database(name, folder.path());
        for session in sessions::<OpenCode>(&path) {
            let told = told(&path, &session.id);
            assert!(
                !format!("{session:?} {told:?}").contains("never-read-me"),
                "{name}"
            );
        }
    }
}
