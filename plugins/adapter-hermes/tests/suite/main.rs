//! Tests the adapter through its public API: files in, sessions and events out.
//!
//! The fixtures are our own, databases as SQL. They have the form of what version 0.19.0 wrote. Real sessions are read if they are available.

#![cfg(test)]

use std::path::{Path, PathBuf};

use acreta_sdk::adapter::Session;
use acreta_sdk::adapter::testing::{START, conformance, read, render, sessions, strangers, traces};
use adapter_hermes::Hermes;

/// Returns the path of a fixture.
fn fixture(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/hermes");
    folder.join(name)
}

/// Creates the database from the fixture in this folder.
fn database(folder: &Path) -> PathBuf {
    let path = folder.join("state.db");
    acreta_sdk::adapter::testing::database(&fixture("state.sql"), &path);
    path
}

#[test]
fn the_adapter_conforms() {
    let scratch = tempfile::tempdir().unwrap();
    let own = tempfile::tempdir().unwrap();
    database(own.path());
    conformance::<Hermes>(own.path(), Path::new(CORPUS), scratch.path());
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
            "20260615_050000_a1b2c3",
            &[
                "hermes",
                "/home/mira/kelp-log",
                "1781499600250..1781499611500",
                "-",
                "title=Wind",
                "model=kelp-1",
                "branch=main",
            ],
            r###"2 user/text "Always show the wind in knots"
3 assistant/thinking "Where?" model=kelp-1
3#1 assistant/text "I look."
3#2 assistant/tool-call "{\"command\": \"cat wind.csv\"}" tool=terminal call_id=call_1
4 tool/tool-result "{\"output\": \"\", \"exit_code\": 1, \"error\": \"no such file\"}" tool=terminal call_id=call_1 is_error=true
5 user/text "Gusts count double."
7 user/compaction "[CONTEXT COMPACTION — REFERENCE ONLY] Earlier turns were compacted.\n"
9 assistant/tool-call "{\"query\": \"wind\"}" tool=mcp_acreta_memory_search call_id=call_2 model=kelp-1
10 tool/injected "{\"result\": \"wind is metric\"}" tool=mcp_acreta_memory_search call_id=call_2 injected_by=acreta
11 user/injected "[IMPORTANT: MCP servers have been reloaded.]" injected_by=hermes
12 user/text "As on this chart.\n{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:x\"}}"
13 assistant/text "Done." model=kelp-1
"###,
            &["messages of the unknown type `dance`"],
        ),
        (
            "20260615_050030_d4e5f6",
            &[
                "hermes",
                "/home/mira/kelp-log",
                "1781499600250..1781499632500",
                "20260615_050000_a1b2c3",
                "relation=subagent",
                "model=kelp-1",
                "branch=main",
            ],
            r###"15 user/injected "Read the wind. Always use metres." injected_by=agent
16 assistant/text "Read." model=kelp-1
"###,
            &[],
        ),
        (
            "20260615_060000_000000",
            &[
                "hermes",
                "/home/mira/kelp-log",
                "1781499600250..1781499600250",
                "20260615_050000_a1b2c3",
                "relation=fork",
                "model=kelp-1",
                "branch=main",
                "empty=true",
            ],
            r###""###,
            &[],
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    let found = sessions::<Hermes>(&database(folder.path()));
    let ids: Vec<&str> = found.iter().map(|session| &*session.id).collect();
    let expected: Vec<&str> = table.iter().map(|row| row.0).collect();
    assert_eq!(ids, expected);
    for (session, (id, known, events, messages)) in found.iter().zip(table) {
        let (told, _) = read::<Hermes>(session, &START);
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

/// Returns the events of a session of one message.
#[expect(clippy::disallowed_methods, reason = "a fixture that is thrown away")]
fn events_of(source: &str, message: &str) -> String {
    let sql = std::fs::read_to_string(fixture("state.sql")).unwrap();
    let (schema, _) = sql.split_once("INSERT").unwrap();
    let rows = format!(
        "INSERT INTO sessions (id, source, started_at, cwd) VALUES ('s', '{source}', 1781499600.25, '/home/mira/kelp-log');
         INSERT INTO messages (id, session_id, role, content, timestamp) VALUES (1, 's', 'user', '{message}', 1781499601.5);"
    );
    let folder = tempfile::tempdir().unwrap();
    let (from, path) = (folder.path().join("it.sql"), folder.path().join("state.db"));
    std::fs::write(&from, format!("{schema}\n{rows}")).unwrap();
    acreta_sdk::adapter::testing::database(&from, &path);
    let found = sessions::<Hermes>(&path);
    let (told, _) = read::<Hermes>(&found[0], &START);
    render(&told.events, &[])
}

/// Pages and files that a prompt mentions are attached below it, pages without a fence. Channels have many writers.
#[test]
fn what_others_wrote_is_not_the_persons() {
    let page = "See @url:https://kelp.example\n\n--- Attached Context ---\n\nT @url:https://kelp.example (9 tokens)\nTen tips.\n\nalways push";
    let told = events_of("cli", page);
    let expected = [
        r#"1 user/text "See @url:https://kelp.example""#,
        r#"1#1 user/injected "--- Attached Context ---\n\nT @url:https://kelp.example (9 tokens)\nTen t" injected_by=file"#,
    ];
    assert_eq!(told.lines().collect::<Vec<_>>(), expected);
    for (source, is_theirs) in [
        ("cli", true),
        ("tui", true),
        ("acp", true),
        ("discord", false),
        ("webhook", false),
        ("some-plugin", false),
    ] {
        let told = events_of(source, "[Bob] always push");
        let expected = match is_theirs {
            true => "1 user/text \"[Bob] always push\"",
            false => "1 user/injected \"[Bob] always push\" injected_by=channel",
        };
        assert_eq!(told.trim_end(), expected, "{source}");
    }
}

/// Our own sample sessions, one folder per agent.
const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures");

/// Folder of real sessions, one folder per agent, if available.
const TRACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/traces");

#[test]
fn other_agents_are_left_alone() {
    strangers::<Hermes>(CORPUS);
    strangers::<Hermes>(TRACES);
}

#[test]
fn real_sessions_are_told() {
    for trace in traces::<Hermes>(TRACES) {
        for (session, told) in &trace.sessions {
            let at = (&trace.path, &session.id);
            assert!(told.diagnostics.is_empty(), "{at:?} {:?}", told.diagnostics);
        }
    }
}
