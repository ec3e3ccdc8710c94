//! Chats in VS Code: every shape of a part, and malformed files.

use acreta_sdk::adapter::Adapter;
use acreta_sdk::adapter::testing::{ReadResult, START, attribute, read, sessions};
use adapter_copilot::Copilot;

use crate::support::{Home, attr, fixture, put, read_whole, session};

/// Role, kind and text.
type Expected = [(&'static str, &'static str, &'static str)];

/// Builds a chat with one request, which has these further fields.
fn chat(request: &str) -> String {
    format!(
        r#"{{"version":3,"responderUsername":"GitHub Copilot","requests":[{{"requestId":"r","message":{{"text":"hi"}},{request}}}],"sessionId":"c1"}}"#
    )
}

#[test]
fn every_part_of_an_answer() {
    let table: &[(&str, &Expected)] = &[
        (r#"{"value":"plain"}"#, &[("assistant", "text", "plain")]),
        (
            r#"{"kind":"markdownContent","content":{"value":"formatted"}}"#,
            &[("assistant", "text", "formatted")],
        ),
        (
            r#"{"kind":"thinking","value":["one ","two"]}"#,
            &[("assistant", "thinking", "one two")],
        ),
        (r#"{"kind":"thinking","value":""}"#, &[]),
        (
            r#"{"value":"see "},{"kind":"inlineReference","inlineReference":{"name":"main"}},{"value":"."}"#,
            &[("assistant", "text", "see `main`.")],
        ),
        (
            r#"{"kind":"toolInvocationSerialized","toolId":"read","toolCallId":"t","invocationMessage":"Reading","pastTenseMessage":{"value":"Read a.ts"}}"#,
            &[
                ("assistant", "tool-call", "Reading"),
                ("tool", "tool-result", "Read a.ts"),
            ],
        ),
        (
            r#"{"kind":"toolInvocationSerialized","toolId":"x","toolCallId":"t","resultDetails":{"input":"{}","output":[{"value":"a"},{"isText":false,"value":"AAAA"}]}}"#,
            &[
                ("assistant", "tool-call", "{}"),
                ("tool", "tool-result", "a\n[data]"),
            ],
        ),
        (
            r#"{"kind":"warning","content":{"value":"slow"}}"#,
            &[("system", "note", "warning: slow")],
        ),
        (
            r#"{"kind":"undoStop","id":"u"},{"kind":"codeblockUri","uri":{}}"#,
            &[],
        ),
    ];
    let home = Home::new();
    for (parts, expected) in table {
        let text = chat(&format!("\"response\":[{parts}]"));
        let told = read_whole(&home.write("c1.json", text.as_bytes()));
        assert_eq!(told.texts()[0], ("user", "text", "hi"));
        assert_eq!(&told.texts()[1..], *expected, "{parts}");
        assert_eq!(told.messages(), [""; 0], "{parts}");
    }
}

#[test]
fn a_tool_failed_if_it_says_so() {
    let home = Home::new();
    let table = [
        (r#""resultDetails":{"output":"no","isError":true}"#, true),
        (r#""resultDetails":{"output":"yes","isError":false}"#, false),
        (
            r#""toolSpecificData":{"terminalCommandState":{"exitCode":2}}"#,
            true,
        ),
        (
            r#""toolSpecificData":{"terminalCommandState":{"exitCode":0}}"#,
            false,
        ),
        (r#""isComplete":true"#, false),
    ];
    for (fields, expected) in table {
        let part = format!(
            r#"{{"kind":"toolInvocationSerialized","toolId":"x","toolCallId":"t",{fields}}}"#
        );
        let path = home.write(
            "c1.json",
            chat(&format!("\"response\":[{part}]")).as_bytes(),
        );
        let told = read_whole(&path);
        let is_error = attribute(&told.events[2], "is_error").is_some();
        assert_eq!(is_error, expected, "{fields}");
    }
}

#[test]
fn what_is_known_of_a_chat() {
    let known = session(&fixture("c0ffee00-1111"));
    assert_eq!(known.id, "c0ffee00-1111-4222-8333-444455556666");
    assert_eq!(known.project_dir.as_deref(), Some("/home/dev/harvest web"));
    assert_eq!(known.started_ms, Some(1_783_238_390_000));
    assert_eq!(known.updated_ms, Some(1_783_238_520_000));
    assert_eq!(attr(&known, "title"), Some("Dates in UTC"));
    assert_eq!(attr(&known, "model"), Some("copilot/claude-sonnet-4.5"));
    assert_eq!(attr(&known, "empty"), None);
    let empty = session(&fixture("c0ffee00-2222"));
    assert_eq!(attr(&empty, "empty"), Some("true"));
    let log = session(&fixture("c0ffee00-3333"));
    assert_eq!(attr(&log, "title"), Some("Late spinner"));
    assert_eq!(log.updated_ms, Some(1_783_324_860_000));
    // Alone, without the description of its folder.
    let home = Home::new();
    let known = session(&home.write("c1.json", chat("\"response\":[]").as_bytes()));
    assert_eq!(known.project_dir, None);
}

#[test]
fn a_chat_is_read_whole_and_once() {
    let home = Home::new();
    let path = home.write("c1.json", chat("\"response\":[]").as_bytes());
    let known = session(&path);
    let (told, cursor) = read::<Copilot>(&known, &START);
    assert_eq!(told.events.len(), 1);
    assert_eq!(read::<Copilot>(&known, &cursor).0.events.len(), 0);
    put(&path, chat(r#""response":[{"value":"new"}]"#).as_bytes());
    let failure = Copilot::read(&known, &cursor, &mut ReadResult::default()).unwrap_err();
    assert_eq!(failure.code, "invalid-cursor");
    assert_ne!(session(&path).revision, known.revision);
}

#[test]
fn a_chat_that_is_cut_off_is_told_as_far_as_it_goes() {
    let bytes = std::fs::read(fixture("c0ffee00-1111")).unwrap();
    let home = Home::new();
    let told = read_whole(&home.write("c1.json", &bytes[..3000]));
    assert_eq!(told.events.len(), 6);
    assert_eq!(told.messages(), ["the document ends before it is complete"]);
    let log = std::fs::read(fixture("c0ffee00-3333")).unwrap();
    let text = String::from_utf8(log)
        .unwrap()
        .replace(r#""k":["requests"],"#, r#""k":["requests",7],"#);
    let told = read_whole(&home.write("c2.jsonl", text.as_bytes()));
    assert_eq!(told.events.len(), 0);
    assert_eq!(
        told.messages(),
        ["a change that does not fit what it changes"; 4]
    );
}

#[test]
fn other_documents_are_left_alone() {
    let home = Home::new();
    for text in [
        r#"{"requests":[]}"#,
        r#"{"responderUsername":"GitHub Copilot"}"#,
        r#"{"version":3,"messages":[],"sessionId":"s"}"#,
        r#"{"kind":0,"v":{"requests":3}}"#,
        "[]",
    ] {
        let path = home.write("c.json", text.as_bytes());
        assert_eq!(sessions::<Copilot>(&path).len(), 0, "{text}");
    }
}
