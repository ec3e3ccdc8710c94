//! Real sessions, where they are at hand.

use acreta_adapter_kit::testing::{strangers, traces};
use adapter_swe_agent::SweAgent;

#[test]
fn real_sessions_are_told() {
    for trace in traces::<SweAgent>(env!("CARGO_MANIFEST_DIR")) {
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
    strangers::<SweAgent>(env!("CARGO_MANIFEST_DIR"));
}
