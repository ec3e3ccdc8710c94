//! Real sessions, if available.

use acreta_sdk::adapter::testing::{strangers, traces};
use adapter_aider::Aider;

/// Folder of real sessions, one folder per agent, if available.
const TRACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/traces");

#[test]
fn real_sessions_are_told() {
    for trace in traces::<Aider>(TRACES) {
        let [user, assistant, tool, system] = trace.by_role();
        assert!(trace.sessions.len() > 200, "{:?}", trace.path);
        let others = assistant > 100 && tool > user && system == 0;
        assert!(user > 300 && others, "{:?}", trace.path);
        assert!(trace.messages().is_empty(), "{:?}", trace.path);
    }
}

#[test]
fn other_agents_are_left_alone() {
    strangers::<Aider>(TRACES);
}

/// Our own sample sessions, one folder per agent.
const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures");

#[test]
fn our_own_corpus_is_told_and_no_other_agents() {
    let told = traces::<Aider>(CORPUS);
    assert!(told.iter().any(|trace| !trace.sessions.is_empty()));
    strangers::<Aider>(CORPUS);
}
