//! Real sessions, if available: nothing panics, nothing is lost.

use acreta_sdk::adapter::testing::{attribute, strangers, traces};
use adapter_cursor::CursorAgent;

/// Folder of real sessions, one folder per agent, if available.
const TRACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/traces");

#[test]
fn every_real_session_is_told() {
    for trace in traces::<CursorAgent>(TRACES) {
        let [(session, told)] = &trace.sessions[..] else {
            panic!("{:?}: {} sessions", trace.path, trace.sessions.len());
        };
        let [user, assistant, _, _] = trace.by_role();
        assert!(user > 0 && assistant > 0, "{:?}", trace.path);
        for event in &told.events {
            assert!(!event.text.contains("[REDACTED]"), "{event:?}");
            assert!(!event.text.contains("<user_query>"), "{event:?}");
        }
        if trace
            .path
            .extension()
            .is_some_and(|extension| extension == "vscdb")
        {
            assert!(told.diagnostics.is_empty(), "{:?}", told.diagnostics);
            assert!(session.started_ms < session.updated_ms, "{session:?}");
            let words = told.events.iter().filter(|event| event.role == "user");
            assert!(words.clone().count() == 2 && words.clone().all(|event| event.kind == "text"));
            let results = told.events.iter().filter(|event| event.role == "tool");
            assert_eq!(results.clone().count(), 19);
            assert!(
                results
                    .clone()
                    .all(|event| attribute(event, "tool").is_some())
            );
            assert!(told.events.iter().all(|event| event.at_ms.is_some()));
        }
    }
}

/// Our own sample sessions, one folder per agent.
const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures");

#[test]
fn our_own_corpus_is_told_and_no_other_agents() {
    let told = traces::<CursorAgent>(CORPUS);
    assert!(told.iter().any(|trace| !trace.sessions.is_empty()));
    strangers::<CursorAgent>(CORPUS);
}
