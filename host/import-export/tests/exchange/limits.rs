//! Long texts are split at natural boundaries, and nothing is lost without a report.

use crate::support::{markdown, reasons};

#[test]
fn long_sections_split_between_paragraphs() {
    let paragraph =
        "The crane's winch needs oil when the frost comes, and the pump needs rest. ".repeat(3);
    let text = format!("# Winter\n\n{paragraph}\n\n{paragraph}\n\n{paragraph}\n");
    let imported = markdown(&text);
    assert_eq!(imported.notes.len(), 3);
    for note in &imported.notes {
        assert_eq!(note.quote, paragraph.trim());
        assert!(note.body.ends_with("Context: Winter"));
    }
}

#[test]
fn a_long_paragraph_splits_between_sentences_then_words() {
    let sentences = "One sentence about the north quay. ".repeat(60);
    let words = "quay ".repeat(400);
    for (text, word) in [(sentences, "sentence"), (words, "quay")] {
        let wanted = text.matches(word).count();
        let imported = markdown(&text);
        assert!(imported.notes.len() > 1);
        let found: usize = imported
            .notes
            .iter()
            .map(|note| note.body.matches(word).count())
            .sum();
        assert_eq!(found, wanted);
        assert_eq!(reasons(&imported), Vec::<String>::new());
    }
}

#[test]
fn the_parts_of_a_paragraph_know_their_lines() {
    let text = "A sentence on each line about cranes.\n".repeat(40);
    let imported = markdown(&text);
    for note in &imported.notes {
        let before: String = text
            .split_inclusive('\n')
            .take(note.line as usize - 1)
            .collect();
        assert!(
            text[before.len()..].trim_start().starts_with(&note.quote),
            "{note:?}"
        );
    }
    let lines: Vec<u64> = imported.notes.iter().map(|note| note.line).collect();
    assert!(lines.is_sorted() && lines.last() > Some(&20), "{lines:?}");
}

#[test]
fn a_long_bullet_leaves_its_subject_with_its_parts() {
    let mut text = "- Rules of the harbour:\n".to_owned();
    for number in 0..30 {
        text.push_str(&format!(
            "  - ship number {number} waits for the tide to come in\n"
        ));
    }
    let imported = markdown(&text);
    assert!(imported.notes.len() > 1);
    for note in &imported.notes {
        assert!(
            note.body.ends_with("Context: Rules of the harbour"),
            "{note:?}"
        );
    }
    let found: usize = imported
        .notes
        .iter()
        .map(|note| note.body.matches("ship number").count())
        .sum();
    assert_eq!(found, 30);
}

#[test]
fn code_and_words_that_cannot_be_cut_are_said() {
    let code = format!(
        "Build it so:\n\n```sh\n{}```\n",
        "make one more thing\n".repeat(60)
    );
    let imported = markdown(&code);
    assert_eq!(imported.notes.len(), 1);
    assert_eq!(imported.notes[0].body, "Build it so:");
    assert_eq!(reasons(&imported), ["1 the code is too long for a memory"]);

    let imported = markdown(&format!("See {} there", "x".repeat(9_000)));
    assert_eq!(
        reasons(&imported),
        ["1 has text without spaces that is too long for a memory"]
    );
}

#[test]
fn hidden_characters_are_taken_out_and_counted() {
    let text = "# Quay\n\n- Ne\u{200b}ver \u{202e}moor\u{e0041} twice here.\n";
    let imported = markdown(text);
    assert_eq!(imported.notes[0].title, "Never moor twice here");
    assert!(imported.notes[0].quote.contains('\u{200b}'));
    assert_eq!(imported.skipped[0].what, "3 hidden characters");
    assert_eq!(reasons(&imported), ["3 taken out of the notes"]);

    let json = "{\"text\":\"one\"}\n{\"text\":\"Never\\u200b moor twice\"}";
    let imported = crate::support::read("a.jsonl", json, acreta_import_export::Format::Jsonl);
    assert_eq!(imported.notes[0].title, "Never moor twice");
    assert_eq!(
        reasons(&imported),
        [
            "1 says too little to stand alone",
            "2 taken out of the notes"
        ]
    );
}

#[test]
fn too_many_tags_are_said() {
    let tags: Vec<String> = (0..20).map(|number| format!("tag{number}")).collect();
    let text = format!("---\ntags: [{}]\n---\nCranes are slow.", tags.join(", "));
    let imported = markdown(&text);
    assert_eq!(imported.notes[0].tags, tags[..12]);
    assert_eq!(imported.skipped.len(), 8);
}
