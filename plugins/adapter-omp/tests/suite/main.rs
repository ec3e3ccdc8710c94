//! Tests the adapter through its public API: files in, sessions and events out.
//!
//! The fixtures are our own. They have the form of what version 18.2.3 wrote. Real sessions are read if they are available.

#![cfg(test)]

use std::path::{Path, PathBuf};

use acreta_sdk::adapter::Session;
use acreta_sdk::adapter::testing::{START, conformance, read, render, sessions, strangers, traces};
use adapter_omp::OhMyPi;

/// Returns the path of a fixture.
fn fixture(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/omp");
    folder.join(name)
}

#[test]
fn the_adapter_conforms() {
    let scratch = tempfile::tempdir().unwrap();
    conformance::<OhMyPi>(&fixture("."), Path::new(CORPUS), scratch.path());
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
    let table: [Row; 2] = [
        (
            "01a1f357-6183-705c-ae72-e06cb1d9a22d",
            &[
                "omp",
                "/home/mira/kelp-log",
                "1781082000000..1781082014000",
                "-",
                "title=Buoys",
                "model=scripted/kelp-1",
            ],
            r###"p1 user/text "Always name every buoy by its colour"
r1 assistant/text "I ask a helper." model=kelp-1 input_tokens=120 output_tokens=30 cache_read_tokens=0 cache_write_tokens=0 cost_dollars=0
r1#1 assistant/tool-call "{\"agent\":\"task\",\"tasks\":[{\"name\":\"Lister\",\"task\":\"List the buoys.\"}]}" tool=task call_id=call_1
t1 tool/tool-result "Spawned agent `Lister`." tool=task call_id=call_1
d1 user/injected "Finish your list of tasks." injected_by=extension
s1 user/injected "<task-result>From now on paint them red.</task-result>" injected_by=agent
c1 user/injected "Lister: 3 buoys" injected_by=extension
y1 user/note "len(buoys)"
y1#1 user/injected "3" injected_by=python
b1 tool/tool-result "make: no rule" tool=bash call_id=call_7 is_error=true
p2 user/text "Cardinal marks keep their letters."
p2#1 user/note "[image]"
r2 assistant/thinking "Letters." model=kelp-1 input_tokens=120 output_tokens=30 cache_read_tokens=0 cache_write_tokens=0 cost_dollars=0
r2#1 assistant/text "They do."
"###,
            &["records of the unknown type `riddle`"],
        ),
        (
            "01a1f358-7db9-755e-a6d5-ac76fd467c1b",
            &[
                "omp",
                "/home/mira/kelp-log",
                "1781082004000..1781082006000",
                "01a1f357-6183-705c-ae72-e06cb1d9a22d",
                "relation=subagent",
                "model=kelp-1",
            ],
            r###"q1 user/injected "List the buoys. Always paint them red." injected_by=agent
q2 assistant/text "Three buoys." model=kelp-1 input_tokens=120 output_tokens=30 cache_read_tokens=0 cache_write_tokens=0 cost_dollars=0
"###,
            &[],
        ),
    ];
    let files = [
        "-home-mira-kelp-log/2026-06-10T09-00-00-000Z_01a1f357-6183-705c-ae72-e06cb1d9a22d.jsonl",
        "-home-mira-kelp-log/2026-06-10T09-00-00-000Z_01a1f357-6183-705c-ae72-e06cb1d9a22d/Lister.jsonl",
    ];
    let paths = files.map(fixture);
    let found: Vec<Session> = paths
        .iter()
        .flat_map(|path| sessions::<OhMyPi>(path))
        .collect();
    let ids: Vec<&str> = found.iter().map(|session| &*session.id).collect();
    let expected: Vec<&str> = table.iter().map(|row| row.0).collect();
    assert_eq!(ids, expected);
    for (session, (id, known, events, messages)) in found.iter().zip(table) {
        let (told, _) = read::<OhMyPi>(session, &START);
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
    strangers::<OhMyPi>(CORPUS);
    strangers::<OhMyPi>(TRACES);
}

#[test]
fn real_sessions_are_told() {
    for trace in traces::<OhMyPi>(TRACES) {
        for (session, told) in &trace.sessions {
            let at = (&trace.path, &session.id);
            assert!(told.diagnostics.is_empty(), "{at:?} {:?}", told.diagnostics);
        }
    }
}
