//! Hostile queries and folders: answers in bounded time, and no writes elsewhere.

use acreta_search::Query;

use crate::support::{MemorySpec, NOW, Project, ids};

#[test]
fn no_query_is_an_error() {
    let project = Project::with(&[
        MemorySpec {
            id: "one",
            title: "Quoting",
            body: "Use \"double\" quotes; a* b? [c] {d} ~e ^f (g) \\h",
            ..MemorySpec::default()
        },
        MemorySpec {
            id: "two",
            title: "to be or not to be",
            body: "the of and",
            ..MemorySpec::default()
        },
    ]);
    let index = project.index();
    let megabyte = "word ".repeat(220_000);
    let distinct: String = (0..150_000).map(|number| format!("w{number} ")).collect();
    let nested = "(".repeat(20_000) + "quoting";
    let run = "x".repeat(1 << 20);
    let accents = "e\u{301}".repeat(10_000);
    let queries = [
        "",
        " ",
        "\0",
        "\"",
        "\"\"",
        "\" \"",
        "*",
        "**",
        "a*",
        "*a",
        "-",
        "+",
        "AND",
        "OR NOT",
        "title:",
        "title:x",
        "[a TO b]",
        "{}",
        "()",
        "((((",
        "~",
        "quoting~2",
        "^9",
        "\\",
        "\\\\",
        "/",
        "//",
        "a/b/c",
        ":",
        "::",
        "'",
        "`",
        "to be or not",
        "the",
        "\u{202e}quoting",
        "\u{feff}quoting",
        "💥",
        "ﬁ",
        "ß",
        "İ",
        "日本",
        "a\u{0}b",
        "\"to be or\"",
        "\"quoting",
        "quo*",
        "q*",
        &megabyte,
        &distinct,
        &nested,
        &run,
        &accents,
    ];
    for text in queries {
        for limit in [0, 1, 10, usize::MAX] {
            let query = Query {
                limit,
                explain: true,
                ..Query::new(text)
            };
            let found = index.search(&query, NOW).unwrap();
            assert!(
                found.hits.len() <= limit.min(2),
                "{}",
                acreta_text::head(text, 40)
            );
            for hit in found.hits {
                assert!(hit.score.is_finite());
                for mark in hit.snippet.marks {
                    assert!(hit.snippet.text.get(mark).is_some());
                }
            }
        }
    }
    assert_eq!(ids(&index, "to be", NOW), ["two"]);
    assert_eq!(ids(&index, &nested, NOW), ["one"]);
}

#[test]
fn odd_memories_are_indexed() {
    let long_word = "x".repeat(70_000);
    let many: String = (0..60_000).map(|number| format!("n{number} ")).collect();
    let project = Project::with(&[
        MemorySpec {
            id: "empty",
            title: "Empty",
            body: "",
            ..MemorySpec::default()
        },
        MemorySpec {
            id: "run",
            title: "Run",
            body: &long_word,
            ..MemorySpec::default()
        },
        MemorySpec {
            id: "many",
            title: "Many",
            body: &many,
            ..MemorySpec::default()
        },
        MemorySpec {
            id: "spaces",
            title: "Spaces",
            body: "a\u{a0}b\u{2003}c\u{3000}heron",
            ..MemorySpec::default()
        },
    ]);
    let index = project.index();
    for (text, expected) in [
        ("empty", "empty"),
        ("run", "run"),
        ("n59999", "many"),
        ("heron", "spaces"),
    ] {
        assert_eq!(ids(&index, text, NOW), [expected], "{text}");
    }
}

#[cfg(unix)]
#[test]
fn an_index_behind_a_link_is_not_written() {
    for link in [".acreta/index", ".acreta/index/memory"] {
        let project = Project::with(&[MemorySpec {
            id: "one",
            title: "Heron",
            ..MemorySpec::default()
        }]);
        let elsewhere = tempfile::tempdir().unwrap();
        let link = project.root.join(link);
        std::fs::create_dir_all(link.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), &link).unwrap();
        assert_eq!(ids(&project.index(), "heron", NOW), ["one"], "{link}");
        assert_eq!(elsewhere.path().read_dir().unwrap().count(), 0, "{link}");
    }
}
