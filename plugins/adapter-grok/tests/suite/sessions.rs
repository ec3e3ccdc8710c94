//! Properties of a session: from the files next to it, or without them.

use std::fs;

use acreta_sdk::adapter::testing::{START, Scratch, only_session, read, sessions};
use adapter_grok::Grok;

use crate::{GROK, fixture};

#[test]
fn files_beside_the_conversation_say_where_and_when_it_was() {
    let session = only_session::<Grok>(&fixture(GROK));
    assert_eq!(session.id, "019c2f10-7a31-7c20-9b11-0a1b2c3d4e5f");
    assert_eq!(session.project_dir.as_deref(), Some("/home/mira/kelp-log"));
    assert_eq!(session.started_ms, Some(1_780_473_600_000));
    assert_eq!(session.updated_ms, Some(1_780_473_700_000));
    let (told, _) = read::<Grok>(&session, &START);
    let time_of = |text: &str| {
        let event = told.events.iter().find(|event| event.text.contains(text));
        event.and_then(|event| event.at_ms)
    };
    let table = [
        ("You are an agent.", None),
        ("Name the log files", Some(1_780_473_600_100)),
        ("I look at the writer.", Some(1_780_473_601_100)),
        ("open(", Some(1_780_473_602_100)),
        ("make: no rule", Some(1_780_473_603_000)),
        ("Always use UTC", Some(1_780_473_700_000)),
    ];
    for (text, expected) in table {
        assert_eq!(time_of(text), expected, "{text}");
    }
}

#[test]
fn a_copy_alone_tells_the_same_words() {
    let text = fs::read_to_string(fixture(GROK)).unwrap();
    let scratch = Scratch::<Grok>::new("chat_history.jsonl");
    let alone = scratch.told(&text);
    let session = only_session::<Grok>(&scratch.path());
    assert_eq!(session.project_dir.as_deref(), Some("/home/mira/kelp-log"));
    assert_eq!(session.started_ms, None);
    let (whole, _) = read::<Grok>(&only_session::<Grok>(&fixture(GROK)), &START);
    assert_eq!(alone.texts(), whole.texts());
}

#[test]
fn only_sessions_are_taken() {
    let table = [
        ("", 0),
        ("{\"type\":\"user\",\"content\":\"x\"}\n", 0),
        (
            "{\"type\":\"assistant\",\"content\":\"x\",\"model_id\":\"m\"}\n",
            1,
        ),
        (
            "{\"type\":\"user\",\"content\":\"x\",\"prompt_index\":0}\n",
            1,
        ),
    ];
    for (text, expected) in table {
        let scratch = Scratch::<Grok>::new("chat_history.jsonl");
        scratch.write(text);
        assert_eq!(sessions::<Grok>(&scratch.path()).len(), expected, "{text}");
    }
}
