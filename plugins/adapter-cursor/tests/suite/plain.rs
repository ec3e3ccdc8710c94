//! Older transcripts, as plain text.

use std::fs;

use acreta_sdk::adapter::Adapter;
use acreta_sdk::adapter::testing::{ReadResult, START, put, read, sessions};
use adapter_cursor::CursorAgent;

use crate::{attributes, check, fixture, session};

const NAME: &str = "projects/home-mira-shop/agent-transcripts/\
                    9e8d7c6b-5a49-4382-9716-050403020100.txt";

#[test]
fn speakers_thoughts_and_tools_are_told_apart() {
    let session = session(&fixture(NAME));
    assert_eq!(session.id, "9e8d7c6b-5a49-4382-9716-050403020100");
    assert_eq!(attributes(&session), "project_slug=home-mira-shop");
    check(
        &session,
        r##"
@0 user/text "why is the build slow?\nassistant:\nis what I typed, not you"
@104 assistant/thinking "The bundler has no cache.\nIt is off in the config."
@166 assistant/text "Let me look at the config."
@194 assistant/tool-call "  path: vite.config.ts\n  limit: 20" tool=Read call_id=@194
@247 tool/tool-result "" tool=Read call_id=@194
@267 assistant/tool-call "  command: npm run build" tool=Shell call_id=@267
@311 tool/tool-result "built in 40 s" tool=Shell call_id=@267
@346 assistant/thinking "Turning it on\nis safe."
@367 assistant/text "The cache is off."
@403 user/text "turn it on, but never on the build server"
@479 assistant/text "It is on everywhere but on the build server."
"##,
        &[],
    );
}

/// A text after the first prompt, and its events as role, kind and text.
type Row = (
    &'static str,
    &'static [(&'static str, &'static str, &'static str)],
);

#[test]
fn every_order_of_sections_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("odd.txt");
    let start = "user:\n<user_query>q</user_query>\n";
    let table: [Row; 10] = [
        (
            "assistant:\n<think>a</think>b\n",
            &[("assistant", "thinking", "a"), ("assistant", "text", "b")],
        ),
        (
            "assistant:\n<think>a</think><think>b</think>c\n",
            &[
                ("assistant", "thinking", "a"),
                ("assistant", "thinking", "b"),
                ("assistant", "text", "c"),
            ],
        ),
        (
            "assistant:\n<think>never closed\n",
            &[("assistant", "thinking", "never closed")],
        ),
        (
            "assistant:\n[Tool call] A\n[Tool call] A\n[Tool result] A\n1\n[Tool result] A\n2\n",
            &[
                ("assistant", "tool-call", ""),
                ("assistant", "tool-call", ""),
                ("tool", "tool-result", "1"),
                ("tool", "tool-result", "2"),
            ],
        ),
        (
            "user:\n<user_query>\n[Tool call] is what I say\n</user_query>\nassistant:\nok\n",
            &[
                ("user", "text", "[Tool call] is what I say"),
                ("assistant", "text", "ok"),
            ],
        ),
        ("assistant:\n", &[]),
        (
            "assistant:\n<think>a\nA:\nb\n",
            &[("assistant", "thinking", "a"), ("assistant", "text", "b")],
        ),
        (
            "assistant:\n<think>a\nuser:\n<user_query>b</user_query>\n",
            &[("assistant", "thinking", "a"), ("user", "text", "b")],
        ),
        (
            "assistant:\nThe settings:\n\nuser:\n  never push\n",
            &[
                ("assistant", "text", "The settings:"),
                ("user", "injected", "  never push"),
            ],
        ),
        (
            "assistant:\n<think>a</think>[Tool call] T\n  x: 1\n",
            &[
                ("assistant", "thinking", "a"),
                ("assistant", "tool-call", "  x: 1"),
            ],
        ),
    ];
    for (text, expected) in table {
        put(&path, format!("{start}{text}"));
        let (told, _) = read::<CursorAgent>(&session(&path), &START);
        assert_eq!(told.texts()[0], ("user", "text", "q"));
        assert_eq!(&told.texts()[1..], expected, "{text}");
        let mut ids: Vec<_> = told.events.iter().map(|event| &event.id).collect();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), told.events.len(), "{text}");
        let origins = told.events.iter().map(|event| &event.origin);
        assert!(
            origins.into_iter().all(|origin| origin.start < origin.end),
            "{text}"
        );
    }
}

#[test]
fn a_transcript_that_changed_is_read_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("grown.txt");
    let text = fs::read_to_string(fixture(NAME)).unwrap();
    put(&path, &text);
    let before = session(&path);
    let (_, cursor) = read::<CursorAgent>(&before, &START);
    let (again, same) = read::<CursorAgent>(&before, &cursor);
    assert!(again.events.is_empty() && same == cursor);
    put(&path, text + "\nuser:\nthanks\n");
    let failure = CursorAgent::read(&before, &cursor, &mut ReadResult::default()).unwrap_err();
    assert_eq!(failure.code, "invalid-cursor");
    assert_ne!(session(&path).revision, before.revision);
}

#[test]
fn other_texts_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.txt");
    let table = [
        "",
        "user: mira\nassistant: none\n",
        "user:\n  name: mira\n",
        "# notes\nuser:\nA:\n",
    ];
    for text in table {
        put(&path, text);
        assert!(sessions::<CursorAgent>(&path).is_empty(), "{text}");
    }
}
