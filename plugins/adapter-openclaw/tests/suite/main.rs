//! Tests the adapter through its public API: files in, sessions and events out.
//!
//! The fixtures are our own, databases as SQL. They have the form of what version 2026.9.6 wrote. Real sessions are read if they are available.

#![cfg(test)]

use std::path::{Path, PathBuf};

use acreta_sdk::adapter::Session;
use acreta_sdk::adapter::testing::{START, conformance, read, render, sessions, strangers, traces};
use adapter_openclaw::OpenClaw;

/// Returns the path of a fixture.
fn fixture(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/openclaw");
    folder.join(name)
}

/// Creates the database from the fixture in this folder.
fn database(folder: &Path) -> PathBuf {
    let path = folder.join("openclaw-agent.sqlite");
    acreta_sdk::adapter::testing::database(&fixture("agent.sql"), &path);
    path
}

#[test]
fn the_adapter_conforms() {
    let scratch = tempfile::tempdir().unwrap();
    conformance::<OpenClaw>(&fixture("."), Path::new(CORPUS), scratch.path());
    let own = tempfile::tempdir().unwrap();
    database(own.path());
    conformance::<OpenClaw>(own.path(), Path::new(CORPUS), scratch.path());
}

/// A session's id, what is known of it, its events and its diagnostics.
type Row = (
    &'static str,
    &'static [&'static str],
    &'static str,
    &'static [&'static str],
);

#[test]
fn every_session_is_told() {
    let table: [Row; 3] = [
        (
            "3c4d5e6f-7081-4923-a4b5-c6d7e8f90a1b",
            &[
                "openclaw",
                "/home/mira/kelp-log",
                "1781168400000..1781168400000",
                "-",
                "model=kelp-1",
            ],
            r###"w1 user/text "Ring the bell when fog comes"
w2 assistant/text "It rings." model=kelp-1 input_tokens=120 output_tokens=30 cache_read_tokens=0 cache_write_tokens=0 cost_dollars=0
"###,
            &[],
        ),
        (
            "b1ecbf2b-f892-428b-adfc-6bfe32cf0241",
            &[
                "openclaw",
                "/home/mira/kelp-log",
                "1781168400000..1781168420000",
                "-",
                "model=kelp-1",
            ],
            r###"g2 user/text "Always show the fog in metres"
g3 assistant/text "I look." model=kelp-1 input_tokens=120 output_tokens=30 cache_read_tokens=0 cache_write_tokens=0 cost_dollars=0
g3#1 assistant/tool-call "{\"command\":\"cat fog.csv\"}" tool=exec call_id=call_1
g4 tool/tool-result "fog 200" tool=exec call_id=call_1
g5 user/injected "Always use yards" injected_by=channel
g6 user/injected "Heartbeat: read the list" injected_by=system
g7 user/injected "The helper says hello" injected_by=agent
g9 user/text "Below fifty metres, ring twice."
ga assistant/text "Noted." model=kelp-1 input_tokens=120 output_tokens=30 cache_read_tokens=0 cache_write_tokens=0 cost_dollars=0
"###,
            &[
                "not valid JSON",
                "1 entries stand on branches that were left",
            ],
        ),
        (
            "c2fdc03c-0983-439c-bef0-7cf043d01352",
            &[
                "openclaw",
                "/home/mira/kelp-log",
                "1781168420000..1781168422000",
                "-",
                "model=kelp-1",
                "relation=subagent",
            ],
            r###"h1 user/injected "Read the fog table. Never ring." injected_by=agent
h2 assistant/text "Read." model=kelp-1 input_tokens=120 output_tokens=30 cache_read_tokens=0 cache_write_tokens=0 cost_dollars=0
"###,
            &[],
        ),
    ];
    let paths = [fixture(
        "agents/main/sessions/3c4d5e6f-7081-4923-a4b5-c6d7e8f90a1b.jsonl",
    )];
    let mut found: Vec<Session> = paths
        .iter()
        .flat_map(|path| sessions::<OpenClaw>(path))
        .collect();
    let folder = tempfile::tempdir().unwrap();
    found.extend(sessions::<OpenClaw>(&database(folder.path())));
    let ids: Vec<&str> = found.iter().map(|session| &*session.id).collect();
    let expected: Vec<&str> = table.iter().map(|row| row.0).collect();
    assert_eq!(ids, expected);
    for (session, (id, known, events, messages)) in found.iter().zip(table) {
        let (told, _) = read::<OpenClaw>(session, &START);
        assert_eq!(known_of(session), known, "{id}");
        assert_eq!(
            render(&told.events, &[]).trim_end(),
            events.trim_end(),
            "{id}"
        );
        assert_eq!(told.messages(), messages, "{id}");
        assert!(
            !format!("{session:?} {told:?}").contains("never-read-me"),
            "{id}"
        );
    }
}

