//! Whole dialogues and the resulting memories: each kind of evidence with one that counts and one that does not, and
//! invariants of every session.

use acreta_sdk::extractor::Event;
use acreta_sdk::extractor::bindings::acreta::types::types::Origin;

use crate::{Outcome, read};

mod dialogue;
mod session;

/// One event of a dialogue: role, kind, text and attributes.
type DialogueStep<'a> = (&'a str, &'a str, &'a str, &'a [(&'a str, &'a str)]);

fn user(text: &str) -> DialogueStep<'_> {
    ("user", "text", text, &[])
}

fn agent(text: &str) -> DialogueStep<'_> {
    ("assistant", "text", text, &[])
}

fn events(steps: &[DialogueStep<'_>]) -> Vec<Event> {
    steps
        .iter()
        .enumerate()
        .map(|(index, (role, kind, text, attrs))| Event {
            id: format!("e{index}"),
            origin: Origin {
                record: String::new(),
                start: 0,
                end: 0,
            },
            role: (*role).to_owned(),
            kind: (*kind).to_owned(),
            at_ms: None,
            text: (*text).to_owned(),
            attrs: attrs
                .iter()
                .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
                .collect(),
        })
        .collect()
}

fn check(steps: &[DialogueStep<'_>]) -> Outcome {
    let events = events(steps);
    let outcome = read(&events);
    let quotes = outcome
        .candidates
        .iter()
        .flat_map(|one| &one.evidence)
        .chain(&outcome.summary.evidence);
    for evidence in quotes {
        let source = events
            .iter()
            .find(|event| event.id == evidence.event_id)
            .expect("evidence names an event");
        assert!(
            source.text.contains(&evidence.quote),
            "not verbatim: {:?}",
            evidence.quote
        );
        assert!(evidence.quote.len() <= 300);
    }
    assert!(outcome.pending.len() <= 8);
    for one in outcome.candidates.iter().chain(&outcome.pending) {
        assert!(!one.evidence.is_empty(), "{}", one.title);
        assert!(!one.title.contains('…'), "{}", one.title);
        assert!(one.title.chars().count() <= 80, "{}", one.title);
        assert!(
            one.title.chars().count() + one.body.chars().count() <= 500,
            "{}",
            one.body
        );
        assert!((0.0..=1.0).contains(&one.confidence));
        assert_eq!(one.kind.is_empty(), one.category == "decision");
    }
    assert!(outcome.candidates.len() <= 12);
    assert!(
        outcome.summary.title.chars().count() <= 80,
        "{}",
        outcome.summary.title
    );
    assert!(outcome.summary.body.split_whitespace().count() <= 300);
    outcome
}

const SHELL: &[(&str, &str)] = &[("tool", "Bash"), ("call_id", "b1")];
const EDIT: &[(&str, &str)] = &[("tool", "Edit"), ("call_id", "x1")];
