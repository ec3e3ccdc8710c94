//! Properties of a session before it is read, in the database and in files.

use acreta_sdk::adapter::testing::{START, only_session, read, sessions};
use adapter_goose::Goose;

use crate::{database, fixture};

#[test]
fn a_session_says_where_and_when_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let found = sessions::<Goose>(&database(folder.path()));
    let main = &found[0];
    assert_eq!(main.project_dir.as_deref(), Some("/home/mira/kelp-log"));
    assert_eq!(main.started_ms, Some(1_780_646_400_000));
    assert_eq!(main.updated_ms, Some(1_780_646_460_000));
    assert_eq!(found[1].parent.as_deref(), Some("20260605_1"));
    let empty = ("empty".to_owned(), "true".to_owned());
    assert!(found[2].attrs.contains(&empty));
}

#[test]
fn whatever_changes_gives_another_revision() {
    let changes = [
        "UPDATE messages SET content_json = '[]' WHERE id = 3",
        "DELETE FROM messages WHERE id = 8",
        "INSERT INTO messages (session_id, role, content_json, created_timestamp) \
         VALUES ('20260605_1', 'user', '[]', 1)",
    ];
    for sql in changes {
        let folder = tempfile::tempdir().unwrap();
        let path = database(folder.path());
        let before = sessions::<Goose>(&path);
        let connection = rusqlite::Connection::open(&path).unwrap();
        connection.execute_batch(sql).unwrap();
        let after = sessions::<Goose>(&path);
        assert_ne!(after[0].revision, before[0].revision, "{sql}");
        assert_eq!(after[1].revision, before[1].revision, "{sql}");
    }
}

#[test]
fn sessions_from_before_the_database_are_files() {
    let session = only_session::<Goose>(&fixture("20250301_101010.jsonl"));
    assert_eq!(session.id, "20250301_101010");
    assert_eq!(session.started_ms, Some(1_740_823_810_000));
    let (told, _) = read::<Goose>(&session, &START);
    assert_eq!(
        told.texts(),
        [
            ("user", "text", "Sort the kelp by length"),
            ("assistant", "tool-call", "{\"command\":\"sort\"}"),
            ("tool", "tool-result", "sorted"),
            ("assistant", "text", "Sorted."),
        ]
    );
}

#[test]
fn columns_that_are_not_there_are_not_missed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sessions.db");
    let connection = rusqlite::Connection::open(&path).unwrap();
    let sql = "CREATE TABLE sessions (id TEXT, working_dir TEXT);
         CREATE TABLE messages (id INTEGER, session_id TEXT, role TEXT, content_json TEXT);
         INSERT INTO sessions VALUES ('s', '/x');
         INSERT INTO messages VALUES (1, 's', 'user', '[{\"type\":\"text\",\"text\":\"hello\"}]');";
    connection.execute_batch(sql).unwrap();
    let (told, _) = read::<Goose>(&only_session::<Goose>(&path), &START);
    assert_eq!(told.texts(), [("user", "text", "hello")]);
}
