//! Real sessions, where they are at hand.

use acreta_adapter_kit::testing::{strangers, traces};
use adapter_specstory::SpecStory;

#[test]
fn real_sessions_are_told() {
    for trace in traces::<SpecStory>(env!("CARGO_MANIFEST_DIR")) {
        let [user, assistant, tool, _] = trace.by_role();
        assert_eq!(trace.sessions.len(), 1, "{:?}", trace.path);
        let is_plausible = user > 0 && assistant > user && tool > 20;
        assert!(is_plausible, "{:?}", trace.path);
        assert!(trace.messages().is_empty(), "{:?}", trace.path);
    }
}

#[test]
fn other_agents_are_left_alone() {
    strangers::<SpecStory>(env!("CARGO_MANIFEST_DIR"));
}
