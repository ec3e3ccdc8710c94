//! Real sessions, where they are at hand.

use acreta_adapter_kit::testing::{strangers, traces};
use adapter_aider::Aider;

#[test]
fn real_sessions_are_told() {
    for trace in traces::<Aider>(env!("CARGO_MANIFEST_DIR")) {
        let [user, assistant, tool, system] = trace.by_role();
        assert!(trace.sessions.len() > 200, "{:?}", trace.path);
        let others = assistant > 100 && tool > user && system == 0;
        assert!(user > 300 && others, "{:?}", trace.path);
        assert!(trace.messages().is_empty(), "{:?}", trace.path);
    }
}

#[test]
fn other_agents_are_left_alone() {
    strangers::<Aider>(env!("CARGO_MANIFEST_DIR"));
}
