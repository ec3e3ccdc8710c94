//! Real sessions, where they are at hand.

use acreta_adapter_kit::testing::{strangers, traces};
use adapter_pi::Pi;

#[test]
fn real_sessions_are_told() {
    for trace in traces::<Pi>(env!("CARGO_MANIFEST_DIR")) {
        let [user, assistant, tool, _] = trace.by_role();
        assert_eq!(trace.sessions.len(), 1, "{:?}", trace.path);
        assert!(
            user > 0 && assistant > user && tool > user,
            "{:?}",
            trace.path
        );
        assert!(trace.messages().is_empty(), "{:?}", trace.path);
    }
}

#[test]
fn other_agents_are_left_alone() {
    strangers::<Pi>(env!("CARGO_MANIFEST_DIR"));
}
