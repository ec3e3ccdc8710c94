//! The notes made from headings, bullets, prose and code.

use crate::support::{markdown, outline, reasons};

#[test]
fn texts_become_notes() {
    let cases: &[(&str, &[&str])] = &[
        (
            "A crane is slow in winter.",
            &["1 context A crane is slow in winter"],
        ),
        (
            "- Always moor twice.\n- Quays are numbered.\n",
            &[
                "1 convention Always moor twice",
                "2 context Quays are numbered",
            ],
        ),
        (
            "First line of a thought\nsecond line of it.\n\nAnother thought.",
            &["1 context First line of a thought second line of it"],
        ),
        (
            "Cranes\n======\n\nThey are slow.\n\nTugs\n----\nThey are fast.",
            &["4 context They are slow", "8 context They are fast"],
        ),
        (
            "Some words here\n---\n\nUnder it.\n\n---\n\nAfter a rule.",
            &["4 context Under it", "8 context After a rule"],
        ),
        (
            "1. Open the gate.\n2. Let the ship in.\n",
            &["1 procedure 1. Open the gate"],
        ),
        (
            "To let a ship in:\n\n1) Open the gate.\n2) Wait.\n",
            &["3 procedure To let a ship in"],
        ),
        (
            "- Gates\n  - open at six\n  - close at ten\n\t\t- except on Sundays\n- Quays are wet.",
            &["1 context Gates: open at six", "5 context Quays are wet"],
        ),
        (
            "* one thing\n+ two things\n• three things",
            &[
                "1 context one thing",
                "2 context two things",
                "3 context three things",
            ],
        ),
        (
            "\u{feff}# Cranes\r\n\r\n- Crane three\r\n  is slow.\r\n",
            &["3 context Crane three is slow"],
        ),
        (
            "> [!NOTE]\n> Quoted words count too.",
            &["1 context Quoted words count too"],
        ),
        // CommonMark treats everything up to the next blank line as HTML; files for agents put tags around words.
        (
            "<rules>\n- Always moor twice.\n</rules>\n<note>\nQuays are numbered.\n</note>",
            &[
                "2 convention Always moor twice",
                "5 context Quays are numbered",
            ],
        ),
        (
            "It was built in\n1986. That was long ago.",
            &["1 context It was built in 1986. That was long ago"],
        ),
    ];
    for (text, expected) in cases {
        let imported = markdown(text);
        assert_eq!(
            &outline(&imported),
            expected,
            "{text}\n{:?}",
            imported.skipped
        );
    }
}

#[test]
fn what_is_no_note_is_said() {
    let cases: &[(&str, &[&str])] = &[
        ("", &[]),
        ("-\n- \n", &["1 is empty", "2 is empty"]),
        ("- [ ] paint the crane", &["1 is a task, not knowledge"]),
        (
            "<!-- one -->\n\n<!-- two\nthree -->",
            &["1 is an HTML comment", "3 is an HTML comment"],
        ),
        (
            "<!-- never closed\n\n- a note in it",
            &["1 is an HTML comment that is not closed; it runs to the end"],
        ),
        (
            "```sh\nnever closed\n\n- a note in it",
            &["1 is a code block that is not closed; it runs to the end"],
        ),
        ("<details>", &["1 is an HTML tag"]),
        (
            "## Contents\n- [A](#a)",
            &["1 is a table of contents", "2 is a table of contents"],
        ),
        (
            "## License\n\nMIT\n\n### More\n\nNone.",
            &[
                "1 is about the licence",
                "3 is about the licence",
                "7 is about the licence",
            ],
        ),
        (
            "```\nlet a = 1;\n```",
            &["1 is code without a word about it"],
        ),
        ("```\n├── src\n```", &["1 is a file tree"]),
        (
            "---\ntags: [a]\ntags: [b]\n---\n",
            &["3 front matter has this key already; the first counts"],
        ),
    ];
    for (text, expected) in cases {
        let imported = markdown(text);
        assert_eq!(&reasons(&imported), expected, "{text}");
        assert_eq!(outline(&imported), Vec::<String>::new(), "{text}");
    }
    let after = markdown("## License\n\nMIT\n\n## Cranes\n\nThey are slow.");
    assert_eq!(outline(&after), ["7 context They are slow"]);
}

#[test]
fn a_note_carries_the_context_it_does_not_name() {
    let cases = [
        (
            "# Port\n## Cranes\n- They are slow.",
            "They are slow.\n\nContext: Port / Cranes",
        ),
        ("# Port\n## Cranes\n- A crane is slow.", "A crane is slow."),
        (
            "# Port\n\nWhen it storms:\n\n- Lower the cranes.",
            "Lower the cranes.\n\nContext: Port / When it storms",
        ),
        ("# Notes\n\nThey are slow.", "They are slow."),
        (
            "---\ntitle: Cranes\n---\n\nThey are slow.",
            "They are slow.\n\nContext: Cranes",
        ),
        (
            "# Commands\n\n```sh\nmake\n```",
            "Commands:\n```sh\nmake\n```",
        ),
        (
            "Build it with:\n\n```sh\nmake\n```",
            "Build it with:\n```sh\nmake\n```",
        ),
        (
            "- Build it with:\n```sh\nmake\n```",
            "Build it with:\n```sh\nmake\n```",
        ),
        (
            "| Crane | Load |\n|---|---|\n| three | 20 t |",
            "Crane: three; Load: 20 t",
        ),
    ];
    for (text, body) in cases {
        let imported = markdown(text);
        assert_eq!(imported.notes.len(), 1, "{text}: {imported:?}");
        assert_eq!(imported.notes[0].body, body, "{text}");
    }
}

#[test]
fn code_after_a_bullet_is_its_own_unless_it_is_indented_or_announced() {
    let apart = markdown("# Commands\n- Lint is slow here\n\n```sh\nmake\n```");
    assert_eq!(
        outline(&apart),
        ["2 procedure Lint is slow here", "4 procedure Commands"]
    );
    let inside = markdown("# Commands\n- Lint is slow here\n\n  ```sh\n  make\n  ```");
    assert_eq!(inside.notes.len(), 1);
    assert!(inside.notes[0].body.contains("make"));
}

#[test]
fn front_matter_tags_and_dates_every_note() {
    let text = "---\nid: ports-7\ntags: cranes, winter\ndate: 2026-01-31\n---\n- They are slow.\n- They are old.";
    let imported = markdown(text);
    assert_eq!(imported.notes.len(), 2);
    for note in &imported.notes {
        assert_eq!(note.tags, ["cranes", "winter"]);
        assert_eq!(note.created_ms, Some(1_769_817_600_000));
    }
    assert_eq!(
        imported.notes[0].key.as_deref(),
        Some("ports-7#they-are-slow")
    );
}
