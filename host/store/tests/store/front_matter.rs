//! Front matter, row by row: parsed values, positions of errors, and speed.

use acreta_store::{Document, FrontMatter};
use acreta_types::MemoryType;

fn head(text: &str) -> FrontMatter {
    Document::parse(text)
        .unwrap_or_else(|error| panic!("{error}: {text:?}"))
        .front_matter
}

#[test]
fn files_come_apart_into_head_and_body() {
    let cases = [
        ("---\nid: a\ntitle: b\n---\nbody\n", "body\n"),
        ("---\nid: a\ntitle: b\n---", ""),
        ("---\nid: a\ntitle: b\n---\n", ""),
        ("\u{feff}---\nid: a\ntitle: b\n---\nbody", "body"),
        ("---\r\nid: a\r\ntitle: b\r\n---\r\nbody\r\n", "body\r\n"),
        ("--- \nid: a\ntitle: b\n---\t\nbody", "body"),
        (
            "---\nid: a\ntitle: b\n---\none\n---\ntwo\n---\n",
            "one\n---\ntwo\n---\n",
        ),
        (
            "---\nid: a\ntitle: b\n---\n<<<<<<< HEAD\n",
            "<<<<<<< HEAD\n",
        ),
        ("---\n# remark\nid: 'a'\ntitle: \"b\"\n---\n---\n", "---\n"),
        ("---\n{id: a, title: b}\n---\nx", "x"),
    ];
    for (text, body) in cases {
        let document = Document::parse(text).unwrap_or_else(|error| panic!("{error}: {text:?}"));
        assert_eq!(document.body, body, "{text:?}");
        assert_eq!(document.front_matter.id, "a", "{text:?}");
        assert_eq!(document.front_matter.title, "b", "{text:?}");
    }
}

