//! Drafts, good and hostile: each row is one thing wrong with an otherwise good draft.

use acreta_fs::{Directory, NoFaults};
use acreta_store::{DraftError, DraftFile, DraftLimits, ExpectedDraft, check_draft};
use acreta_types::MemoryType;

use crate::support::{Project, decision};

const PATH: &str = "decisions/20260101-use-sqlite.md";
const LIMITS: DraftLimits = DraftLimits {
    files: 3,
    bytes: 400 * 1024,
};

fn expected(path: &str) -> ExpectedDraft {
    ExpectedDraft {
        action_id: "a1".to_owned(),
        memory_id: "01A".to_owned(),
        memory_type: MemoryType::Decision,
        path: path.to_owned(),
        target: None,
    }
}

fn good() -> String {
    decision("01A", "Use SQLite", "Because.")
}

struct Draft {
    project: Project,
    directory: Directory,
}

impl Draft {
    fn new(files: &[(&str, &[u8])]) -> Self {
        let project = Project::new();
        let directory = Directory::open(&project.root, NoFaults::shared()).unwrap();
        let draft = Self { project, directory };
        for (path, bytes) in files {
            draft.put(path, bytes);
        }
        draft
    }

    fn put(&self, path: &str, bytes: &[u8]) {
        if let Some((parent, _)) = path.rsplit_once('/') {
            self.directory.create_dir_all(parent).unwrap();
        }
        self.directory.append(path, bytes).unwrap();
    }

    fn check(&self, expected: &[ExpectedDraft]) -> Result<Vec<DraftFile>, DraftError> {
        check_draft(&self.project.root, expected, LIMITS)
    }
}

#[test]
fn a_good_draft_comes_through_in_the_order_asked_for() {
    let text = good();
    let learning = text
        .replace("01A", "01B")
        .replace("source:", "kind: pitfall\nsource:");
    let draft = Draft::new(&[
        ("learnings/20260101-b.md", learning.as_bytes()),
        (PATH, text.as_bytes()),
    ]);
    let files = draft
        .check(&[
            expected(PATH),
            ExpectedDraft {
                action_id: "a2".to_owned(),
                memory_id: "01B".to_owned(),
                memory_type: MemoryType::Learning,
                path: "learnings/20260101-b.md".to_owned(),
                target: None,
            },
        ])
        .unwrap();
    assert_eq!(files.len(), 2);
    assert_eq!(files[0].path, PATH);
    assert_eq!(files[0].text, text);
    assert_eq!(files[0].front_matter.title, "Use SQLite");
    assert_eq!(files[1].action_id, "a2");
    assert!(Draft::new(&[]).check(&[]).unwrap().is_empty());
}

#[test]
fn an_update_writes_to_its_target_and_nowhere_else() {
    let target = "decisions/My own name.md";
    let update = |path: &str| ExpectedDraft {
        target: Some(target.into()),
        ..expected(path)
    };
    let text = good();
    let draft = Draft::new(&[(target, text.as_bytes())]);
    assert_eq!(draft.check(&[update(target)]).unwrap()[0].path, target);
    for path in [
        PATH,
        "decisions//My own name.md",
        "../decisions/My own name.md",
    ] {
        assert!(
            matches!(
                draft.check(&[update(path)]),
                Err(DraftError::NotTarget { .. })
            ),
            "{path}"
        );
    }
}

#[test]
fn paths_follow_the_grammar() {
    let long = format!("decisions/20260101-{}.md", "x".repeat(120));
    let paths = [
        "",
        "20260101-x.md",
        "learnings/20260101-x.md",
        "decisions/sub/20260101-x.md",
        "decisions/../20260101-x.md",
        "/decisions/20260101-x.md",
        "./decisions/20260101-x.md",
        "decisions/20260101-x.md/",
        "decisions//20260101-x.md",
        "decisions/x.md",
        "decisions/20260101-X.md",
        "decisions/20260101-x.txt",
        "decisions/20260101-x.md\0",
        "decisions/20260101-com¹.md",
        "decisions/20260101-\u{202e}x.md",
        "archived/decisions/20260101-x.md",
        long.as_str(),
    ];
    for path in paths {
        let error = Draft::new(&[]).check(&[expected(path)]).unwrap_err();
        assert!(
            matches!(error, DraftError::BadPath { .. }),
            "{path}: {error}"
        );
        assert!(!error.to_string().contains(['\u{202e}', '\0']));
    }
}

