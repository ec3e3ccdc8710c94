//! Real sessions, if available: nothing panics, nothing is lost.

use acreta_sdk::adapter::testing::{attribute, strangers, traces};
use adapter_kimi::Kimi;

/// Folder of real sessions, one folder per agent, if available.
const TRACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/traces");

#[test]
fn every_real_session_is_told() {
    for trace in traces::<Kimi>(TRACES) {
        let [(session, told)] = &trace.sessions[..] else {
            panic!("{:?}: {} sessions", trace.path, trace.sessions.len());
        };
        assert!(told.diagnostics.is_empty(), "{:?}", told.diagnostics);
        assert!(session.started_ms < session.updated_ms, "{session:?}");
        let [_, assistant, tool, _] = trace.by_role();
        assert!(assistant > 0 && tool > 0, "{:?}", trace.path);
        let results = told.events.iter().filter(|event| event.role == "tool");
        for event in results {
            assert!(attribute(event, "tool").is_some(), "{event:?}");
        }
        let tokens = told
            .events
            .iter()
            .filter_map(|event| attribute(event, "output_tokens"));
        assert!(tokens.count() > 0, "{:?}", trace.path);
    }
}

/// Our own sample sessions, one folder per agent.
const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures");

#[test]
fn our_own_corpus_is_told_and_no_other_agents() {
    let told = traces::<Kimi>(CORPUS);
    assert!(told.iter().any(|trace| !trace.sessions.is_empty()));
    strangers::<Kimi>(CORPUS);
}
