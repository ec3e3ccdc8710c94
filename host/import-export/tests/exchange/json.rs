//! Records in JSON: any tool's, the MCP memory server's, mem0's.

use acreta_import_export::Format;
use acreta_types::MemoryType;

use crate::support::{fixture, outline, read, reasons};

#[test]
fn records_of_any_tool_become_notes() {
    let imported = read("notes.jsonl", fixture("notes.jsonl"), Format::Auto);
    assert_eq!(
        outline(&imported),
        [
            "1 pitfall Feed repeats an hour",
            "2 decision Keep predictions for ten minutes",
            "5 context Crane three is slow",
            "8 context Plain value of a note",
        ]
    );
    assert_eq!(
        reasons(&imported),
        [
            "3 is not JSON: expected ident",
            "4 is not a JSON object",
            "6 has no text under a key that is known",
        ]
    );
    let [first, second, third, _] = imported.notes.as_slice() else {
        panic!("{imported:?}")
    };
    assert_eq!(first.key.as_deref(), Some("n1"));
    assert_eq!(first.tags, ["feed", "time"]);
    assert_eq!(first.confidence, Some(0.8));
    assert_eq!(first.created_ms, Some(1_770_091_506_000));
    assert_eq!(second.memory_type, MemoryType::Decision);
    assert_eq!(second.tags, ["cache", "tides"]);
    assert_eq!(second.confidence, Some(0.9));
    assert_eq!(second.created_ms, Some(1_770_091_506_000));
    assert_eq!(
        third.body,
        "Crane three is slow.\nIt lifts at most twenty tonnes."
    );
    assert_eq!(third.created_ms, Some(1_770_091_506_000));
}

#[test]
fn the_graph_of_the_memory_server_becomes_sentences() {
    let imported = read("memory.jsonl", fixture("graph.jsonl"), Format::Auto);
    assert_eq!(
        outline(&imported),
        [
            "1 context Crane three: Lifts at most twenty tonnes",
            "1 pitfall Crane three: Never runs above wind force seven because its brake slips",
            "3 context Crane three stands on Quay north",
        ]
    );
    assert_eq!(imported.notes[0].tags, ["equipment"]);
    assert_eq!(
        imported.notes[2].key.as_deref(),
        Some("relation/Crane three/stands_on/Quay north")
    );
    assert_eq!(reasons(&imported), ["2 is an entity without observations"]);
    let whole = r#"{"relations":[{"from":"A","to":"B","relationType":"uses"}],"entities":[{"name":"A","entityType":"tool","observations":[{"content":"A is old and slow"}]}]}"#;
    let imported = read("graph.json", whole, Format::Auto);
    assert_eq!(
        outline(&imported),
        ["1 context A uses B", "1 context A is old and slow"]
    );
}

#[test]
fn an_export_of_mem0_becomes_notes() {
    let imported = read("mem0.json", fixture("mem0.json"), Format::Auto);
    assert_eq!(
        outline(&imported),
        [
            "4 preference Prefers plans in metric units",
            "12 context The harbour master signs manifests on Fridays",
        ]
    );
    let [first, second] = imported.notes.as_slice() else {
        panic!("{imported:?}")
    };
    assert_eq!(first.key.as_deref(), Some("6b1f"));
    assert_eq!(first.tags, ["preferences", "units"]);
    assert_eq!(first.created_ms, Some(1_772_384_400_000));
    assert_eq!(second.created_ms, Some(1_772_620_200_250));
    assert!(first.quote.starts_with('{') && first.quote.ends_with('}'));
}

#[test]
fn values_are_taken_as_they_come() {
    let cases: &[(&str, &[&str])] = &[
        (
            r#"["One plain sentence.", 7]"#,
            &["1 context One plain sentence"],
        ),
        (r#"{"title":"A bare title"}"#, &["1 context A bare title"]),
        (
            r#"{"text":"Two words","importance":900}"#,
            &["1 context Two words"],
        ),
        (
            r#"{"text":"Two words","type":"summary"}"#,
            &["1 context Two words"],
        ),
        (
            r#"{"text":"Two words","type":"learning","kind":"friction"}"#,
            &["1 friction Two words"],
        ),
        (
            r#"{"text":"Use two words","type":"learning"}"#,
            &["1 convention Use two words"],
        ),
        (
            r#"{"TEXT":"Upper case","text":"is the same key"}"#,
            &["1 context Upper case"],
        ),
        (r#"{"text":["a list","of lines"]}"#, &["1 context a list"]),
        (r#"{"text":{"deep":"value"}}"#, &[]),
        (r#"{"text":""}"#, &[]),
        (
            "\u{feff}{\"text\":\"After a mark\"}\r\n",
            &["1 context After a mark"],
        ),
    ];
    for (text, expected) in cases {
        let imported = read("a.jsonl", text, Format::Jsonl);
        assert_eq!(
            &outline(&imported),
            expected,
            "{text}: {:?}",
            imported.skipped
        );
    }
}

#[test]
fn a_long_record_is_numbered_parts() {
    let text = "A sentence about the third crane. ".repeat(30);
    let line = format!(r#"{{"id":"long","title":"Crane three","text":"{text}"}}"#);
    let imported = read("a.jsonl", &line, Format::Auto);
    let keys: Vec<&str> = imported
        .notes
        .iter()
        .filter_map(|note| note.key.as_deref())
        .collect();
    assert_eq!(keys, ["long", "long#2", "long#3", "long#4", "long#5"]);
    let words: usize = imported
        .notes
        .iter()
        .map(|note| note.body.matches("third crane").count())
        .sum();
    assert_eq!(words, 30);
}
