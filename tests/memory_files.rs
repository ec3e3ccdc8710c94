//! Memory files as people, editors, merges and attackers leave them: a clear message about each that cannot be used,
//! all others found, nothing rewritten and nothing lost.

use std::path::PathBuf;

use crate::support::Project;

fn head(id: &str) -> String {
    format!(
        "id: {id}\ntitle: \"Title of {id}\"\nkind: insight\ncreated: 2026-01-01T00:00:00Z\nupdated: 2026-01-01T00:00:00Z\nsource: person\nconfidence: 0.9\ntags: []\nrelated: []\n"
    )
}

fn memory(id: &str, body: &str) -> String {
    format!("---\n{}---\n\n# Title of {id}\n\n{body}\n", head(id))
}

fn put(project: &Project, name: &str, text: &str) -> PathBuf {
    let path = format!("project/.acreta/memory/learnings/{name}");
    project.write(&path, text.as_bytes())
}

/// Returns a registered project.
fn registered() -> Project {
    let project = Project::new();
    project.acreta(&["project", "add"]).succeeded();
    project
}

#[test]
fn files_that_can_be_read_are_found_whatever_they_look_like() {
    let project = registered();
    let long = format!("20260101-{}.md", "n".repeat(200));
    let table = [
        ("20260101-plain.md", memory("plain", "findable alpha")),
        (
            "20260101-bom.md",
            format!("\u{feff}{}", memory("bom", "findable beta")),
        ),
        (
            "20260101-crlf.md",
            memory("crlf", "findable gamma").replace('\n', "\r\n"),
        ),
        (
            "20260101-rule.md",
            memory("rule", "before\n---\nid: forged\n---\nfindable delta"),
        ),
        (
            "20260101-extra.md",
            memory("extra", "findable epsilon").replace("kind:", "mood: good\nkind:"),
        ),
        ("20260101-twin-é.md", memory("twin-a", "findable zeta")),
        (
            "20260101-twin-e\u{301}.md",
            memory("twin-b", "findable eta"),
        ),
        ("con.md", memory("reserved", "findable theta")),
        (long.as_str(), memory("long", "findable iota")),
        ("no date at all.md", memory("undated", "findable kappa")),
    ];
    for (name, text) in &table {
        put(&project, name, text);
    }
    let found = project
        .acreta(&["memory", "search", "findable", "-n", "50", "--json"])
        .succeeded()
        .json();
    let mut ids: Vec<&str> = found["hits"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| hit["id"].as_str().unwrap())
        .collect();
    ids.sort_unstable();
    assert_eq!(
        ids,
        [
            "bom", "crlf", "extra", "long", "plain", "reserved", "rule", "twin-a", "twin-b",
            "undated"
        ]
    );
    for (name, text) in &table {
        let path = project.memory().join("learnings").join(name);
        assert_eq!(&std::fs::read_to_string(path).unwrap(), text, "{name}");
    }
    let ran = project.acreta(&["memory", "archive", "twin-b"]).succeeded();
    assert!(ran.stdout.contains("twin-b"), "{}", ran.stdout);
    assert!(
        project
            .memory()
            .join("learnings/20260101-twin-é.md")
            .exists()
    );
}

#[test]
fn files_that_cannot_be_read_are_named_with_their_place_and_left_alone() {
    let project = registered();
    put(&project, "20260101-good.md", &memory("good", "findable"));
    let anchors: String = (0..9)
        .map(|level| match level {
            0 => "a0: &a0 [x, x]\n".to_owned(),
            level => format!(
                "a{level}: &a{level} [*a{0}, *a{0}, *a{0}, *a{0}, *a{0}, *a{0}, *a{0}, *a{0}]\n",
                level - 1
            ),
        })
        .collect();
    let conflict = memory("conflicted", "body").replace(
        "kind: insight\n",
        "<<<<<<< ours\nkind: insight\n=======\nkind: pitfall\n>>>>>>> theirs\n",
    );
    let table: &[(&str, String, &str)] = &[
        ("20260101-conflict.md", conflict, ":4:"),
        (
            "20260101-double.md",
            memory("double", "x").replace("kind:", "title: again\nkind:"),
            ":4:",
        ),
        (
            "20260101-tabs.md",
            memory("tabs", "x").replace("kind: insight", "kind:\n\tx: y"),
            "20260101-tabs.md:",
        ),
        (
            "20260101-bomb.md",
            format!("---\nid: bomb\ntitle: t\n{anchors}---\n\nx\n"),
            "20260101-bomb.md",
        ),
        (
            "20260101-open.md",
            format!("---\n{}", head("open")),
            "20260101-open.md",
        ),
        (
            "20260101-none.md",
            "just text\n".to_owned(),
            "20260101-none.md:1:1",
        ),
        (
            "20260101-long.md",
            format!("---\nid: long\ntitle: {}\n---\nx\n", "x".repeat(80_000)),
            "20260101-long.md",
        ),
        (
            "20260101-again.md",
            memory("good", "y"),
            "has the same id as",
        ),
        (
            "20260101-path.md",
            memory("../../etc/x", "y"),
            "is not a plain name",
        ),
    ];
    let mut kept = Vec::new();
    for (name, text, _) in table {
        kept.push((put(&project, name, text), text.clone().into_bytes()));
    }
    let binary = project.write(
        "project/.acreta/memory/learnings/20260101-binary.md",
        b"---\nid: b\xff\n",
    );
    kept.push((binary, b"---\nid: b\xff\n".to_vec()));
    let ran = project.acreta(&["memory", "list"]).succeeded();
    assert!(ran.stdout.contains("Title of good"), "{}", ran.stdout);
    assert!(
        ran.stderr
            .contains("20260101-binary.md: is not valid UTF-8"),
        "{}",
        ran.stderr
    );
    for (name, _, place) in table {
        let told = ran
            .stderr
            .lines()
            .any(|line| line.contains(name) && line.contains(place));
        assert!(told, "{name} {place}:\n{}", ran.stderr);
    }
    // No way of writing changes them.
    project
        .acreta(&["memory", "add", "Something new"])
        .succeeded();
    project.acreta(&["maintain"]).succeeded();
    project
        .acreta(&["memory", "search", "findable"])
        .succeeded();
    for (path, bytes) in kept {
        assert_eq!(std::fs::read(&path).unwrap(), bytes, "{}", path.display());
    }
}