#[test]
fn every_file_is_expected_and_every_expected_file_is_there() {
    let text = good();
    let draft = Draft::new(&[(PATH, text.as_bytes())]);
    let check = |files: &[ExpectedDraft]| draft.check(files).unwrap_err();
    assert!(matches!(check(&[]), DraftError::Unexpected { .. }));
    assert!(matches!(
        check(&[expected(PATH), expected(PATH)]),
        DraftError::Twice { .. }
    ));
    let other = expected("decisions/20260101-other.md");
    assert!(matches!(
        check(&[expected(PATH), other]),
        DraftError::Missing { .. }
    ));

    for extra in [
        "decisions/20260101-extra.md",
        "extra",
        "empty/folder/x",
        ".hidden",
    ] {
        let draft = Draft::new(&[(PATH, text.as_bytes()), (extra, b"x")]);
        let error = draft.check(&[expected(PATH)]).unwrap_err();
        assert!(
            matches!(error, DraftError::Unexpected { .. }),
            "{extra}: {error}"
        );
    }
    draft
        .directory
        .create_dir_all("deep/er/and/deeper")
        .unwrap();
    assert!(matches!(
        draft.check(&[expected(PATH)]),
        Err(DraftError::Unexpected { .. } | DraftError::OverLimit { .. })
    ));
}

#[cfg(unix)]
#[test]
fn only_regular_files_with_one_name_pass() {
    use std::os::unix::fs::symlink;
    let text = good();
    let with = |make: &dyn Fn(&Draft)| {
        let draft = Draft::new(&[]);
        draft.directory.create_dir_all("decisions").unwrap();
        make(&draft);
        draft.check(&[expected(PATH)]).unwrap_err()
    };
    let outside = Draft::new(&[("real.md", text.as_bytes())]);
    let source = outside.project.root.join("real.md");

    let error = with(&|draft| symlink(&source, draft.project.root.join(PATH)).unwrap());
    assert!(
        matches!(&error, DraftError::NotRegular { path, .. } if path == PATH),
        "{error}"
    );
    let error = with(&|draft| std::fs::hard_link(&source, draft.project.root.join(PATH)).unwrap());
    assert!(
        matches!(&error, DraftError::HardLinked { links: 2, .. }),
        "{error}"
    );
    let error = with(&|draft| {
        std::os::unix::net::UnixListener::bind(draft.project.root.join(PATH)).unwrap();
    });
    assert!(matches!(&error, DraftError::NotRegular { .. }), "{error}");
    let error = with(&|draft| draft.directory.create_dir_all(PATH).unwrap());
    assert!(matches!(&error, DraftError::Missing { .. }), "{error}");
    // A folder that is a link, with the expected file behind it.
    let outside = Draft::new(&[(PATH, text.as_bytes())]);
    let draft = Draft::new(&[]);
    symlink(
        outside.project.root.join("decisions"),
        draft.project.root.join("decisions"),
    )
    .unwrap();
    let error = draft.check(&[expected(PATH)]).unwrap_err();
    assert!(matches!(&error, DraftError::NotRegular { .. }), "{error}");
}

#[test]
fn size_and_number_have_limits() {
    let text = good();
    let large = format!("{text}{}", "x".repeat(256 * 1024));
    let error = Draft::new(&[(PATH, large.as_bytes())])
        .check(&[expected(PATH)])
        .unwrap_err();
    assert!(matches!(error, DraftError::TooLarge { .. }), "{error}");

    let half = vec![b'x'; 250 * 1024];
    let names = [
        "decisions/20260101-a.md",
        "decisions/20260101-b.md",
        "decisions/20260101-c.md",
        "decisions/20260101-d.md",
    ];
    let all: Vec<_> = names.iter().map(|name| expected(name)).collect();
    let draft = Draft::new(&[(names[0], &half), (names[1], &half)]);
    let error = draft.check(&all[..2]).unwrap_err();
    assert!(
        matches!(error, DraftError::OverLimit { limit: "bytes", .. }),
        "{error}"
    );

    let draft = Draft::new(&names.map(|name| (name, text.as_bytes())));
    let error = draft.check(&all).unwrap_err();
    assert!(
        matches!(error, DraftError::OverLimit { limit: "files", .. }),
        "{error}"
    );
    let many = Draft::new(&[]);
    for number in 0..50 {
        many.put(&format!("{number}"), b"x");
    }
    assert!(many.check(&[expected(PATH)]).is_err());
}

