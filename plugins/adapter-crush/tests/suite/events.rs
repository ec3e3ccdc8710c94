//! Speaker, text and id of events.

use acreta_sdk::adapter::testing::{START, read, render, sessions};
use adapter_crush::Crush;

use crate::database;

/// A session, its events and its diagnostics.
type Row = (&'static str, &'static str, &'static [&'static str]);

#[test]
fn every_session_is_told() {
    let table: [Row; 2] = [
        (
            "s-crush-1",
            r##"c1 user/text "Sort the buoys by colour"
c1#1 user/note "[file /home/mira/buoys.png]"
c2 assistant/thinking "An agent can look." model=claude-sonnet
c2#1 assistant/text "I send an agent."
c2#2 assistant/tool-call "{\"prompt\":\"Find buoys.\"}" tool=agent call_id=tc1
c3 tool/tool-result "buoys.py" tool=agent call_id=tc1
c4 user/note "git status"
c4#1 user/injected "clean" injected_by=bash
c5 user/injected "Continue." injected_by=continue
c6 user/text "Colours come from the chart, never from the photo."
c7 system/note "[the reply ended: error rate limited]"
c8 assistant/compaction "Buoys are sorted by the colours of the chart." model=claude-sonnet
"##,
            &[],
        ),
        (
            "s-crush-1$$tc1",
            r##"c9 user/injected "Find buoys." injected_by=agent
"##,
            &[],
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    let found = sessions::<Crush>(&database(folder.path()));
    assert_eq!(found.len(), table.len());
    for (session, (id, events, messages)) in found.iter().zip(table) {
        let (told, _) = read::<Crush>(session, &START);
        assert_eq!(session.id, id);
        assert_eq!(
            render(&told.events, &["message_id"]).trim_end(),
            events.trim_end(),
            "{id}"
        );
        assert_eq!(told.messages(), messages, "{id}");
    }
}
