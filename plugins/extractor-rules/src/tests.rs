//! Sessions and the candidates they give, in tables, and invariants of every session.

use acreta_sdk::extractor::{Event, Origin};

use crate::{Outcome, given_title, read};

mod dialogue;
mod session;

/// One event of a dialogue: role, kind, text and attributes.
type Step<'a> = (&'a str, &'a str, &'a str, &'a [(&'a str, &'a str)]);

fn user(text: &str) -> Step<'_> {
    ("user", "text", text, &[])
}

fn agent(text: &str) -> Step<'_> {
    ("assistant", "text", text, &[])
}

fn events(steps: &[Step<'_>]) -> Vec<Event> {
    let event = |(index, (role, kind, text, attrs)): (usize, &Step<'_>)| Event {
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
    };
    steps.iter().enumerate().map(event).collect()
}

/// Reads a session and checks what holds for every one.
fn check(steps: &[Step<'_>]) -> Outcome {
    let events = events(steps);
    let outcome = read(&events);
    let source = |id: &str| {
        events
            .iter()
            .find(|event| event.id == id)
            .expect("a known event")
    };
    let all = || outcome.candidates.iter().chain(&outcome.pending);
    for quoted in all()
        .flat_map(|one| &one.evidence)
        .chain(&outcome.summary.evidence)
    {
        let text = &source(&quoted.event_id).text;
        assert!(text.contains(&quoted.quote), "not verbatim: {quoted:?}");
        assert!(!quoted.quote.trim().is_empty() && quoted.quote.chars().count() <= 300);
    }
    assert!(outcome.candidates.len() <= 12 && outcome.pending.len() <= 8);
    for one in all() {
        let length = one.title.chars().count();
        assert!((4..=80).contains(&length), "{}", one.title);
        assert!(length + one.body.chars().count() <= 500, "{}", one.body);
        assert!(!one.title.contains(['…', '\n']), "{}", one.title);
        assert_eq!(one.kind.is_empty(), one.category == "decision");
        // The first quote is the person's, unless it is a cure.
        let first = source(&one.evidence[0].event_id);
        assert!(
            first.role == "user" || first.kind == "tool-result",
            "{one:?}"
        );
    }
    assert!(outcome.summary.title.chars().count() <= 80);
    assert!(outcome.summary.body.split_whitespace().count() <= 300);
    outcome
}

/// Returns the titles of a session's candidates, pending ones with `? ` before them.
fn titles(steps: &[Step<'_>]) -> Vec<String> {
    let outcome = check(steps);
    let sure = outcome.candidates.into_iter().map(|one| one.title);
    let pending = outcome
        .pending
        .into_iter()
        .map(|one| format!("? {}", one.title));
    sure.chain(pending).collect()
}
