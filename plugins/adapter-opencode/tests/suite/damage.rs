//! Bad input costs only itself and a diagnostic.

use acreta_sdk::adapter::testing::{ReadResult, START, put, read, render, sessions};
use adapter_opencode::OpenCode;

use crate::support::{DAMAGED, database, export, told, tree};

#[test]
fn a_part_that_cannot_be_read_costs_itself() {
    let folder = tempfile::tempdir().unwrap();
    for path in [database("opencode", folder.path()), tree(DAMAGED)] {
        let told = told(&path, DAMAGED);
        let said = [
            ("user", "text", "Print tides in local time."),
            ("assistant", "text", "Local time it is."),
        ];
        assert_eq!(told.texts(), said, "{path:?}");
        let (record, .., message) = &told.diagnostics[0];
        assert_eq!(record, "prt_b82d59010201BadPart0102", "{path:?}");
        assert_eq!(message, "the part is not valid JSON", "{path:?}");
        assert_eq!(told.diagnostics.len(), 1, "{path:?}");
    }
}

#[test]
fn an_export_that_ends_early_is_told_as_far_as_it_goes() {
    let told = told(&export("cut-short.json"), DAMAGED);
    assert_eq!(
        told.texts()[0],
        ("user", "text", "Print tides in local time.")
    );
    assert_eq!(told.messages(), ["the document ends before it is complete"]);
}

#[test]
fn ids_that_repeat_are_told_apart() {
    let told = told(&export("redacted.json"), "ses_47d2a6a05ffeTideRedacted05");
    assert_eq!(
        render(
            &told.events,
            &[
                "message_id",
                "model",
                "input_tokens",
                "output_tokens",
                "cache_read_tokens",
                "cache_write_tokens",
                "cost_dollars",
            ]
        ),
        r##"REDACTED~2 user/text "List all callers of predict"
REDACTED~4 assistant/text "main.go and feed.go call predict."
REDACTED~3/1 assistant/text "And nothing else."
"##
    );
    let expected = [
        "a message without its head",
        "messages of the unknown type `wizard`",
    ];
    assert_eq!(told.messages(), expected);
}

#[test]
fn odd_parts_cost_themselves_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("export.json");
    let table = [
        (
            r#"{"type":"tool","tool":"x"}"#,
            "a call of a tool without its state",
        ),
        (
            r#"{"type":"tool","tool":"x","state":{"status":"odd"}}"#,
            "calls of tools of the unknown type `odd`",
        ),
        (r#"{}"#, "a part without a type"),
        (r#"7"#, "a part without a type"),
        (
            r#"{"type":"text","text":"\ud800"}"#,
            "characters that are not valid were replaced",
        ),
    ];
    for (odd, expected) in table {
        put(
            &path,
            format!(
                "{{\"info\":{{\"id\":\"s\",\"projectID\":\"p\",\"directory\":\"/x\",\
                 \"time\":{{\"created\":1}}}},\"messages\":[{{\"info\":{{\"role\":\"assistant\"}},\
                 \"parts\":[{odd},{{\"type\":\"text\",\"text\":\"after\"}}]}}]}}"
            ),
        );
        let session = sessions::<OpenCode>(&path).remove(0);
        let (told, _): (ReadResult, _) = read::<OpenCode>(&session, &START);
        assert_eq!(told.texts().last(), Some(&("assistant", "text", "after")));
        assert_eq!(told.messages(), [expected]);
    }
}
