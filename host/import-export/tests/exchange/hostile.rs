//! Hostile texts: an import returns for each, in time linear in the text.

use acreta_import_export::Format;
use proptest::prelude::*;

use crate::support::{FIXTURES, markdown, read};

/// Reads a text as every format.
fn read_as_all(name: &str, text: &str) {
    for format in Format::ALL {
        read(name, text, *format);
    }
}

#[test]
fn broken_front_matter_costs_the_front_matter() {
    let bomb = "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a]\ntags: &c [*b,*b,*b]\n";
    let deep = format!("tags: {}\n", "[".repeat(5_000));
    let long = format!("tags: {}\n", "x".repeat(200_000));
    let many = "tags: [a]\n".repeat(3_000);
    let heads = [
        bomb,
        &deep,
        &long,
        &many,
        "tags: \"open\n",
        "<<: *a\n",
        ": :\n",
        "tags: !!binary x\n",
        "<<<<<<< ours\ntags: [a]\n=======\n",
    ];
    for head in heads {
        let text = format!("---\n{head}---\nCranes are slow.\n");
        read_as_all("a.md", &text);
        let imported = markdown(&text);
        let last = imported.notes.last().map(|note| note.body.as_str());
        assert!(
            last.is_some_and(|body| body.contains("Cranes are slow.")),
            "{imported:?}"
        );
    }
    // Unclosed: the rule is a rule, and the rest is text.
    assert_eq!(
        markdown("---\ntitle: A crane\n\nCranes are slow.")
            .notes
            .len(),
        1
    );
}

#[test]
fn large_texts_are_read_in_one_pass() {
    /// Large enough that a pass for each line would be noticed.
    const PATTERN_BYTES: usize = 64 * 1024;
    const LARGE_BYTES: usize = 10 * 1024 * 1024;
    let units = [
        "A crane is slow in winter. ",
        "x",
        "- ",
        "-\n",
        "- a note\n",
        "  - a note\n",
        "[",
        "[a](",
        "<!--",
        "<!--\n",
        "```a\n",
        "> ",
        "| a | b |\n",
        "# a heading\n",
        "1. a step\n",
        "{\"text\":\"a note\"}\n",
        "{\"a\":",
        "\u{200b}",
        "---\n",
        "a\r",
    ];
    for unit in units {
        let format = if unit.starts_with('{') {
            Format::Jsonl
        } else {
            Format::Markdown
        };
        read_large(&unit.repeat(PATTERN_BYTES / unit.len()), format);
    }
    for unit in ["- ", "```a\n", "\u{200b}"] {
        read_large(&unit.repeat(LARGE_BYTES / unit.len()), Format::Markdown);
    }
}

/// Skips the check of every quote, which is not linear.
fn read_large(text: &str, format: Format) {
    let name = "large";
    let imported =
        acreta_import_export::import(&acreta_import_export::Source { name, text }, format);
    assert!(
        imported.skipped.len() <= 1_002,
        "{}",
        imported.skipped.len()
    );
    for note in imported.notes.iter().step_by(1_000) {
        assert!(note.title.chars().count() + note.body.chars().count() <= 500);
    }
}

#[test]
fn deep_json_is_data() {
    for text in [
        "[".repeat(100_000),
        "{\"a\":".repeat(100_000),
        format!("{{\"text\":{}1{}}}", "[".repeat(100), "]".repeat(100)),
        format!("{{\"text\":{}1{}}}", "[".repeat(1_000), "]".repeat(1_000)),
    ] {
        read_as_all("a.jsonl", &text);
    }
}

#[test]
fn no_cut_of_a_fixture_is_too_short() {
    for (name, text) in FIXTURES {
        for end in (0..text.len())
            .filter(|end| text.is_char_boundary(*end))
            .step_by(7)
        {
            read(name, &text[..end], Format::Auto);
            read(name, &text[end..], Format::Auto);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn any_text_can_be_imported(text in "\\PC{0,300}|(?s).{0,300}") {
        read_as_all("a.md", &text);
    }

    #[test]
    fn any_markdown_can_be_imported(parts in prop::collection::vec(part(), 0..40)) {
        read_as_all("notes.md", &parts.concat());
    }
}

/// Characters with a meaning to a reader, and words between them.
fn part() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "\n",
            "\r\n",
            "\n\n",
            "  ",
            "\t",
            "- ",
            "* ",
            "1. ",
            "# ",
            "## ",
            "===\n",
            "---\n",
            "```\n",
            "~~~",
            "> ",
            "|",
            "|--|\n",
            "<!--",
            "-->",
            "<b>",
            "[",
            "]",
            "](",
            ")",
            "[[",
            "]]",
            "[fact] ",
            "#tag ",
            "@a/b.md",
            "title: ",
            "tags: [a, b]\n",
            "permalink: x\n",
            "{\"text\":\"",
            "\"}",
            ",",
            ":",
            "\u{feff}",
            "\u{200b}",
            "\u{202e}",
            "é",
            "日本語",
            ". ",
            "never ",
            "<!-- acreta memory -->\n",
            "<!-- memory {} -->\n",
            "<!-- text -->\n",
            "<!-- end of memory -->\n",
        ])
        .prop_map(str::to_owned),
        "[a-z]{1,12} ",
        "[a-z ]{200,600}",
    ]
}
