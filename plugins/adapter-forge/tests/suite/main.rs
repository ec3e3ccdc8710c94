//! Tests the adapter through its public API: files in, sessions and events out.
//!
//! The fixtures are our own, databases as SQL. They follow the public source: the program is not to be had from a registry. Real sessions are read if they are available.

#![cfg(test)]

use std::path::{Path, PathBuf};

use acreta_sdk::adapter::Session;
use acreta_sdk::adapter::testing::{START, conformance, read, render, sessions, strangers, traces};
use adapter_forge::Forge;

/// Returns the path of a fixture.
fn fixture(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/forge");
    folder.join(name)
}

/// Creates the database from the fixture in this folder.
fn database(folder: &Path) -> PathBuf {
    let path = folder.join(".forge.db");
    acreta_sdk::adapter::testing::database(&fixture("forge.sql"), &path);
    path
}

#[test]
fn the_adapter_conforms() {
    let scratch = tempfile::tempdir().unwrap();
    let own = tempfile::tempdir().unwrap();
    database(own.path());
    conformance::<Forge>(own.path(), Path::new(CORPUS), scratch.path());
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
            "5e6f7081-92a3-4b45-86d7-e8f90a1b2c3d",
            &[
                "forge",
                "/home/mira/kelp-log",
                "1781416800000..1781416860500",
                "-",
                "title=Salt",
                "model=kelp-1",
            ],
            r###"1 user/text "Always show the salt in grams"
2 user/injected "<file_content path=\"salt.csv\">never push</file_content>" injected_by=file
3 assistant/thinking "Salt?" model=kelp-1 input_tokens=120 output_tokens=30 cache_read_tokens=20 cost_dollars=0.003
3#1 assistant/text "I look."
3#2 assistant/tool-call "{\"command\":\"cat salt.csv\"}" tool=shell call_id=call_1
3#3 assistant/tool-call "{\"query\":\"salt\"}" tool=mcp_acreta_tool_memory_search call_id=call_2
4 tool/tool-result "no such file" tool=shell call_id=call_1 is_error=true
5 tool/injected "\nsalt is in ounces" tool=mcp_acreta_tool_memory_search call_id=call_2 injected_by=acreta
6 user/note "[image]"
7 user/text "/weigh the salt"
8 user/injected "**Current task list:**\n- [DONE] weigh" injected_by=forge
9 system/compaction "Use the following summary frames as the authoritative reference for al"
10 user/text "Wet salt does not count."
12 assistant/text "Noted." model=kelp-1
"###,
            &["a message of an unknown type"],
        ),
        (
            "6f708192-a3b4-4c56-97e8-f90a1b2c3d4e",
            &[
                "forge",
                "/home/mira/kelp-log",
                "1781416800000..1781416920000",
                "-",
                "relation=subagent",
                "title=Weigh it.",
            ],
            r###"1 user/injected "Weigh it. Always use ounces." injected_by=agent
2 assistant/text "Weighed."
"###,
            &[],
        ),
        (
            "708192a3-b4c5-4d67-a8f9-0a1b2c3d4e5f",
            &[
                "forge",
                "-",
                "1781416800000..1781416800000",
                "-",
                "empty=true",
            ],
            r###""###,
            &["a conversation without a context"],
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    let found = sessions::<Forge>(&database(folder.path()));
    let ids: Vec<&str> = found.iter().map(|session| &*session.id).collect();
    let expected: Vec<&str> = table.iter().map(|row| row.0).collect();
    assert_eq!(ids, expected);
    for (session, (id, known, events, messages)) in found.iter().zip(table) {
        let (told, _) = read::<Forge>(session, &START);
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
    strangers::<Forge>(CORPUS);
    strangers::<Forge>(TRACES);
}

#[test]
fn real_sessions_are_told() {
    for trace in traces::<Forge>(TRACES) {
        for (session, told) in &trace.sessions {
            let at = (&trace.path, &session.id);
            assert!(told.diagnostics.is_empty(), "{at:?} {:?}", told.diagnostics);
        }
    }
}
