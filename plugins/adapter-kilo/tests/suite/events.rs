//! Speaker, text and id of events.

use acreta_sdk::adapter::testing::{START, read, render, sessions};
use adapter_kilo::Kilo;

use crate::database;

/// A session, its events and its diagnostics.
type Row = (&'static str, &'static str, &'static [&'static str]);

#[test]
fn every_session_is_told() {
    let table: [Row; 1] = [(
        "ses_kilo1",
        r##"prt_k10 user/text "Count the gulls per hour"
prt_k21 assistant/text "I count." model=claude-sonnet input_tokens=5 output_tokens=2 cache_read_tokens=0 cache_write_tokens=0
prt_k22 assistant/tool-call "{\"command\":\"wc -l\"}" tool=bash call_id=call_1
prt_k22#1 tool/tool-result "12" tool=bash call_id=call_1
prt_k30 user/text "Gulls that sit count as one per visit."
"##,
        &[],
    )];
    let folder = tempfile::tempdir().unwrap();
    let found = sessions::<Kilo>(&database(folder.path()));
    assert_eq!(found.len(), table.len());
    for (session, (id, events, messages)) in found.iter().zip(table) {
        let (told, _) = read::<Kilo>(session, &START);
        assert_eq!(session.id, id);
        assert_eq!(
            render(&told.events, &["message_id"]).trim_end(),
            events.trim_end(),
            "{id}"
        );
        assert_eq!(told.messages(), messages, "{id}");
    }
}
