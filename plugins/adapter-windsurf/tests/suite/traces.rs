//! Real sessions, if available.

use acreta_sdk::adapter::testing::{strangers, traces};
use adapter_windsurf::Windsurf;

/// Folder of real sessions, one folder per agent, if available.
const TRACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/traces");

#[test]
fn real_sessions_are_told() {
    for trace in traces::<Windsurf>(TRACES) {
        let [user, assistant, tool, _] = trace.by_role();
        assert_eq!(trace.sessions.len(), 1, "{:?}", trace.path);
        assert!(user > 0 && assistant > user && tool > 0, "{:?}", trace.path);
        assert!(trace.messages().is_empty(), "{:?}", trace.path);
    }
}

#[test]
fn other_agents_are_left_alone() {
    strangers::<Windsurf>(TRACES);
}

/// Our own sample sessions, one folder per agent.
const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures");

#[test]
fn our_own_corpus_is_told_and_no_other_agents() {
    let told = traces::<Windsurf>(CORPUS);
    assert!(told.iter().any(|trace| !trace.sessions.is_empty()));
    strangers::<Windsurf>(CORPUS);
}
