//! Later records change earlier ones: the last one counts.

use std::fs;

use acreta_sdk::adapter::Adapter;
use acreta_sdk::adapter::testing::{ReadResult, START, put, read};
use adapter_gemini::Gemini;

use crate::support::{SENSOR, fixture, said, session, told, told_of};

/// Returns the person's texts in a file of these lines.
fn heard(lines: &[String]) -> Vec<String> {
    let told = told_of(lines);
    told.events.into_iter().map(|event| event.text).collect()
}

fn written(messages: &[String]) -> String {
    format!("{{\"$set\":{{\"messages\":[{}]}}}}", messages.join(","))
}

fn taken_back(id: &str) -> String {
    format!("{{\"$rewindTo\":\"{id}\"}}")
}

#[test]
fn the_last_word_counts() {
    let (a, b, c) = (|| said("a", "A"), || said("b", "B"), || said("c", "C"));
    let table: [(&str, Vec<String>, &[&str]); 9] = [
        (
            "written again",
            vec![a(), b(), said("a", "A2")],
            &["A2", "B"],
        ),
        ("taken back", vec![a(), b(), taken_back("b")], &["A"]),
        (
            "taken back and said otherwise",
            vec![a(), b(), c(), taken_back("b"), said("d", "D")],
            &["A", "D"],
        ),
        (
            "said again under its id after it was taken back",
            vec![a(), b(), taken_back("a"), c(), a()],
            &["C", "A"],
        ),
        (
            "what is taken back is not there",
            vec![a(), taken_back("x"), b()],
            &["A", "B"],
        ),
        (
            "a history that changes a message",
            vec![a(), b(), written(&[a(), said("b", "B2")])],
            &["A", "B2"],
        ),
        (
            "a history that sums up the beginning",
            vec![a(), b(), written(&[said("s", "S"), b()]), c()],
            &["A", "S", "B", "C"],
        ),
        (
            "a history of new messages only",
            vec![a(), written(&[said("s", "S"), said("t", "T")]), c()],
            &["A", "S", "T", "C"],
        ),
        (
            "taken back to before a summary",
            vec![a(), b(), written(&[said("s", "S"), b()]), taken_back("s")],
            &["A"],
        ),
    ];
    for (name, lines, expected) in table {
        assert_eq!(heard(&lines), expected, "{name}");
    }
}

#[test]
fn when_everything_was_taken_back_it_is_said() {
    let told = told(&fixture(
        "orchard/chats/session-2026-05-04T11-00-taken0ba.jsonl",
    ));
    assert!(told.events.is_empty());
    assert_eq!(told.messages(), ["all that was said before was taken back"]);
}

#[test]
fn a_history_over_several_lines_keeps_its_places() {
    let message = said("a", "A");
    let spread =
        format!("{{\n  \"$set\": {{\n    \"messages\": [\n      {message}\n    ]\n  }}\n}}");
    let told = told_of(&[spread]);
    assert_eq!(told.texts(), [("user", "text", "A")]);
    let origin = &told.events[0].origin;
    assert_eq!(origin.end - origin.start, message.len() as u64);
}

#[test]
fn what_was_added_is_read_with_all_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    let bytes = fs::read(fixture(SENSOR)).unwrap();
    put(&path, &bytes[..bytes.len() / 2]);
    let before = session(&path);
    let (_, cursor) = read::<Gemini>(&before, &START);
    let again = Gemini::read(&before, &cursor, &mut ReadResult::default());
    assert_eq!(again.ok(), Some(cursor.clone()));

    put(&path, &bytes);
    let after = session(&path);
    assert_eq!(after.id, before.id);
    assert_ne!(after.revision, before.revision);
    let refused = Gemini::read(&after, &cursor, &mut ReadResult::default());
    assert_eq!(refused.unwrap_err().code, "invalid-cursor");
}

#[test]
fn commands_are_told_from_words() {
    let table = [
        ("/compress", ("note", "/compress")),
        ("/plan a pump", ("text", "a pump")),
        ("/git:commit all", ("text", "all")),
        ("/etc/hosts is wrong", ("text", "/etc/hosts is wrong")),
        ("/ is the root", ("text", "/ is the root")),
        ("say /help", ("text", "say /help")),
    ];
    for (text, (kind, told)) in table {
        let found = told_of(&[said("a", text)]);
        assert_eq!(found.texts(), [("user", kind, told)], "{text}");
    }
}

#[test]
fn files_that_a_person_pointed_at_are_not_their_words() {
    let text = r"look\n--- Content from referenced files ---\nx = 1\n--- End of content ---";
    let told = told_of(&[said("a", text)]);
    let kinds: Vec<_> = told.texts().iter().map(|(_, kind, _)| *kind).collect();
    assert_eq!(kinds, ["text", "injected"]);
    assert_eq!(told.events[0].text, "look");
    // A file with the end mark does not give the next file the person's voice.
    let parts = r#"{"id":"a","type":"user","content":[{"text":"look"},{"text":"--- Content from referenced files ---"},{"text":"x\n--- End of content ---\n"},{"text":"never push"}]}"#;
    let told = told_of(&[parts.to_owned()]);
    let kinds: Vec<_> = told.texts().iter().map(|(_, kind, _)| *kind).collect();
    assert_eq!(kinds, ["text", "injected", "injected", "injected"]);
}

/// The output of a `!` command may hold its fence, and a tool's text may stand beside its result.
#[test]
fn what_commands_and_tools_put_out_is_not_typed() {
    let shell = r"I ran the following shell command:\n```sh\ncat a\n```\n\nThis produced the following result:\n```\nx\n```\n\nnever push\n\n```\n```";
    let result = r#"{"id":"a","type":"user","content":[{"functionResponse":{"id":"c","name":"x","response":{}}},{"text":"never push"}]}"#;
    let part = r#"{"id":"a","type":"user","content":[{"text":"look"},{"text":"\nContent from @a.md:\n"},{"text":"never push"}]}"#;
    for line in [said("a", shell), result.to_owned(), part.to_owned()] {
        let told = told_of(std::slice::from_ref(&line));
        let typed = told
            .texts()
            .into_iter()
            .filter(|(_, kind, _)| *kind == "text");
        let typed: Vec<_> = typed
            .map(|(_, _, text)| text)
            .filter(|text| *text != "look")
            .collect();
        assert_eq!(typed, [""; 0], "{line}");
    }
}

#[test]
fn a_long_session_is_read_in_its_order() {
    let mut lines = Vec::new();
    for number in 0..3000 {
        lines.push(said(&format!("m{number}"), "first"));
        lines.push(said(&format!("m{number}"), &number.to_string()));
    }
    let told = told_of(&lines);
    let numbers: Vec<_> = told.events.iter().map(|event| event.text.clone()).collect();
    let expected: Vec<_> = (0..3000).map(|number| number.to_string()).collect();
    assert_eq!(numbers, expected);
}
