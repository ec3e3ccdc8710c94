//! Reading a growing log: in steps as at once, and never from a file that was replaced.

use acreta_sdk::adapter::testing::{ReadResult, START, assert_same, read};
use acreta_sdk::adapter::{Adapter, Event};
use adapter_copilot::Copilot;

use crate::support::{Home, fixture, put, record, session, start};

#[test]
fn many_steps_tell_what_one_tells() {
    let home = Home::new();
    for part in ["6d1f3c52", "7e2a4d63", "8f3b5e74"] {
        let bytes = std::fs::read(fixture(part)).unwrap();
        let copy = home.write("events.jsonl", &bytes);
        let known = session(&copy);
        let whole = read::<Copilot>(&known, &START).0.events;
        for step in [53, 701] {
            let mut cursor = START;
            let mut events: Vec<Event> = Vec::new();
            for size in (0..bytes.len()).step_by(step).chain([bytes.len()]) {
                put(&copy, &bytes[..size]);
                let (told, next) = read::<Copilot>(&known, &cursor);
                events.extend(told.events);
                cursor = next;
            }
            assert_same(&events, &whole, &format!("{part} by {step}"));
        }
    }
}

#[test]
fn a_cursor_fits_only_the_file_it_was_made_for() {
    let home = Home::new();
    let prompt = |text: &str| record("user.message", &format!(r#"{{"content":"{text}"}}"#));
    let path = home.lines("a.jsonl", &[start(), prompt("one")]);
    let known = session(&path);
    let (_, cursor) = read::<Copilot>(&known, &START);
    home.lines("a.jsonl", &[start(), prompt("two")]);
    let failure = Copilot::read(&known, &cursor, &mut ReadResult::default()).unwrap_err();
    assert_eq!(
        (&*failure.code, failure.retryable),
        ("invalid-cursor", false)
    );
}
