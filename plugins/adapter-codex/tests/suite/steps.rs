//! Reading a growing file: in steps as at once, and never from a file that was replaced.

use acreta_sdk::adapter::testing::{ReadResult, START, assert_same, files, read};
use acreta_sdk::adapter::{Adapter, Event};
use adapter_codex::Codex;

use crate::support::{Home, fixtures, item, message, meta, notice, put, session, user_message};

#[test]
fn many_steps_tell_what_one_tells() {
    let home = Home::new();
    for path in files(&fixtures()) {
        let name = path.to_string_lossy();
        if !name.contains("rollout") || name.ends_with(".zst") {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let copy = home.write("rollout.jsonl", &bytes);
        let known = session(&copy);
        let whole = read::<Codex>(&known, &START).0.events;
        for step in [61, 701] {
            let mut cursor = START;
            let mut events: Vec<Event> = Vec::new();
            for size in (0..bytes.len()).step_by(step).chain([bytes.len()]) {
                put(&copy, &bytes[..size]);
                let (told, next) = read::<Codex>(&known, &cursor);
                events.extend(told.events);
                cursor = next;
            }
            assert_same(&events, &whole, &format!("{name} by {step}"));
        }
    }
}

#[test]
fn a_cursor_fits_only_the_file_it_was_made_for() {
    let home = Home::new();
    let path = home.lines("a.jsonl", &[meta(""), message("user", "one")]);
    let known = session(&path);
    let (_, cursor) = read::<Codex>(&known, &START);
    home.lines("a.jsonl", &[meta(""), message("user", "two")]);
    let failure = Codex::read(&known, &cursor, &mut ReadResult::default()).unwrap_err();
    assert_eq!(
        (&*failure.code, failure.retryable),
        ("invalid-cursor", false)
    );
}

#[test]
fn the_state_stays_small() {
    let home = Home::new();
    let mut lines = vec![meta("")];
    for number in 0..3000 {
        let id = format!("call_{number:060}");
        lines.push(user_message(&format!("prompt {number}")));
        lines.push(item(&format!(
            r#"{{"type":"function_call","name":"shell","arguments":"{{}}","call_id":"{id}"}}"#
        )));
        lines.push(notice(&format!(
            r#"{{"type":"patch_apply_end","call_id":"{id}","success":false}}"#
        )));
    }
    let path = home.lines("a.jsonl", &lines);
    let (told, cursor) = read::<Codex>(&session(&path), &START);
    assert_eq!(told.events.len(), 6000);
    assert!(cursor.state.len() < 32 * 1024, "{}", cursor.state.len());
}
