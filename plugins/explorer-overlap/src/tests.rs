//! The explorer over real folders, natively.

use std::fs;
use std::path::Path;

use acreta_sdk::explorer::{Candidate, Finding};

use tempfile::TempDir;

use crate::{Folder, MAX_FILE_BYTES, Warning, explore};

const SQLITE: &str = "---\nid: 01SQLITE\ntitle: \"Use SQLite for the queue\"\n---\n\n\
                      # Use SQLite for the queue\n\nOne file, no service to install.\n";

fn memory(files: &[(&str, &str)]) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in files {
        write(&root.path().join(path), text.as_bytes());
    }
    root
}

#[expect(clippy::disallowed_methods, reason = "a fixture that is thrown away")]
fn write(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

fn candidate(id: &str, category: &str, title: &str, body: &str) -> Candidate {
    Candidate {
        id: id.to_owned(),
        category: category.to_owned(),
        kind: String::new(),
        title: title.to_owned(),
        body: body.to_owned(),
        confidence: 0.8,
        tags: Vec::new(),
        evidence: Vec::new(),
        attrs: Vec::new(),
    }
}

fn run(root: &Path, batch: &[Candidate]) -> (Vec<Finding>, Vec<Warning>) {
    let folders = [
        ("decision", "decisions"),
        ("learning", "learnings"),
        ("summary", "summaries"),
    ]
    .map(|(category, folder)| Folder {
        category: category.to_owned(),
        folder: folder.to_owned(),
    });
    explore(root, &folders, batch).unwrap()
}

/// `hint file overlap` of the only finding.
fn check(files: &[(&str, &str)], candidate: Candidate, expected: &str) {
    let root = memory(files);
    let (findings, _) = run(root.path(), &[candidate]);
    assert_eq!(findings.len(), 1);
    let finding = &findings[0];
    let file = finding.matched_file.as_deref().unwrap_or("-");
    assert_eq!(
        format!("{} {file} {:.2}", finding.action_hint, finding.overlap),
        expected
    );
}

#[test]
fn a_memory_that_says_the_same_is_no_op() {
    check(
        &[("decisions/a.md", SQLITE)],
        candidate(
            "c",
            "decision",
            "use SQLite for the queue",
            "One file; no service to install!",
        ),
        "no-op decisions/a.md 1.00",
    );
}

#[test]
fn a_candidate_that_adds_nothing_is_no_op() {
    check(
        &[("decisions/a.md", SQLITE)],
        candidate("c", "decision", "Use SQLite for the queue", "One file."),
        "no-op decisions/a.md 0.62",
    );
}

#[test]
fn a_candidate_that_says_more_is_an_update() {
    check(
        &[("decisions/a.md", SQLITE)],
        candidate(
            "c",
            "decision",
            "Use SQLite for the queue",
            "One file, no service to install. WAL mode.",
        ),
        "update decisions/a.md 0.80",
    );
}

#[test]
fn a_related_memory_is_named_but_added_to() {
    check(
        &[("decisions/a.md", SQLITE)],
        candidate(
            "c",
            "decision",
            "Use SQLite for the catalog",
            "One file beside the queue.",
        ),
        "add decisions/a.md 0.50",
    );
}

#[test]
fn what_is_far_off_or_of_another_type_does_not_match() {
    let far = candidate("c", "decision", "Colours", "Blue, everywhere.");
    check(&[("decisions/a.md", SQLITE)], far, "add - 0.00");
    for category in ["learning", "poem", ""] {
        let other = candidate(
            "c",
            category,
            "Use SQLite for the queue",
            "One file, no service to install.",
        );
        check(&[("decisions/a.md", SQLITE)], other, "add - 0.00");
    }
}

#[test]
fn an_empty_memory_has_nothing() {
    check(
        &[],
        candidate("c", "decision", "Use SQLite", ""),
        "add - 0.00",
    );
    check(
        &[("decisions/a.md", "")],
        candidate("c", "decision", "", ""),
        "add - 0.00",
    );
}

#[test]
fn of_equals_the_first_path_wins() {
    check(
        &[
            ("decisions/b.md", SQLITE),
            ("decisions/a.md", SQLITE),
            ("decisions/c.md", SQLITE),
        ],
        candidate(
            "c",
            "decision",
            "Use SQLite for the queue",
            "One file, no service to install. WAL mode.",
        ),
        "update decisions/a.md 0.80",
    );
}

#[test]
fn every_candidate_gets_its_finding_in_order() {
    let root = memory(&[
        ("decisions/a.md", SQLITE),
        (
            "learnings/b.md",
            "---\nid: 01B\nkind: pitfall\n---\nPorts clash\n",
        ),
    ]);
    let batch = [
        candidate("3", "learning", "Ports clash", ""),
        candidate("1", "decision", "Blue", ""),
        candidate(
            "2",
            "decision",
            "Use SQLite for the queue",
            "One file, no service to install.",
        ),
    ];
    let (findings, warnings) = run(root.path(), &batch);
    let told: Vec<_> = findings
        .iter()
        .map(|finding| {
            (
                finding.candidate_id.as_str(),
                finding.matched_file.as_deref(),
                finding.evidence.as_str(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("3", Some("learnings/b.md"), "Ports clash"),
            ("1", None, ""),
            (
                "2",
                Some("decisions/a.md"),
                "Use SQLite for the queue: One file, no service to install."
            ),
        ]
    );
    let expected = [("memory_id", "01B"), ("memory_kind", "pitfall")]
        .map(|(key, value)| (key.to_owned(), value.to_owned()));
    assert_eq!(findings[0].attrs, expected);
    assert_eq!(warnings, []);
}

#[test]
fn only_markdown_files_of_the_top_level_are_read() {
    let root = memory(&[
        ("decisions/deep/a.md", SQLITE),
        ("decisions/a.txt", SQLITE),
        ("decisions/folder.md/x", SQLITE),
        ("archived/decisions/a.md", SQLITE),
    ]);
    let (findings, warnings) = run(
        root.path(),
        &[candidate("c", "decision", "Use SQLite for the queue", "")],
    );
    assert_eq!(findings[0].matched_file, None);
    assert_eq!(warnings, []);
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let root = memory(&[
        ("elsewhere.md", SQLITE),
        ("decisions/real.md", "other words\n"),
    ]);
    std::os::unix::fs::symlink("../elsewhere.md", root.path().join("decisions/link.md")).unwrap();
    let (findings, _) = run(
        root.path(),
        &[candidate("c", "decision", "Use SQLite for the queue", "")],
    );
    assert_eq!(findings[0].matched_file, None);
}

#[test]
fn a_huge_file_is_left_out_and_named() {
    let root = memory(&[("decisions/a.md", SQLITE)]);
    write(
        &root.path().join("decisions/huge.md"),
        &vec![b'x'; MAX_FILE_BYTES as usize + 1],
    );
    let (findings, warnings) = run(
        root.path(),
        &[candidate("c", "decision", "Use SQLite for the queue", "")],
    );
    assert_eq!(findings[0].matched_file.as_deref(), Some("decisions/a.md"));
    assert_eq!(warnings.len(), 1);
    assert_eq!(
        warnings[0].to_string(),
        "left out `decisions/huge.md`: larger than 1048576 bytes"
    );
}

#[test]
fn bytes_that_are_no_text_do_not_matter() {
    let root = memory(&[]);
    write(
        &root.path().join("decisions/a.md"),
        b"---\ntitle: Ports \xff clash\n---\n\0\xfe ports clash\n",
    );
    let (findings, _) = run(
        root.path(),
        &[candidate("c", "decision", "Ports clash", "")],
    );
    assert_eq!(findings[0].action_hint, "no-op");
}

#[test]
fn a_folder_that_is_a_file_fails_the_call() {
    let root = memory(&[("decisions", "not a folder")]);
    let folders = [Folder {
        category: "decision".to_owned(),
        folder: "decisions".to_owned(),
    }];
    let failure = explore(
        root.path(),
        &folders,
        &[candidate("c", "decision", "x", "")],
    )
    .unwrap_err();
    assert_eq!(failure.code, "io");
    assert!(
        failure.message.contains("`decisions`"),
        "{}",
        failure.message
    );
}