#[test]
fn the_text_is_complete_and_says_what_it_shows() {
    let long = format!("title: {}", "x".repeat(201));
    // Columns: the text that is replaced, its replacement, and the start of the error message.
    let rows: [(&str, &str, &str); 20] = [
        ("---\n", "", "front matter of draft"),
        (
            "id: 01A",
            "id: 01B",
            "draft of `decisions/20260101-use-sqlite.md` has the id `01B` instead of `01A`",
        ),
        ("id: 01A", "id: 01A\nid: 01A", "front matter of draft"),
        ("id: 01A\n", "", "front matter of draft"),
        (
            "source: claude\n",
            "",
            "draft of `decisions/20260101-use-sqlite.md` is incomplete: front matter has no `source`",
        ),
        (
            "confidence: 0.8",
            "confidence: 1.1",
            "draft of `decisions/20260101-use-sqlite.md` is incomplete: `confidence`",
        ),
        (
            "confidence: 0.8",
            "confidence: high",
            "front matter of draft",
        ),
        (
            "created: 2026-01-02T03:04:05Z",
            "created: 2026-01-02",
            "draft of `decisions/20260101-use-sqlite.md` is incomplete: `created`",
        ),
        (
            "created: 2026-01-02T03:04:05Z",
            "created: 2026-01-02T03:04:05+02:00",
            "draft of `decisions/20260101-use-sqlite.md` is incomplete: `created`",
        ),
        (
            "source: claude",
            "source: claude\nkind: pitfall",
            "draft of `decisions/20260101-use-sqlite.md` is incomplete: `pitfall` is not a kind",
        ),
        ("title: Use SQLite", "title: \"\"", "front matter of draft"),
        (
            "title: Use SQLite",
            "title: \"  \"",
            "title of draft `decisions/20260101-use-sqlite.md` is refused: it is empty",
        ),
        (
            "title: Use SQLite",
            "title: \"a\\nb\"",
            "title of draft `decisions/20260101-use-sqlite.md` is refused: it has more",
        ),
        (
            "title: Use SQLite",
            long.as_str(),
            "title of draft `decisions/20260101-use-sqlite.md` is refused: it is longer",
        ),
        (
            "title: Use SQLite",
            "title: \"a\\u202eb\"",
            "draft of `decisions/20260101-use-sqlite.md` has the hidden character \\u{202e} in its front matter",
        ),
        (
            "title: Use SQLite",
            "title: \"a\\eb\"",
            "draft of `decisions/20260101-use-sqlite.md` has the hidden character \\u{1b}",
        ),
        (
            "[a, b]",
            "[\"\\u200b\"]",
            "draft of `decisions/20260101-use-sqlite.md` has the hidden character \\u{200b}",
        ),
        (
            "Because.",
            "a\u{1b}[31m",
            "draft of `decisions/20260101-use-sqlite.md` has the hidden character \\u{1b} in line 12",
        ),
        (
            "Because.",
            "a\u{e0041}",
            "draft of `decisions/20260101-use-sqlite.md` has the hidden character \\u{e0041}",
        ),
        (
            "Because.",
            "a\rb",
            "draft of `decisions/20260101-use-sqlite.md` has the hidden character \\u{d}",
        ),
    ];
    for (from, to, complaint) in rows {
        let text = good().replacen(from, to, 1);
        assert_ne!(text, good(), "{from}");
        let error = Draft::new(&[(PATH, text.as_bytes())])
            .check(&[expected(PATH)])
            .map(drop)
            .unwrap_err();
        assert!(error.to_string().starts_with(complaint), "{to:?}: {error}");
    }
    let error = Draft::new(&[(PATH, b"---\nid: \xff\n---\n")])
        .check(&[expected(PATH)])
        .unwrap_err();
    assert!(matches!(error, DraftError::NotUtf8 { .. }), "{error}");
    // Unusual text that hides nothing.
    for (from, to) in [
        ("Because.", "a\r\nb\tc ünï 漢字"),
        ("tags: [a, b]", "tags:\nown: {key: [1, true]}"),
    ] {
        let text = good().replacen(from, to, 1);
        Draft::new(&[(PATH, text.as_bytes())])
            .check(&[expected(PATH)])
            .unwrap();
    }
}
