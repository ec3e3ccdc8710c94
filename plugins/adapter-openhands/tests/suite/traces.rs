//! Real sessions, if available.

use acreta_sdk::adapter::testing::{strangers, traces};
use adapter_openhands::OpenHands;

/// Folder of real sessions, one folder per agent, if available.
const TRACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/traces");

#[test]
fn real_sessions_are_told() {
    for trace in traces::<OpenHands>(TRACES) {
        let is_evaluation = trace.path.extension().is_some_and(|end| end == "jsonl");
        let expected = if is_evaluation { 2 } else { 1 };
        assert_eq!(trace.sessions.len(), expected, "{:?}", trace.path);
        let [user, assistant, ..] = trace.by_role();
        assert!(user > 0 && assistant >= user, "{:?}", trace.path);
        assert!(trace.messages().is_empty(), "{:?}", trace.path);
        let voices = || trace.sessions.iter().flat_map(|(_, told)| told.texts());
        let spoken = voices().any(|(role, kind, _)| (role, kind) == ("user", "text"));
        assert_eq!(spoken, !is_evaluation, "{:?}", trace.path);
    }
}

#[test]
fn other_agents_are_left_alone() {
    strangers::<OpenHands>(TRACES);
}

/// Our own sample sessions, one folder per agent.
const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures");

#[test]
fn our_own_corpus_is_told_and_no_other_agents() {
    let told = traces::<OpenHands>(CORPUS);
    assert!(told.iter().any(|trace| !trace.sessions.is_empty()));
    strangers::<OpenHands>(CORPUS);
}
