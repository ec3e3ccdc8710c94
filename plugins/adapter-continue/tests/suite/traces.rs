//! Real sessions, if available.

use acreta_sdk::adapter::Adapter;
use acreta_sdk::adapter::testing::{real_sessions, strangers, traces};
use adapter_continue::Continue;

/// Folder of real sessions, one folder per agent, if available.
const TRACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/traces");

#[test]
fn real_sessions_are_told() {
    for trace in traces::<Continue>(TRACES) {
        assert_eq!(trace.sessions.len(), 1, "{:?}", trace.path);
        let (session, told) = &trace.sessions[0];
        let [user, assistant, tool, _] = told.by_role();
        assert!(user > 0 && assistant > user, "{:?}", trace.path);
        assert!(tool > 0 && told.diagnostics.is_empty(), "{:?}", trace.path);
        assert!(session.project_dir.is_some());
    }
}

#[test]
fn other_agents_are_left_alone() {
    for path in real_sessions(TRACES, ".") {
        let path = path.to_string_lossy();
        if !path.contains("/./continue/") {
            let found = Continue::sessions(&path).unwrap_or_default();
            assert!(found.is_empty(), "{path}: {found:?}");
        }
    }
}

/// Our own sample sessions, one folder per agent.
const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures");

#[test]
fn our_own_corpus_is_told_and_no_other_agents() {
    let told = traces::<Continue>(CORPUS);
    assert!(told.iter().any(|trace| !trace.sessions.is_empty()));
    strangers::<Continue>(CORPUS);
}
