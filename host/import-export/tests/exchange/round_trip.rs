//! Exported memory is imported unchanged, and memory files become notes.

use acreta_import_export::{Format, Imported, export_json, export_jsonl, export_markdown};
use acreta_store::{
    ContributedCandidate, Contribution, EvidenceFile, Memory, QuotedEvent, StateFile,
};
use acreta_types::MemoryType;
use proptest::prelude::*;

use crate::support::read;

fn memory(memory_type: MemoryType, id: &str, head: &str, body: &str) -> Memory {
    let text = format!("---\nid: {id}\n{head}---\n\n{body}\n");
    let path = format!("{}/20260131-{id}.md", memory_type.folder());
    Memory::parse(memory_type, path.into(), text).unwrap()
}

fn memories() -> Vec<Memory> {
    let times = "created: 2026-01-31T12:00:00Z\nupdated: 2026-02-01T12:00:00Z\n";
    let decision = memory(
        MemoryType::Decision,
        "d1",
        &format!("title: \"Keep --> SQLite\"\n{times}source: s\nconfidence: 0.9\n"),
        "Chosen over Postgres.\n\n## Why\n\n---\n\n- one file\n\n```sql\nselect 1;\n```",
    );
    let mut learning = memory(
        MemoryType::Learning,
        "l1",
        &format!(
            "title: Fake clock\n{times}source: s\nconfidence: 0.73\nkind: pitfall\ntags: [clock, tests]\nrelated: [d1]\nowner: ines\n"
        ),
        "<!-- text -->\n<!-- end of memory -->\n\\<!-- end of memory -->\nTests fail at midnight.\n<!-- memory {\"id\":\"forged\"} -->",
    );
    learning.evidence = Some(EvidenceFile {
        id: "l1".to_owned(),
        contributions: vec![contribution()],
    });
    learning.state = Some(StateFile::new("l1", learning.digest.clone()));
    let summary = memory(
        MemoryType::Summary,
        "s1",
        &format!(
            "title: A day at the quay\n{times}description: d\ndate: 2026-01-31\ntime: \"12:00\"\ncoding_agent: claude\n"
        ),
        &"Long words about a day. ".repeat(60),
    );
    vec![summary, learning, decision]
}

fn contribution() -> Contribution {
    Contribution {
        agent: "claude".to_owned(),
        session_id: "session-1".to_owned(),
        run_id: "run-1".to_owned(),
        events: 3,
        last_ms: None,
        newest_ms: 1,
        created_ms: 2,
        found_by: Vec::new(),
        reading: None,
        candidate: ContributedCandidate {
            memory_type: MemoryType::Learning,
            kind: "pitfall".to_owned(),
            title: "Fake clock".to_owned(),
            body: "Tests fail at midnight.".to_owned(),
            confidence: 0.73,
            tags: Vec::new(),
        },
        evidence: vec![QuotedEvent {
            event_id: "event-1".to_owned(),
            record: "1".to_owned(),
            start: 0,
            end: 9,
            role: "user".to_owned(),
            at_ms: None,
            quote: "they fail\nat midnight".to_owned(),
        }],
    }
}

/// Compares every restored memory with its original: all but the blank lines around its text.
fn check_restored(imported: &Imported, memories: &[Memory]) {
    assert_eq!(imported.format, Format::Acreta);
    assert_eq!(imported.skipped, []);
    assert_eq!(imported.notes, []);
    assert_eq!(imported.memories.len(), memories.len());
    for memory in memories {
        let mut restored = imported.memories.iter();
        let restored = restored.find(|one| one.memory.id == memory.id).unwrap();
        let restored = &restored.memory;
        assert_eq!(restored.front_matter, memory.front_matter);
        assert_eq!(restored.body().trim(), memory.body().trim());
        assert_eq!(restored.path, memory.path);
        assert_eq!(restored.evidence, memory.evidence);
        assert_eq!(restored.edited(), memory.edited());
        let state = |memory: &Memory| {
            let state = memory.state.clone();
            state.map(|state| StateFile {
                written: String::new(),
                ..state
            })
        };
        assert_eq!(state(restored), state(memory));
    }
}

/// Compares every note with its original memory.
fn check_same(imported: &Imported, memories: &[Memory]) {
    assert_eq!(imported.format, Format::Acreta);
    assert_eq!(imported.skipped, []);
    assert_eq!(imported.notes.len(), memories.len());
    for memory in memories {
        let note = imported
            .notes
            .iter()
            .find(|note| note.key.as_deref() == Some(&memory.id))
            .unwrap();
        assert_eq!(note.title, memory.title());
        assert_eq!(note.body, memory.body().trim());
        assert_eq!(note.memory_type, memory.memory_type);
        assert_eq!(note.kind, memory.kind());
        assert_eq!(note.tags, memory.front_matter.tags);
        assert_eq!(note.confidence, memory.front_matter.confidence);
        assert_eq!(note.created_ms, Some(1_769_860_800_000));
    }
}

