//! Tests the adapter through its public API: files in, sessions and events out.
//!
//! The fixtures are our own. They follow the public source: the program is not to be had from a registry. Real sessions are read if they are available.

#![cfg(test)]

use std::path::{Path, PathBuf};

use acreta_sdk::adapter::Session;
use acreta_sdk::adapter::testing::{START, conformance, read, render, sessions, strangers, traces};
use adapter_openclaude::OpenClaude;

/// Returns the path of a fixture.
fn fixture(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/openclaude");
    folder.join(name)
}

#[test]
fn the_adapter_conforms() {
    let scratch = tempfile::tempdir().unwrap();
    conformance::<OpenClaude>(&fixture("."), Path::new(CORPUS), scratch.path());
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
    let table: [Row; 1] = [(
        "2b3c4d5e-6f70-4812-93a4-b5c6d7e8f901",
        &[
            "openclaude",
            "/home/mira/kelp-log",
            "1780992001000..1780992006000",
            "-",
            "title=Seals",
            "branch=main",
            "version=0.9.2",
        ],
        r###"u1 user/text "Count the seals at low water"
a1 assistant/text "I count." message_id=msg_1 model=qwen3-coder input_tokens=40 output_tokens=9 cache_read_tokens=0 cache_write_tokens=0
a1#1 assistant/tool-call "{\"command\":\"wc -l seals.csv\"}" tool=Bash call_id=call_1 message_id=msg_1
u2 tool/tool-result "12 seals.csv" tool=Bash call_id=call_1
u3 user/injected "<system-reminder>\nThe tools changed.\n</system-reminder>" injected_by=system-reminder
u4 user/text "Always count pups as seals."
a2 assistant/text "Fourteen." message_id=msg_2 model=qwen3-coder input_tokens=60 output_tokens=3
"###,
        &[],
    )];
    let paths = [fixture(
        "projects/-home-mira-kelp-log/2b3c4d5e-6f70-4812-93a4-b5c6d7e8f901.jsonl",
    )];
    let found: Vec<Session> = paths
        .iter()
        .flat_map(|path| sessions::<OpenClaude>(path))
        .collect();
    let ids: Vec<&str> = found.iter().map(|session| &*session.id).collect();
    let expected: Vec<&str> = table.iter().map(|row| row.0).collect();
    assert_eq!(ids, expected);
    for (session, (id, known, events, messages)) in found.iter().zip(table) {
        let (told, _) = read::<OpenClaude>(session, &START);
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

/// Our own sample sessions, one folder per agent.
const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures");

/// Folder of real sessions, one folder per agent, if available.
const TRACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/traces");

#[test]
fn other_agents_are_left_alone() {
    strangers::<OpenClaude>(CORPUS);
    strangers::<OpenClaude>(TRACES);
}

#[test]
fn real_sessions_are_told() {
    for trace in traces::<OpenClaude>(TRACES) {
        for (session, told) in &trace.sessions {
            let at = (&trace.path, &session.id);
            assert!(told.diagnostics.is_empty(), "{at:?} {:?}", told.diagnostics);
        }
    }
}
