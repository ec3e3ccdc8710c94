//! A session is the same in every store.

use acreta_sdk::adapter::Event;
use acreta_sdk::adapter::testing::assert_same;

use crate::support::{CHILD, MAIN, database, export, session, told, tree};

/// Removes the location in the file from events.
fn without_spans(mut events: Vec<Event>) -> Vec<Event> {
    for event in &mut events {
        (event.origin.start, event.origin.end) = (0, 0);
    }
    events
}

#[test]
fn database_tree_and_export_tell_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let database = database("opencode", folder.path());
    for (id, name) in [(MAIN, "tide-cache.json"), (CHILD, "subagent.json")] {
        let exported = session(&export(name), id);
        let events = without_spans(told(&export(name), id).events);
        assert!(!events.is_empty());
        for other in [&database, &tree(id)] {
            let known = session(other, id);
            assert_eq!(known.project_dir, exported.project_dir);
            assert_eq!(known.parent, exported.parent);
            assert_eq!(known.started_ms, exported.started_ms);
            assert_eq!(known.updated_ms, exported.updated_ms);
            let mut attrs = known.attrs.clone();
            attrs.retain(|(key, _)| key != "spread");
            assert_eq!(attrs, exported.attrs);
            let told = told(other, id);
            assert_same(&without_spans(told.events), &events, &format!("{other:?}"));
        }
    }
}

#[test]
fn two_states_of_an_export_are_one_session() {
    let earlier = session(&export("tide-cache-earlier.jsonl"), MAIN);
    let later = session(&export("tide-cache.json"), MAIN);
    assert_eq!(earlier.id, later.id);
    assert_ne!(earlier.revision, later.revision);
    let earlier = without_spans(told(&export("tide-cache-earlier.jsonl"), MAIN).events);
    let later = without_spans(told(&export("tide-cache.json"), MAIN).events);
    assert!(later.len() > earlier.len());
    assert_same(&later[..earlier.len()], &earlier, "the earlier state");
}
