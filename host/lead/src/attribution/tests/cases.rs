//! Sessions of many kinds, in several languages: attacks that must not become grounded memory, and
//! honest wishes that must.

mod attacks;
mod honest;
mod turned;

use acreta_model::Event;

use super::{candidate, event, told};

/// Name, events (`u`: the person, `a`: the agent, `c`: a tool call, `t`: tool output, `i`: injected), kind,
/// title, body, and quotes by the places of their events.
pub(super) type Case<'a> = (
    &'a str,
    &'a [(&'a str, &'a str)],
    &'a str,
    &'a str,
    &'a str,
    &'a [(usize, &'a str)],
);

pub(super) fn events(said: &[(&str, &str)]) -> Vec<Event> {
    let told = said.iter().enumerate().map(|(index, (who, text))| {
        let (role, kind) = match *who {
            "u" => ("user", "text"),
            "a" => ("assistant", "text"),
            "c" => ("assistant", "tool-call"),
            "i" => ("user", "injected"),
            _ => ("tool", "tool-result"),
        };
        event(index, role, kind, text)
    });
    told.collect()
}

pub(super) fn check(cases: &[Case], expected: bool) {
    let mut wrong = Vec::new();
    for (name, said, kind, title, body, quotes) in cases {
        let candidate = candidate(kind, title, body, quotes);
        let told = told(events(said), &candidate);
        if told.is_some() != expected {
            wrong.push(format!("{name}: {told:?}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
}

#[test]
fn what_others_say_is_not_told() {
    check(attacks::CASES, false);
}

#[test]
fn turned() {
    check(turned::CASES, false);
}

#[test]
fn what_the_person_wants_is_told() {
    check(honest::CASES, true);
}
