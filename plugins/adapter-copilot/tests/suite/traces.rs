//! Real sessions, if available: nothing panics, nothing is lost.

use std::path::Path;

use acreta_sdk::adapter::testing::{
    START, assert_same, attribute, files, read, real_sessions, sessions, strangers, traces,
};
use adapter_copilot::Copilot;

use crate::support::{Home, put, session};

const TRACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/traces");

#[test]
fn every_session_is_told() {
    for trace in traces::<Copilot>(TRACES) {
        assert_eq!(trace.sessions.len(), 1, "{:?}", trace.path);
        assert!(trace.messages().is_empty(), "{:?}", trace.path);
        let (_, told) = &trace.sessions[0];
        let text = std::fs::read_to_string(&trace.path).unwrap();
        let count = |kind: &str| {
            let needle = format!("\"type\":\"{kind}\"");
            text.lines().filter(|line| line.contains(&needle)).count()
        };
        let told_as = |role: &str, kind: &str| {
            let events = told.events.iter();
            let found = events.filter(|event| event.role == role && event.kind == kind);
            found.count()
        };
        assert_eq!(told_as("user", "text"), count("user.message"));
        assert_eq!(
            told_as("tool", "tool-result"),
            count("tool.execution_complete")
        );
        let calls = told.events.iter().filter(|event| event.kind == "tool-call");
        for call in calls {
            assert!(attribute(call, "call_id").is_some(), "{call:?}");
        }
    }
}

#[test]
fn other_agents_are_left_alone() {
    let folder = Path::new(TRACES);
    for path in files(folder) {
        if !path.starts_with(folder.join("copilot")) {
            assert_eq!(sessions::<Copilot>(&path).len(), 0, "{path:?}");
        }
    }
}

#[test]
fn real_sessions_in_steps() {
    let home = Home::new();
    for path in real_sessions(TRACES, "copilot") {
        let bytes = std::fs::read(&path).unwrap();
        let copy = home.write("a.jsonl", &bytes);
        let known = session(&copy);
        let whole = read::<Copilot>(&known, &START).0.events;
        let mut steps = Vec::new();
        let mut cursor = START;
        for part in 1..=12 {
            put(&copy, &bytes[..bytes.len() * part / 12]);
            let (told, next) = read::<Copilot>(&known, &cursor);
            steps.extend(told.events);
            cursor = next;
        }
        assert_same(&steps, &whole, &path.to_string_lossy());
    }
}

/// Our own sample sessions, one folder per agent.
const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures");

#[test]
fn our_own_corpus_is_told_and_no_other_agents() {
    let told = traces::<Copilot>(CORPUS);
    assert!(told.iter().any(|trace| !trace.sessions.is_empty()));
    strangers::<Copilot>(CORPUS);
}