#[test]
fn values_keep_what_was_written() {
    let fields = head(
        "---\nid: 0123\ntitle: 2026\ncreated: 2026-01-02T03:04:05Z\ntime: 10:11:12\ndate: 2026-01-02\n\
         source: ~\ntags:\nrelated: [1, yes]\nconfidence: 1\nmine: {a: [1, true, null]}\nalso: text\n---\n",
    );
    assert_eq!(fields.id, "0123");
    assert_eq!(fields.title, "2026");
    assert_eq!(fields.created.as_deref(), Some("2026-01-02T03:04:05Z"));
    assert_eq!(fields.time.as_deref(), Some("10:11:12"));
    assert_eq!(fields.source, None);
    assert_eq!(fields.tags, Vec::<String>::new());
    assert_eq!(fields.related, ["1", "yes"]);
    assert_eq!(fields.confidence, Some(1.0));
    let extra = serde_json::to_string(&fields.extra).unwrap();
    assert_eq!(extra, r#"{"mine":{"a":[1,true,null]},"also":"text"}"#);
    let folded = head("---\nid: a\ntitle: >-\n  one\n  two\n---\n");
    assert_eq!(folded.title, "one two");
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let bomb = format!(
        "---\nid: a\ntitle: b\na: &a [x, x]\n{}---\n",
        (0..8)
            .map(|level| format!("{0}{0}: &{0}{0} [*a, *a]\n", (b'b' + level) as char))
            .collect::<String>()
    );
    let deep = format!(
        "---\nid: a\ntitle: b\nx: {}{}\n---\n",
        "[".repeat(100),
        "]".repeat(100)
    );
    let many = format!("---\nid: a\ntitle: b\nx: [{}]\n---\n", "1,".repeat(20_000));
    // Columns: text, line, column, part of the message.
    let cases: [(&str, u64, u64, &str); 19] = [
        ("", 1, 1, "does not start with"),
        ("text\n---\nid: a\n---\n", 1, 1, "does not start with"),
        (" ---\nid: a\n---\n", 1, 1, "does not start with"),
        ("----\nid: a\n---\n", 1, 1, "does not start with"),
        ("---\nid: a\ntitle: b\n", 1, 1, "not closed"),
        ("---\nid: a\ntitle: b\n ---\n", 1, 1, "not closed"),
        ("---\n---\nbody", 1, 1, "no `id`"),
        ("---\nid: a\n---\n", 1, 1, "no `title`"),
        ("---\nid: a\ntitle: b\nid: c\n---\n", 4, 1, "duplicate"),
        (
            "---\r\nid: a\r\ntitle: b\r\nid: c\r\n---\r\n",
            4,
            1,
            "duplicate",
        ),
        ("---\nid: a\ntags:\n\t- x\n---\n", 4, 2, ""),
        ("---\nid: a\ntitle: [b\n---\n", 3, 8, ""),
        ("---\nid: a\nconfidence: high\n---\n", 3, 13, ""),
        ("---\nid: a\ntags: x\n---\n", 3, 7, ""),
        ("---\n- id: a\n---\n", 2, 1, ""),
        (
            "---\nid: a\n<<<<<<< HEAD\ntitle: b\n=======\ntitle: c\n>>>>>>> x\n---\n",
            3,
            1,
            "merge conflict",
        ),
        ("<<<<<<< HEAD\n---\nid: a\n", 1, 1, "merge conflict"),
        ("---\nid: a\n<<: {title: b}\n---\n", 3, 1, ""),
        ("---\nid: a\nid : b\n---\n", 3, 1, "duplicate"),
    ];
    for (text, line, column, message) in cases {
        let error = Document::parse(text).unwrap_err();
        assert_eq!(
            (error.line, error.column),
            (line, column),
            "{error}: {text:?}"
        );
        assert!(error.message.contains(message), "{error}: {text:?}");
        assert!(
            !error.message.is_empty() && !error.message.contains('\n'),
            "{error:?}"
        );
    }
    for text in [&bomb, &deep, &many] {
        let error = Document::parse(text).unwrap_err();
        assert_eq!(error.line, 4, "{error}");
    }
}

#[test]
fn what_is_huge_is_refused_without_being_read() {
    let mebibytes = "x".repeat(80 * 1024 * 1024);
    let lines = "key: value\n".repeat(8 * 1024 * 1024);
    let started = std::time::Instant::now();
    for text in [
        format!("---\nid: a\ntitle: {mebibytes}\n---\n"),
        format!("---\nid: a\ntitle: |\n  {mebibytes}"),
        format!("---\n{lines}---\n"),
        format!("---\n{mebibytes}"),
    ] {
        let error = Document::parse(&text).unwrap_err();
        assert!(error.message.contains("longer than 65536 bytes"), "{error}");
    }
    println!(
        "4 × 80 MiB refused in {:?}, most of it making them",
        started.elapsed()
    );
    // A large front matter is accepted, and so is a huge body.
    let title = "x".repeat(60 * 1024);
    assert_eq!(
        head(&format!("---\nid: a\ntitle: {title}\n---\n{mebibytes}")).title,
        title
    );
}

#[test]
fn each_type_asks_for_its_own_keys() {
    let fields = head("---\nid: a\ntitle: b\n---\n");
    for (memory_type, count) in [
        (MemoryType::Decision, 4),
        (MemoryType::Learning, 5),
        (MemoryType::Summary, 9),
    ] {
        assert_eq!(fields.problems(memory_type).len(), count, "{memory_type:?}");
    }
    let times = [
        ("2026-01-02T03:04:05Z", true),
        ("2026-01-02T03:04:05.123Z", true),
        ("2026-01-02", false),
        ("2026-13-02T03:04:05Z", false),
        ("2026-01-02T03:04:05+02:00", false),
        ("", false),
    ];
    for (time, expected) in times {
        let fields = FrontMatter {
            created: Some(time.to_owned()),
            ..FrontMatter::default()
        };
        let problems = fields.problems(MemoryType::Decision);
        let is_wrong = problems
            .iter()
            .any(|problem| problem.starts_with("`created`"));
        assert_eq!(!is_wrong, expected, "{time}");
    }
}
