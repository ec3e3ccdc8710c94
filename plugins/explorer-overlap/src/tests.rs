//! The explorer over real folders, natively.

use std::fs;
use std::path::Path;

use acreta_sdk::explorer::{Candidate, Finding};

use tempfile::TempDir;

use crate::{MATCHES, MAX_FILE_BYTES, Warning, explore};

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

/// Explores with a search that finds every file of a candidate's type.
fn run(root: &Path, batch: &[Candidate]) -> (Vec<Finding>, Vec<Warning>) {
    let find = |candidate: &Candidate| {
        let folder = format!("{}s", candidate.category);
        let mut paths: Vec<String> = fs::read_dir(root.join(&folder))
            .into_iter()
            .flatten()
            .map(|entry| format!("{folder}/{}", entry.unwrap().file_name().display()))
            .collect();
        paths.sort();
        Ok(paths)
    };
    explore(root, &find, batch).unwrap()
}

/// `hint file overlap` of the nearest.
fn check(files: &[(&str, &str)], candidate: Candidate, expected: &str) {
    let root = memory(files);
    let (findings, _) = run(root.path(), &[candidate]);
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
fn a_memory_is_not_its_own_neighbour_and_few_are_told() {
    let files: Vec<(String, String)> = (0..MATCHES + 3)
        .map(|number| {
            let text = SQLITE.replace("01SQLITE", &format!("01SQLITE{number}"));
            (format!("decisions/{number}.md"), text)
        })
        .collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let root = memory(&files);
    let own = candidate(
        "01SQLITE1",
        "decision",
        "Use SQLite for the queue",
        "One file.",
    );
    let (findings, _) = run(root.path(), &[own]);
    let told: Vec<&str> = findings
        .iter()
        .filter_map(|finding| finding.matched_file.as_deref())
        .collect();
    assert_eq!(
        told,
        [
            "decisions/0.md",
            "decisions/2.md",
            "decisions/3.md",
            "decisions/4.md"
        ]
    );
}

#[test]
fn a_search_that_fails_fails_the_call() {
    let failure = acreta_sdk::explorer::Failure {
        code: "search".to_owned(),
        message: "no index".to_owned(),
        retryable: true,
    };
    let root = memory(&[]);
    let find = |_: &Candidate| Err(failure.clone());
    let found = explore(root.path(), &find, &[candidate("c", "decision", "x", "")]);
    assert_eq!(found.unwrap_err().code, "search");
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
