//! Speaker, text and id of events.

use acreta_sdk::adapter::testing::{START, read, render, sessions};
use adapter_zed::Zed;

use crate::database;

/// A session, its events and its diagnostics.
type Row = (&'static str, &'static str, &'static [&'static str]);

#[test]
fn every_session_is_told() {
    let table: [Row; 3] = [
        (
            "7c6b5a49-0000-4000-8000-00000000000a",
            r##"0b7e2f10-1111-4a22-8b33-c44d55e66f77 user/text "Detect the noises of seals"
0b7e2f10-1111-4a22-8b33-c44d55e66f77#1 user/note "[mention {\"File\":{\"abs_path\":\"/home/mira/kelp-log/audio.py\"}}]"
0b7e2f10-1111-4a22-8b33-c44d55e66f77#2 user/injected "def load(): ..." injected_by=mention
0b7e2f10-1111-4a22-8b33-c44d55e66f77#3 user/note "[image]"
1 assistant/thinking "Start with the loader." model=claude-sonnet
1#1 assistant/text "I read the loader."
1#2 assistant/tool-call "{\"path\":\"audio.py\"}" tool=read_file call_id=toolu_1
1#3 assistant/tool-call "{\"command\":\"make\"}" tool=terminal call_id=toolu_2
1#4 assistant/tool-call "{\"query\":\"seals\"}" tool=acreta_memory_search call_id=toolu_3
1#5 tool/tool-result "def load(): ..." tool=read_file call_id=toolu_1
1#6 tool/tool-result "make: no rule\n[image]" tool=terminal call_id=toolu_2 is_error=true
1#7 tool/injected "seals bark at dusk" tool=acreta_memory_search call_id=toolu_3 injected_by=acreta
0b7e2f10-2222-4a22-8b33-c44d55e66f77 user/text "Use 16 kHz, the hydrophone gives no more."
4 assistant/text "It reads 16 kHz now." model=claude-sonnet
5 system/compaction "16 kHz."
"##,
            &[
                "contents of the unknown type `Dance`",
                "messages of the unknown type `Oracle`",
            ],
        ),
        (
            "7c6b5a49-0000-4000-8000-00000000000b",
            r##"0 user/text "Draw the coast"
0#1 user/injected "<context>map.svg</context>" injected_by=context
1 assistant/thinking "SVG then."
1#1 assistant/text "I draw it."
1#2 assistant/tool-call "{\"path\":\"map.svg\"}" tool=edit_file call_id=tu1
1#3 tool/tool-result "done" tool=edit_file call_id=tu1
2 system/injected "Be brief." injected_by=system-prompt
"##,
            &[],
        ),
        (
            "7c6b5a49-0000-4000-8000-00000000000c",
            r##"u user/injected "Find seals." injected_by=agent
"##,
            &[],
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    let found = sessions::<Zed>(&database(folder.path()));
    assert_eq!(found.len(), table.len());
    for (session, (id, events, messages)) in found.iter().zip(table) {
        let (told, _) = read::<Zed>(session, &START);
        assert_eq!(session.id, id);
        assert_eq!(
            render(&told.events, &["message_id"]).trim_end(),
            events.trim_end(),
            "{id}"
        );
        assert_eq!(told.messages(), messages, "{id}");
    }
}
