//! Every kind of item: speaker, text and id.

use std::fs;

use acreta_sdk::adapter::testing::{ReadResult, START, read, render, sessions};
use adapter_continue::Continue;

use crate::{CUT, IMPORTER, fixture};

fn told(name: &str) -> ReadResult {
    let session = sessions::<Continue>(&fixture(name)).remove(0);
    read::<Continue>(&session, &START).0
}

#[test]
fn a_whole_session() {
    let told = told(IMPORTER);
    assert_eq!(
        render(&told.events, &[]),
        r##"0 system/injected "You are an agent in the Continue CLI. Be brief." injected_by=system
1 user/text "Import members from a CSV file, see @importer.py"
1#1 user/injected "<acreta-brief>Members are keyed by e-mail.</acreta-brief>" injected_by=acreta
1#2 user/injected "```src/importer.py\ndef load(path): ...\n```" injected_by=context
2 assistant/thinking "The importer may already read files." model=Claude Sonnet input_tokens=1813 output_tokens=64
2#1 assistant/text "I'll read the importer first."
2#2 assistant/tool-call "{\"filepath\": \"src/importer.py\"}" tool=Read call_id=toolu_a1
2#3 assistant/tool-call "{\"query\": \"csv import\"}" tool=acreta_search call_id=toolu_a2
2#4 tool/tool-result "def load(path):\n    return open(path).readlines()" tool=Read call_id=toolu_a1
2#5 tool/injected "learnings/csv.md: files from the bank are Latin-1" tool=acreta_search call_id=toolu_a2 injected_by=acreta
4 assistant/tool-call "{\"command\": \"pytest tests/test_importer.py\"}" tool=Bash call_id=toolu_a3
4#1 assistant/tool-call "{\"command\": \"rm -rf data\"}" tool=Bash call_id=toolu_a4
4#2 tool/tool-result "ModuleNotFoundError: No module named 'pandas'" tool=Bash call_id=toolu_a3 is_error=true
4#3 tool/tool-result "[canceled]" tool=Bash call_id=toolu_a4 is_error=true
5 user/text "Don't use pandas, we decided on the csv module because the server has "
5#1 user/note "[image]"
6 assistant/thinking "The csv module it is."
7 assistant/text "Rewritten with the csv module."
7#1 assistant/tool-call "{\"command\": \"pytest -q\"}" tool=Bash call_id=toolu_a5
8 tool/tool-result "3 passed" tool=Bash call_id=toolu_a5
9 assistant/text "The import reads Latin-1 files with the csv module."
9#1 system/compaction "The importer was rewritten with the csv module instead of pandas."
10 system/compaction "Summary so far: CSV import done."
"##
    );
    assert_eq!(
        told.messages(),
        [
            "messages of the unknown type `oracle`",
            "an item without a message"
        ]
    );
    assert_eq!(told.events[4].at_ms, Some(1_769_000_000_000));
}

#[test]
fn origins_are_the_items_themselves() {
    let bytes = fs::read(fixture(IMPORTER)).unwrap();
    let told = told(IMPORTER);
    for event in &told.events {
        let span = &bytes[event.origin.start as usize..event.origin.end as usize];
        assert!(span.starts_with(b"{\n      \"message\"") && span.ends_with(b"}"));
    }
}

#[test]
fn a_document_that_ends_early_is_told_as_far_as_it_goes() {
    let told = told(CUT);
    let said = [("user", "text", "Dues are in cents, never in floats.")];
    assert_eq!(told.texts(), said);
    let expected = "the document ends before it is complete";
    assert_eq!(told.messages(), [expected]);
}
