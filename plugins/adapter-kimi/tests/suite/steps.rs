//! Reading a growing file: in steps as at once, and never from a file that was replaced.

use std::fs;
use std::path::Path;

use acreta_sdk::adapter::testing::{ReadResult, START, assert_same, put, read, sessions};
use acreta_sdk::adapter::{Adapter, Cursor, Session};
use adapter_kimi::Kimi;

use crate::{FORK, LEGACY, MAIN, fixture};

fn session(path: &Path) -> Session {
    sessions::<Kimi>(path).remove(0)
}

#[test]
fn many_steps_tell_what_one_tells() {
    let folder = tempfile::tempdir().unwrap();
    for (number, name) in [MAIN, FORK, LEGACY, "damaged.jsonl"]
        .into_iter()
        .enumerate()
    {
        let copy = folder.path().join(format!("{number}.jsonl"));
        let bytes = fs::read(fixture(name)).unwrap();
        put(&copy, &bytes);
        let session = session(&copy);
        let whole = read::<Kimi>(&session, &START).0.events;
        for step in [89, 700] {
            let mut cursor = START;
            let mut events = Vec::new();
            for size in (0..bytes.len()).step_by(step).chain([bytes.len()]) {
                put(&copy, &bytes[..size]);
                let (told, next) = read::<Kimi>(&session, &cursor);
                events.extend(told.events);
                cursor = next;
            }
            assert_same(&events, &whole, &format!("{name} by {step}"));
        }
    }
}

#[test]
fn a_cursor_fits_only_the_file_it_was_made_for() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("wire.jsonl");
    let bytes = fs::read(fixture(MAIN)).unwrap();
    put(&copy, &bytes);
    let session = session(&copy);
    let (_, cursor) = read::<Kimi>(&session, &START);
    let mut rewritten = bytes.clone();
    let near_the_end = rewritten.len() - 20;
    rewritten[near_the_end] ^= 1;
    let foreign = Cursor {
        offset: cursor.offset,
        state: b"{}".to_vec(),
    };
    let table = [
        (&bytes[..bytes.len() - 1], &cursor),
        (&rewritten, &cursor),
        (&bytes, &foreign),
    ];
    for (file, cursor) in table {
        put(&copy, file);
        let mut told = ReadResult::default();
        let failure = Kimi::read(&session, cursor, &mut told).unwrap_err();
        assert_eq!(failure.code, "invalid-cursor");
        assert!(told.events.is_empty());
    }
}

#[test]
fn the_state_stays_small() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wire.jsonl");
    let mut file = String::from("{\"type\":\"metadata\",\"protocol_version\":\"1.4\"}\n");
    for number in 0..3000 {
        file.push_str(&format!(
            "{{\"type\":\"turn.prompt\",\"input\":[{{\"type\":\"text\",\"text\":\"p{number}\"}}],\
             \"origin\":{{\"kind\":\"user\"}}}}\n{{\"type\":\"context.append_loop_event\",\"event\":\
             {{\"type\":\"tool.call\",\"toolCallId\":\"Bash_{number}\",\"name\":\"Bash\"}}}}\n"
        ));
    }
    put(&path, file);
    let (told, cursor) = read::<Kimi>(&session(&path), &START);
    assert_eq!(told.events.len(), 6000);
    assert!(cursor.state.len() < 16 * 1024, "{}", cursor.state.len());
}

#[test]
fn a_prompt_is_told_once_for_each_time_it_was_typed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wire.jsonl");
    let input = r#"[{"type":"text","text":"go on"}]"#;
    let prompt = format!(r#"{{"type":"turn.prompt","input":{input},"origin":{{"kind":"user"}}}}"#);
    let message = format!(
        r#"{{"type":"context.append_message","message":{{"role":"user","content":{input},"origin":{{"kind":"user"}}}}}}"#
    );
    let header = r#"{"type":"metadata","protocol_version":"1.4"}"#;
    // Version 2.1 repeats the prompt among irrelevant records.
    let again = [
        format!(
            r#"{{"type":"agent.message.appended","message":{{"role":"user","content":{input}}}}}"#
        ),
        r#"{"type":"agent.turn.started"}"#.to_owned(),
        r#"{"type":"file_history.tracked"}"#.to_owned(),
        r#"{"type":"prompt.completed"}"#.to_owned(),
        r#"{"type":"subagent.completed"}"#.to_owned(),
    ]
    .join("\n");
    // Typed, typed again before the first became a message, and once only as a message.
    let lines = [
        header, &prompt, &prompt, &message, &message, &message, &again, "",
    ];
    put(&path, lines.join("\n"));
    let (told, _) = read::<Kimi>(&session(&path), &START);
    assert_eq!(told.messages(), [""; 0]);
    assert_eq!(told.texts(), [("user", "text", "go on"); 3]);
}
