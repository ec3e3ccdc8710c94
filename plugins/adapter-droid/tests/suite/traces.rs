//! Real sessions, if available.

use acreta_sdk::adapter::testing::{strangers, traces};
use adapter_droid::Droid;

/// Folder of real sessions, one folder per agent, if available.
const TRACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/traces");

#[test]
fn real_sessions_are_told() {
    for trace in traces::<Droid>(TRACES) {
        for (session, told) in &trace.sessions {
            assert!(
                told.diagnostics.is_empty(),
                "{:?} {}",
                trace.path,
                session.id
            );
        }
    }
}

#[test]
fn other_agents_are_left_alone() {
    strangers::<Droid>(TRACES);
}

/// Our own sample sessions, one folder per agent.
const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures");

#[test]
fn our_own_corpus_is_told_and_no_other_agents() {
    let told = traces::<Droid>(CORPUS);
    assert!(told.iter().any(|trace| !trace.sessions.is_empty()));
    strangers::<Droid>(CORPUS);
}