#[test]
fn any_text_is_a_query() {
    let project = registered();
    put(
        &project,
        "20260101-a.md",
        &memory("a", "the retry budget is three"),
    );
    let megabyte = "retry budget ".repeat(9_000);
    let nul_free = "\u{1b}[31m \u{202e} ' \" ( ) [ ] { } + - ~ ^ * ? : \\ / & | ! <script>";
    for query in [
        "\"",
        "\"\"",
        "((((",
        "a:b:c",
        "+-!*",
        "AND OR NOT",
        "title:x",
        "*",
        "日本語",
        nul_free,
        &megabyte,
    ] {
        let ran = project.acreta(&["memory", "search", "--json", "--", query]);
        if query.matches('"').count() % 2 == 1 {
            ran.failed(2, "is not closed");
        } else {
            assert!(ran.succeeded().json()["hits"].is_array(), "{query}");
        }
        let ran = project.acreta(&["ask", "--", query]).succeeded();
        assert!(!ran.stdout.contains('\u{1b}'), "{query}");
    }
    let found = project
        .acreta(&["memory", "search", "--json", "--", &megabyte])
        .json();
    assert_eq!(found["hits"][0]["id"], "a");
}

#[cfg(unix)]
#[test]
fn a_linked_memory_folder_is_never_written_through() {
    let project = registered();
    let elsewhere = project.outside().join("elsewhere");
    std::fs::create_dir_all(elsewhere.join("learnings")).unwrap();
    std::fs::create_dir_all(project.root().join(".acreta")).unwrap();
    std::os::unix::fs::symlink(&elsewhere, project.root().join(".acreta/memory")).unwrap();
    let ran = project.acreta(&["memory", "add", "Something new"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("memory"), "{}", ran.stderr);
    assert_eq!(
        std::fs::read_dir(elsewhere.join("learnings"))
            .unwrap()
            .count(),
        0
    );
    project.acreta(&["memory", "search", "anything"]);
    assert_eq!(std::fs::read_dir(&elsewhere).unwrap().count(), 1);
}

#[test]
fn two_writers_at_once_lose_nothing() {
    let project = registered();
    project
        .acreta(&["memory", "add", "The first of all"])
        .succeeded();
    let words = [
        "apples", "bridges", "candles", "dragons", "engines", "forests", "gardens", "harbours",
    ];
    std::thread::scope(|scope| {
        for word in words {
            let project = &project;
            scope.spawn(move || {
                let title = format!("Everything about {word} belongs to {word}");
                let ran = project.acreta(&["memory", "add", &title]);
                assert!(ran.code == 0 || ran.code == 4, "{}", ran.stderr);
                if ran.code == 4 {
                    project.acreta(&["memory", "add", &title]).succeeded();
                }
            });
            scope.spawn(move || {
                project
                    .acreta(&["memory", "search", word, "--json"])
                    .succeeded()
            });
        }
    });
    let listed = project
        .acreta(&["memory", "list", "--json"])
        .succeeded()
        .json();
    assert_eq!(
        listed["memories"].as_array().unwrap().len(),
        words.len() + 1
    );
    for word in words {
        let found = project.acreta(&["memory", "search", word, "--json"]).json();
        assert_eq!(found["hits"].as_array().unwrap().len(), 1, "{word}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_cannot_be_written_still_answers() {
    // A folder without write permission does not stop root; a mount would, and is tested by hand.
    let project = registered();
    put(
        &project,
        "20260101-a.md",
        &memory("a", "the retry budget is three"),
    );
    let index = project.root().join(".acreta/index");
    #[expect(clippy::disallowed_methods, reason = "a test's own scratch file")]
    std::fs::write(&index, b"in the way").unwrap();
    let found = project
        .acreta(&["memory", "search", "retry", "--json"])
        .succeeded()
        .json();
    assert_eq!(found["hits"][0]["id"], "a");
    assert_eq!(std::fs::read(&index).unwrap(), b"in the way");
}
