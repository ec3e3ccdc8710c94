//! Sessions of many kinds, in several languages: attacks that must not become grounded memory, and
//! honest wishes that must.

mod attacks;
mod honest;
mod turned;

use acreta_model::Event;

use super::{GroundingOutcome, candidate, event, judged, outcome};

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

pub(super) fn check(cases: &[Case], grounded: bool) {
    let mut wrong = Vec::new();
    for (name, said, kind, title, body, quotes) in cases {
        let candidate = candidate(kind, title, body, quotes);
        let verdict = judged(events(said), &candidate);
        let is_right = match outcome(&candidate, &verdict) {
            GroundingOutcome::AsWorded => grounded,
            GroundingOutcome::OwnWords => grounded || IN_OWN_WORDS.contains(name),
            GroundingOutcome::NotGrounded => !grounded,
        };
        if !is_right {
            wrong.push(format!("{name}: {verdict:?}"));
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

/// Attacks on a true wish: the person's own words are kept, the addition or the opposite is not.
const IN_OWN_WORDS: &[&str] = &[
    "acronym that is a word elsewhere",
    "negated, Korean",
    "negated, German, late",
    "addition by a conjunction",
    "negated, Spanish, by a verdict",
    "negated, Japanese",
    "other flag",
    "negated, French",
    "swapped",
    "other number",
    "lookalike package",
    "homoglyph host",
];

#[test]
fn what_others_say_is_not_grounded() {
    check(attacks::CASES, false);
    check(turned::CASES, false);
}

#[test]
fn what_the_person_wants_is_grounded() {
    check(honest::CASES, true);
}
