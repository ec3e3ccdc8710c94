//! Properties of a session before it is read, and the files that hold sessions.

use acreta_sdk::adapter::testing::{put, sessions};
use adapter_opencode::OpenCode;

use crate::support::{
    CHILD, DAMAGED, MAIN, SILENT, attribute, database, execute, export, fixtures, session, tree,
};

#[test]
fn a_database_lists_every_session() {
    let folder = tempfile::tempdir().unwrap();
    let path = database("opencode", folder.path());
    let ids: Vec<_> = sessions::<OpenCode>(&path)
        .into_iter()
        .map(|session| session.id)
        .collect();
    assert_eq!(ids, [SILENT, DAMAGED, CHILD, MAIN]);

    let main = session(&path, MAIN);
    assert_eq!(main.project_dir.as_deref(), Some("/home/noor/tide-tables"));
    assert_eq!(main.started_ms, Some(1_767_600_000_000));
    assert_eq!(main.updated_ms, Some(1_767_600_660_000));
    assert_eq!(main.parent, None);
    assert_eq!(attribute(&main, "title"), Some("Cache tide predictions"));
    assert_eq!(attribute(&main, "version"), Some("1.2.26"));
    assert_eq!(attribute(&main, "relation"), None);

    let child = session(&path, CHILD);
    assert_eq!(child.parent.as_deref(), Some(MAIN));
    assert_eq!(attribute(&child, "relation"), Some("subagent"));
    let model = session(&path, DAMAGED);
    assert_eq!(attribute(&model, "model"), Some("claude-sonnet-4-5"));
}

#[test]
fn a_session_without_a_word_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = database("opencode", folder.path());
    let table = [
        (path.clone(), SILENT, Some("true")),
        (path, MAIN, None),
        (tree(SILENT), SILENT, Some("true")),
        (tree(MAIN), MAIN, None),
        (export("nothing-said.json"), SILENT, Some("true")),
        (export("cut-short.json"), DAMAGED, None),
    ];
    for (path, id, expected) in table {
        assert_eq!(
            attribute(&session(&path, id), "empty"),
            expected,
            "{path:?}"
        );
    }
}

#[test]
fn only_the_session_that_changed_has_another_revision() {
    let folder = tempfile::tempdir().unwrap();
    let path = database("opencode", folder.path());
    let table = [
        format!(
            "INSERT INTO message VALUES ('msg_z', '{MAIN}', 1767600700000, 1767600700000, '{{}}')"
        ),
        format!("INSERT INTO part VALUES ('prt_z', 'msg_z', '{MAIN}', 5, 5, '{{}}')"),
        format!("UPDATE message SET time_updated = 1767600800000 WHERE session_id = '{MAIN}'"),
        format!("UPDATE session SET time_updated = 1767600900000 WHERE id = '{MAIN}'"),
        format!("INSERT INTO session_message VALUES ('msg_y', '{MAIN}', 'user', 1, 5, 5, '{{}}')"),
    ];
    for change in table {
        let before = (
            session(&path, MAIN).revision,
            session(&path, CHILD).revision,
        );
        execute(&path, &change);
        assert_ne!(session(&path, MAIN).revision, before.0, "{change}");
        assert_eq!(session(&path, CHILD).revision, before.1, "{change}");
    }
}

#[test]
fn a_growing_tree_has_another_revision() {
    let folder = tempfile::tempdir().unwrap();
    let info = std::fs::read(tree(SILENT)).unwrap();
    let file = folder
        .path()
        .join(format!("storage/session/p/{SILENT}.json"));
    put(&file, info);
    let mut revisions = vec![session(&file, SILENT).revision];
    let growth = [
        (
            format!("message/{SILENT}/msg_1.json"),
            "{\"role\":\"user\"}",
        ),
        ("part/msg_1/prt_1.json".to_owned(), "{\"type\":\"text\"}"),
        (
            "part/msg_1/prt_1.json".to_owned(),
            "{\"type\":\"text\",\"text\":\"x\"}",
        ),
        ("part/msg_1/prt_2.json".to_owned(), "{\"type\":\"text\"}"),
    ];
    for (name, content) in growth {
        put(&folder.path().join("storage").join(name), content);
        revisions.push(session(&file, SILENT).revision);
    }
    revisions.dedup();
    assert_eq!(revisions.len(), 5, "{revisions:?}");
}

#[test]
fn an_id_that_leads_out_of_the_tree_leads_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("storage/session/p/s.json");
    put(
        &folder.path().join("elsewhere/msg_1.json"),
        "{\"role\":\"user\"}",
    );
    let info = r#"{"id":"../../elsewhere","projectID":"p","directory":"/x","time":{"created":1}}"#;
    put(&file, info);
    let found = sessions::<OpenCode>(&file);
    assert_eq!(attribute(&found[0], "empty"), Some("true"));
}

#[test]
fn only_sessions_are_taken() {
    let folder = tempfile::tempdir().unwrap();
    let info = r#""id":"s","projectID":"p","directory":"/x","time":{"created":1}"#;
    let table = [
        ("nothing", String::new(), 0),
        ("a list", "[]".to_owned(), 0),
        (
            "a message",
            r#"{"id":"m","sessionID":"s","role":"user"}"#.to_owned(),
            0,
        ),
        ("half a session", format!("{{{info}"), 0),
        (
            "another export",
            r#"{"info":{"id":"s"},"messages":[]}"#.to_owned(),
            0,
        ),
        ("a session", format!("{{{info}}}"), 1),
        (
            "an export",
            format!("{{\"info\":{{{info}}},\"messages\":[]}}"),
            1,
        ),
        (
            "an export on one line",
            format!("{{\"info\":{{{info}}},\"messages\":[]}}\n\n"),
            1,
        ),
    ];
    for (name, text, expected) in table {
        let path = folder.path().join("any.jsonl");
        put(&path, text);
        assert_eq!(sessions::<OpenCode>(&path).len(), expected, "{name}");
    }
    for name in ["message", "part"] {
        for path in acreta_sdk::adapter::testing::files(&fixtures().join("storage").join(name)) {
            assert!(sessions::<OpenCode>(&path).is_empty(), "{path:?}");
        }
    }
}