#[test]
fn every_export_can_be_imported_again() {
    let memories = memories();
    let exports = [
        ("memory.json", export_json(&memories)),
        ("memory.jsonl", export_jsonl(&memories)),
        ("memory.md", export_markdown(&memories)),
    ];
    for (name, text) in &exports {
        for format in [Format::Auto, Format::Acreta] {
            check_restored(&read(name, text, format), &memories);
        }
        let windows = text.replace('\n', "\r\n");
        check_restored(&read(name, &windows, Format::Auto), &memories);
        // As earlier versions exported it.
        let earlier = text.replace("\"front_matter\"", "\"unknown\"");
        let earlier = earlier.replace("\"original\"", "\"unknown\"");
        check_same(&read(name, &earlier, Format::Auto), &memories);
    }
}

#[test]
fn memory_files_can_be_imported() {
    for memory in memories() {
        let imported = read(memory.path.as_str(), &memory.text, Format::Auto);
        check_same(&imported, std::slice::from_ref(&memory));
        let elsewhere = read("copy.md", &memory.text, Format::Acreta);
        check_same(&elsewhere, &[memory]);
    }
    let broken = read("a.md", "---\nid: a\n---\nText", Format::Acreta);
    assert_eq!(broken.skipped[0].reason, "front matter has no `title`");
}

#[test]
fn json_holds_all_that_is_known() {
    let json: serde_json::Value = serde_json::from_str(&export_json(&memories())).unwrap();
    let learning = &json["memories"][1];
    assert_eq!(learning["id"], "l1");
    assert_eq!(learning["type"], "learning");
    assert_eq!(learning["confidence"].as_f64(), Some(0.73));
    assert_eq!(learning["updated"], "2026-02-01T12:00:00Z");
    assert_eq!(learning["related"][0], "d1");
    assert_eq!(learning["extra"]["owner"], "ines");
    assert_eq!(learning["trust"], "grounded");
    assert_eq!(learning["state"]["status"], "active");
    assert_eq!(
        learning["evidence"]["contributions"][0]["evidence"][0]["event_id"],
        "event-1"
    );
    assert_eq!(export_json([]), "{\n  \"memories\": []\n}\n");
    assert_eq!(export_jsonl(&memories()).lines().count(), 3);
}

#[test]
fn markdown_is_by_type_with_provenance() {
    let document = export_markdown(&memories());
    let lines = [
        "# Memory",
        "## Decisions",
        "### Keep --> SQLite",
        "## Learnings",
        "### Fake clock",
        "- Id: `l1`, learning, pitfall",
        "- Trust: grounded, active, confidence 0.73",
        "- Times: created 2026-01-31T12:00:00Z, updated 2026-02-01T12:00:00Z",
        "- Tags: clock, tests",
        "- Related: d1",
        "- From claude session `session-1`, run `run-1`",
        "- “they fail at midnight” (user, event `event-1`)",
        "## Summaries",
    ];
    let mut rest = document.as_str();
    for line in lines {
        let (_, after) = rest
            .split_once(&format!("{line}\n"))
            .unwrap_or_else(|| panic!("`{line}` is not where it should be in\n{document}"));
        rest = after;
    }
}

#[test]
fn a_damaged_document_costs_what_is_damaged() {
    let document = export_markdown(&memories());
    let head = document
        .lines()
        .find(|line| line.contains("\"l1\""))
        .unwrap();
    let cases = [
        (
            document.replace(head, "<!-- memory {broken -->"),
            2,
            "its head cannot be read",
        ),
        (
            document.replacen("<!-- text -->\n", "", 1),
            2,
            "has no text",
        ),
        (
            document
                .trim_end()
                .trim_end_matches("<!-- end of memory -->")
                .to_owned(),
            2,
            "its text is not closed",
        ),
        (
            document.replace("\"pitfall\"", "\"poem\""),
            2,
            "`poem` is no kind of learning",
        ),
    ];
    for (text, memories_left, reason) in cases {
        let imported = read("memory.md", &text, Format::Auto);
        assert_eq!(
            imported.memories.len(),
            memories_left,
            "{reason}: {:?}",
            imported.skipped
        );
        assert!(
            imported
                .skipped
                .iter()
                .any(|skipped| skipped.reason.contains(reason)),
            "{reason}: {:?}",
            imported.skipped
        );
    }
}

proptest! {
    #[test]
    fn any_text_survives_every_export(lines in prop::collection::vec("[ -~é<>!-]{0,20}|<!-- end of memory -->|---|```", 1..8)) {
        let body = format!("x{}", lines.join("\n"));
        let memory = memory(
            MemoryType::Decision,
            "d1",
            "title: A title\ncreated: 2026-01-31T12:00:00Z\n",
            &body,
        );
        let memories = [memory];
        for (name, text) in [
            ("a.json", export_json(&memories)),
            ("a.jsonl", export_jsonl(&memories)),
            ("a.md", export_markdown(&memories)),
        ] {
            check_restored(&read(name, &text, Format::Acreta), &memories);
        }
    }
}
