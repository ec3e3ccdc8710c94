//! Tests the extractor through its public interface: events in, candidates and a summary out.

use acreta_sdk::extractor::testing::{EventList, ScriptedHost, event, is_grounded, session};
use acreta_sdk::extractor::{Extractor, MemoryType};
use example_plugin::ExamplePlugin;

fn host() -> ScriptedHost {
    let learning = MemoryType {
        name: "learning".to_owned(),
        kinds: vec!["convention".to_owned()],
        folder: "learnings".to_owned(),
        definition: String::new(),
        example: String::new(),
    };
    ScriptedHost {
        memory_types: vec![learning],
        ..ScriptedHost::default()
    }
}

fn events() -> EventList {
    EventList::new(vec![
        event(
            "e1",
            "user",
            "text",
            "Fix the tide table. Always run `make check` first.",
        ),
        event("e2", "tool", "tool-result", "always a tool, never a person"),
        event("e3", "assistant", "text", "Fixed, and the checks pass."),
    ])
}

#[test]
fn what_a_person_lays_down_is_found_and_cited() {
    let events = events();
    let found = ExamplePlugin::extract(&session(), &events, &host()).expect("no failure");
    let bodies: Vec<_> = found.iter().map(|one| &*one.body).collect();
    assert_eq!(bodies, ["Always run `make check` first"]);
    for evidence in found.iter().flat_map(|one| &one.evidence) {
        assert!(is_grounded(evidence, events.events()), "{evidence:?}");
    }
}

#[test]
fn a_type_that_the_host_does_not_know_is_not_proposed() {
    let found = ExamplePlugin::extract(&session(), &events(), &ScriptedHost::default());
    assert!(found.expect("no failure").is_empty());
}

#[test]
fn a_summary_says_what_was_asked_and_how_it_ended() {
    let events = events();
    let summary = ExamplePlugin::summarise(&session(), &events, &host()).expect("no failure");
    assert!(
        summary.body.contains("Fix the tide table"),
        "{}",
        summary.body
    );
    assert!(summary.body.contains("the checks pass"), "{}", summary.body);
    assert!(
        summary
            .evidence
            .iter()
            .all(|one| is_grounded(one, events.events()))
    );
}

#[test]
fn a_session_without_words_has_no_summary() {
    let failure = ExamplePlugin::summarise(&session(), &EventList::default(), &host());
    assert_eq!(failure.expect_err("nothing was said").code, "nothing-said");
}
