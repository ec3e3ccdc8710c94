//! Sources, and the guarantees of all notes.

use acreta_import_export::{Format, Imported, Note, Source, import};

/// The fixtures, next to the tests.
pub(crate) const FIXTURES: &[(&str, &str)] = &[
    ("CLAUDE.md", include_str!("../fixtures/CLAUDE.md")),
    ("MEMORY.md", include_str!("../fixtures/MEMORY.md")),
    (
        "feedback_berths.md",
        include_str!("../fixtures/feedback_berths.md"),
    ),
    ("AGENTS.md", include_str!("../fixtures/AGENTS.md")),
    ("planner.mdc", include_str!("../fixtures/planner.mdc")),
    ("basic.md", include_str!("../fixtures/basic.md")),
    ("notes.jsonl", include_str!("../fixtures/notes.jsonl")),
    ("graph.jsonl", include_str!("../fixtures/graph.jsonl")),
    ("mem0.json", include_str!("../fixtures/mem0.json")),
    ("notes.md", include_str!("../fixtures/notes.md")),
];

pub(crate) fn fixture(name: &str) -> &'static str {
    FIXTURES
        .iter()
        .find(|(fixture, _)| *fixture == name)
        .unwrap()
        .1
}

/// Imports a text and checks the guarantees of every import.
pub(crate) fn read(name: &str, text: &str, format: Format) -> Imported {
    let imported = import(&Source { name, text }, format);
    assert_ne!(imported.format, Format::Auto);
    let lines = text.split('\n').count() as u64;
    for note in &imported.notes {
        check(note, text, lines, imported.format);
    }
    for skipped in &imported.skipped {
        assert!(skipped.line <= lines, "{skipped:?}");
        assert!(!skipped.reason.is_empty(), "{skipped:?}");
    }
    assert!(imported.notes.is_sorted_by_key(|note| note.line));
    imported
}

pub(crate) fn markdown(text: &str) -> Imported {
    read("notes.md", text, Format::Markdown)
}

/// Renders each note as `line type/kind title`.
pub(crate) fn outline(imported: &Imported) -> Vec<String> {
    imported
        .notes
        .iter()
        .map(|note| {
            let kind = match note.kind.as_str() {
                "" => note.memory_type.name(),
                kind => kind,
            };
            format!("{} {kind} {}", note.line, note.title)
        })
        .collect()
}

/// Renders each skipped part as `line reason`.
pub(crate) fn reasons(imported: &Imported) -> Vec<String> {
    imported
        .skipped
        .iter()
        .map(|skipped| format!("{} {}", skipped.line, skipped.reason))
        .collect()
}

fn check(note: &Note, source: &str, lines: u64, format: Format) {
    assert!(!note.quote.is_empty(), "{note:?}");
    assert!(source.contains(&note.quote), "{note:?}");
    assert!(note.quote.len() <= 2_000, "{note:?}");
    assert!((1..=lines).contains(&note.line), "{note:?}");
    assert!(note.memory_type.allows_kind(&note.kind), "{note:?}");
    assert!(
        !note.title.trim().is_empty() && !note.title.contains('\n'),
        "{note:?}"
    );
    assert!(!note.body.trim().is_empty(), "{note:?}");
    let mut characters = note.title.chars().chain(note.body.chars());
    assert!(!characters.any(acreta_text::is_hidden), "{note:?}");
    assert!(
        note.confidence
            .is_none_or(|value| (0.0..=1.0).contains(&value)),
        "{note:?}"
    );
    if format != Format::Acreta {
        let title = note.title.chars().count();
        assert!(title <= 100, "{note:?}");
        assert!(title + note.body.chars().count() <= 500, "{note:?}");
        assert!(note.tags.len() <= 12, "{note:?}");
    }
}
