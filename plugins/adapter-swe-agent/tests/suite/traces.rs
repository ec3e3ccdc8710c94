//! Real sessions, if available.

use acreta_sdk::adapter::testing::{strangers, traces};
use adapter_swe_agent::SweAgent;

/// Folder of real sessions, one folder per agent, if available.
const TRACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/traces");

#[test]
fn real_sessions_are_told() {
    for trace in traces::<SweAgent>(TRACES) {
        let [user, assistant, tool, system] = trace.by_role();
        assert_eq!(trace.sessions.len(), 1, "{:?}", trace.path);
        let is_plausible = user > 0 && assistant > tool && tool > 3 && system == 1;
        assert!(is_plausible, "{:?}", trace.path);
        assert!(trace.messages().is_empty(), "{:?}", trace.path);
        let voices = || trace.sessions.iter().flat_map(|(_, told)| told.texts());
        let spoken = voices().any(|(role, kind, _)| (role, kind) == ("user", "text"));
        assert!(!spoken, "{:?}: nobody speaks", trace.path);
    }
}

#[test]
fn other_agents_are_left_alone() {
    strangers::<SweAgent>(TRACES);
}

/// Our own sample sessions, one folder per agent.
const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures");

#[test]
fn our_own_corpus_is_told_and_no_other_agents() {
    let told = traces::<SweAgent>(CORPUS);
    assert!(told.iter().any(|trace| !trace.sessions.is_empty()));
    strangers::<SweAgent>(CORPUS);
}