/// Returns agent, directory, times, parent and attributes.
fn known_of(session: &Session) -> Vec<String> {
    let time = |time: Option<u64>| time.map_or_else(|| "-".to_owned(), |time| time.to_string());
    let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
    let mut known = vec![
        session.agent.clone(),
        text(&session.project_dir),
        format!("{}..{}", time(session.started_ms), time(session.updated_ms)),
        text(&session.parent),
    ];
    known.extend(
        session
            .attrs
            .iter()
            .map(|(key, value)| format!("{key}={value}")),
    );
    known
}

/// Chats have many writers. Versions that kept files said who wrote in the text alone.
#[expect(clippy::disallowed_methods, reason = "a fixture that is thrown away")]
#[test]
fn what_others_wrote_is_not_the_persons() {
    let texts = [
        ("always push", true),
        ("[Discord Guild #kelp id:1] Bob: always push", false),
        (
            "Conversation info (untrusted metadata):\\n{}\\n\\nalways push",
            false,
        ),
        ("always push\\n[from: Bob (42)]", false),
        ("System: [2026-01-10] always push", false),
        ("<<<EXTERNAL_UNTRUSTED_CONTENT>>>\\nalways push", false),
    ];
    for (text, is_theirs) in texts {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".openclaw/agents/main/sessions/s.jsonl");
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let session = r#"{"type":"session","version":3,"id":"s","timestamp":"2026-06-11T09:00:00.000Z","cwd":"/home/mira"}"#;
        let message = format!(
            r#"{{"type":"message","id":"m","parentId":null,"timestamp":"2026-06-11T09:00:02.000Z","message":{{"role":"user","content":[{{"type":"text","text":"{text}"}}]}}}}"#
        );
        std::fs::write(&path, format!("{session}\n{message}\n")).unwrap();
        let found = sessions::<OpenClaw>(&path);
        let (told, _) = read::<OpenClaw>(&found[0], &START);
        let told = render(&told.events, &[]);
        assert_eq!(told.contains("user/text"), is_theirs, "{told}");
        assert_eq!(told.contains("injected_by=channel"), !is_theirs, "{told}");
    }
    // In a group only what is known to be the owner's is theirs.
    let table = [
        ("agent:main:main", "", true),
        ("agent:main:discord:group:1", "", false),
        (
            "agent:main:slack:channel:1",
            ",\"__openclaw\":{\"senderIsOwner\":true}",
            true,
        ),
    ];
    let sql = std::fs::read_to_string(fixture("agent.sql")).unwrap();
    let (schema, _) = sql.split_once("INSERT INTO session_windows").unwrap();
    for (key, owner, is_theirs) in table {
        let folder = tempfile::tempdir().unwrap();
        let rows = format!(
            "INSERT INTO session_windows VALUES ('s', '{key}', 1781168420000);
             INSERT INTO transcript_events VALUES ('s', 0, '{{\"type\":\"session\",\"version\":4,\"id\":\"s\",\"timestamp\":\"2026-06-11T09:00:00.000Z\",\"cwd\":\"/home/mira\"}}', 1781168400000, NULL);
             INSERT INTO transcript_events VALUES ('s', 1, '{{\"type\":\"message\",\"id\":\"m\",\"parentId\":null,\"timestamp\":\"2026-06-11T09:00:02.000Z\",\"message\":{{\"role\":\"user\",\"content\":\"always push\"{owner}}}}}', 1781168402000, NULL);"
        );
        let (from, path) = (
            folder.path().join("it.sql"),
            folder.path().join("openclaw-agent.sqlite"),
        );
        std::fs::write(&from, format!("{schema}\n{rows}")).unwrap();
        acreta_sdk::adapter::testing::database(&from, &path);
        let found = sessions::<OpenClaw>(&path);
        let (told, _) = read::<OpenClaw>(&found[0], &START);
        let told = render(&told.events, &[]);
        assert_eq!(told.contains("user/text"), is_theirs, "{key}: {told}");
    }
}

/// Our own sample sessions, one folder per agent.
const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures");

/// Folder of real sessions, one folder per agent, if available.
const TRACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/traces");

#[test]
fn other_agents_are_left_alone() {
    strangers::<OpenClaw>(CORPUS);
    strangers::<OpenClaw>(TRACES);
}

#[test]
fn real_sessions_are_told() {
    for trace in traces::<OpenClaw>(TRACES) {
        for (session, told) in &trace.sessions {
            let at = (&trace.path, &session.id);
            assert!(told.diagnostics.is_empty(), "{at:?} {:?}", told.diagnostics);
        }
    }
}
