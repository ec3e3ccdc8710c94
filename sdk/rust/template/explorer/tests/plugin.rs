//! Tests the explorer through its public interface: candidates in, findings out.

use acreta_sdk::explorer::Explorer;
use acreta_sdk::explorer::testing::{ScriptedHost, candidate, hit};
use example_plugin::ExamplePlugin;

#[test]
fn the_nearest_memory_is_named() {
    let host = ScriptedHost {
        hits: vec![
            hit("learnings/a.md", "Tests share one port"),
            hit("learnings/b.md", "Run the linter before every commit"),
        ],
        ..ScriptedHost::default()
    };
    let table = [
        (
            "Run the linter before every commit",
            "no-op",
            Some("learnings/b.md"),
        ),
        (
            "Run the linter and the tests before every merge",
            "update",
            Some("learnings/b.md"),
        ),
        ("Deploy on Mondays", "add", None),
    ];
    for (title, hint, file) in table {
        let found = ExamplePlugin::explore(&[candidate("c1", title)], &host).expect("no failure");
        assert_eq!(found.len(), 1, "{title}");
        let told = (&*found[0].action_hint, found[0].matched_file.as_deref());
        assert_eq!(told, (hint, file), "{title}");
    }
}

#[test]
fn every_candidate_has_a_finding() {
    let batch = [candidate("c1", "Use tabs"), candidate("c2", "")];
    let found = ExamplePlugin::explore(&batch, &ScriptedHost::default()).expect("no failure");
    let ids: Vec<_> = found.iter().map(|one| &*one.candidate_id).collect();
    assert_eq!(ids, ["c1", "c2"]);
}
