//! Speaker, text and id of events.

use acreta_sdk::adapter::testing::{START, read, render, sessions};
use adapter_goose::Goose;

use crate::database;

/// A session, its events and its diagnostics.
type Row = (&'static str, &'static str, &'static [&'static str]);

#[test]
fn every_session_is_told() {
    let table: [Row; 5] = [
        (
            "20260605_1",
            r##"msg_1 user/text "Warn when the lens has salt on it"
msg_2 user/injected "<turn-context>\n<working-directory>/home/mira</working-directory>\n</tur" injected_by=context
chat_1 assistant/thinking "Find the camera." model=gpt-5 input_tokens=70 output_tokens=12
chat_1#1 assistant/text "I look for the camera."
chat_1#2 assistant/tool-call "{\"command\":\"ls\"}" tool=developer__shell call_id=call_1
msg_4 tool/tool-result "camera.py" tool=developer__shell call_id=call_1
chat_1~2 assistant/tool-call "{\"command\":\"make\"}" tool=developer__shell call_id=call_2
chat_1~2#1 assistant/tool-call "{\"query\":\"lens\"}" tool=acreta__memory_search call_id=call_3
msg_6 tool/tool-result "make: no rule" tool=developer__shell call_id=call_2 is_error=true
msg_6#1 tool/injected "lenses are wiped at noon" tool=acreta__memory_search call_id=call_3 injected_by=acreta
7 user/text "Use the humidity sensor, the camera is too slow."
7#1 user/note "[image]"
msg_8 system/note "Compacting."
msg_8#1 system/compaction "Humidity, not the camera."
"##,
            &[
                "contents of the unknown type `dance`",
                "the content is not a JSON list",
            ],
        ),
        (
            "20260605_2",
            r##"msg_10 user/injected "Look for lenses." injected_by=agent
"##,
            &[],
        ),
        (
            "20260605_3",
            r##"
"##,
            &[],
        ),
        (
            "20260605_4",
            r##"msg_11 user/injected "Wipe the lens in Bergen." injected_by=agent
msg_12 assistant/text "Wiped."
msg_13 user/text "Always with fresh water."
msg_14 tool/tool-result "ok" call_id=call_9
msg_14#1 user/injected "Remember: salt is fine." injected_by=agent
"##,
            &[],
        ),
        (
            "20260605_5",
            r##"msg_15 user/injected "Wipe all lenses." injected_by=agent
"##,
            &[],
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    let found = sessions::<Goose>(&database(folder.path()));
    assert_eq!(found.len(), table.len());
    for (session, (id, events, messages)) in found.iter().zip(table) {
        let (told, _) = read::<Goose>(session, &START);
        assert_eq!(session.id, id);
        assert_eq!(
            render(&told.events, &["message_id"]).trim_end(),
            events.trim_end(),
            "{id}"
        );
        assert_eq!(told.messages(), messages, "{id}");
    }
}
