//! Formats detected from name and text.

use acreta_import_export::Format;

use crate::support::{FIXTURES, fixture, read};

#[test]
fn a_format_is_told_from_name_and_text() {
    let memory = "---\nid: a\ntitle: A\ncreated: 2026-01-01T00:00:00Z\nupdated: 2026-01-01T00:00:00Z\n---\nText of it.\n";
    let cases = [
        ("CLAUDE.md", "- a note", Format::Claude),
        ("sub/claude.local.md", "- a note", Format::Claude),
        ("home/.claude/rules/go.md", "- a note", Format::Claude),
        ("AGENTS.md", "- a note", Format::Agents),
        (".cursorrules", "a rule", Format::Cursor),
        (".cursor/rules/go.mdc", "a rule", Format::Cursor),
        (
            "rule.md",
            "---\nglobs: *.go\nalwaysApply: true\n---\nA rule",
            Format::Cursor,
        ),
        (
            "a.md",
            "---\npermalink: a\n---\nA note",
            Format::BasicMemory,
        ),
        (
            "a.md",
            "- [fact] one thing\n- [fact] two things",
            Format::BasicMemory,
        ),
        ("a.md", "- [ ] one\n- [x] two", Format::Markdown),
        ("a.md", "A note", Format::Markdown),
        ("a.md", memory, Format::Acreta),
        ("a.md", "<!-- acreta memory -->\n# Memory\n", Format::Acreta),
        ("a.txt", "{\"text\":\"a note\"}", Format::Jsonl),
        ("a.txt", "[see this](that) and more", Format::Markdown),
        ("a.ndjson", "broken", Format::Jsonl),
        (
            "a.json",
            "{\"memories\":[{\"text\":\"a note\"}]}",
            Format::Jsonl,
        ),
        (
            "a.json",
            r#"{"memories":[{"id":"a","type":"decision","title":"A","body":"B","path":"p","trust":"trusted"}]}"#,
            Format::Acreta,
        ),
        ("", "", Format::Markdown),
    ];
    for (name, text, expected) in cases {
        assert_eq!(
            read(name, text, Format::Auto).format,
            expected,
            "{name}: {text}"
        );
    }
    let topic = fixture("feedback_berths.md");
    assert_eq!(read("x.md", topic, Format::Auto).format, Format::Claude);
}

#[test]
fn a_format_that_is_named_is_used() {
    for format in Format::ALL {
        assert_eq!(Format::from_name(format.name()), Some(*format));
        for (name, text) in FIXTURES {
            let read_as = read(name, text, *format).format;
            assert!(*format == Format::Auto || read_as == *format);
        }
    }
    assert_eq!(Format::from_name("poem"), None);
}
