//! The older shape in Kiro's database, which also holds the login.

use acreta_sdk::adapter::testing::{START, read, sessions};
use adapter_kiro::Kiro;

use crate::document::STORY;
use crate::{SAVED, check, database};

#[test]
fn every_conversation_is_listed_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut found: Vec<_> = sessions::<Kiro>(&database(folder.path()))
        .into_iter()
        .map(|session| {
            let is_empty = session.attrs.iter().any(|(key, _)| key == "empty");
            let directory = session.project_dir.unwrap_or_default();
            (session.id, directory, session.updated_ms, is_empty)
        })
        .collect();
    found.sort();
    let row = |id: &str, directory: &str, updated_ms, is_empty| {
        (
            id.to_owned(),
            format!("/home/noor/{directory}"),
            updated_ms,
            is_empty,
        )
    };
    assert_eq!(
        found,
        [
            row("/home/noor/broken", "broken", None, false),
            row(
                "11f0c7aa-6b7e-4d0f-9d3c-5a8e2f4b6c19",
                "reports",
                None,
                false
            ),
            row(
                "77aa31c0-0d52-4be1-a6f3-e19b8c4d2057",
                "new",
                Some(1_772_450_000_000),
                true
            ),
            row(SAVED, "archive-uploader", Some(1_772_442_122_000), false),
            row("cut-1", "cut", Some(1_772_460_001_000), false),
        ]
    );
}

#[test]
fn a_conversation_tells_what_its_export_tells() {
    let folder = tempfile::tempdir().unwrap();
    let found = sessions::<Kiro>(&database(folder.path()));
    let session = |id: &str| found.iter().find(|session| session.id == id).unwrap();
    let told = check(session(SAVED), STORY, &[]);
    assert!(told.events.iter().all(|event| event.origin.end == 0));
    check(
        session("11f0c7aa-6b7e-4d0f-9d3c-5a8e2f4b6c19"),
        r##"
summary user/compaction "The report lists files."
74398466dbe0dd18 user/text "sort the report by size"
74398466dbe0dd18#1 assistant/text "Sorted by size." model=claude-sonnet-4.5
next user/text "and reverse the order"
"##,
        &[],
    );
    check(session("77aa31c0-0d52-4be1-a6f3-e19b8c4d2057"), "", &[]);
    let broken = ["history 0..0 the document ends before it is complete"];
    check(session("/home/noor/broken"), "", &broken);
    let (cut, _) = read::<Kiro>(session("cut-1"), &START);
    assert_eq!(cut.events.len(), 6);
    assert_eq!(cut.messages(), ["the document ends before it is complete"]);
}

#[test]
fn nothing_but_conversations_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let found = sessions::<Kiro>(&database(folder.path()));
    for session in &found {
        let (told, _) = read::<Kiro>(session, &START);
        let all = format!("{session:?} {told:?}");
        assert!(!all.contains("planted-credential"), "{all}");
    }
    // The statements name the two tables and no other.
    let source = include_str!("../../src/store.rs");
    let tables: Vec<_> = source
        .split("FROM ")
        .skip(1)
        .filter_map(|rest| rest.split([' ', '"', '\n', ')']).next())
        .filter(|table| !table.starts_with('('))
        .collect();
    assert_eq!(tables.len(), 4);
    assert!(
        tables
            .iter()
            .all(|table| table.starts_with("conversations"))
    );
}

#[test]
fn only_the_changed_conversation_has_another_revision() {
    let folder = tempfile::tempdir().unwrap();
    let path = database(folder.path());
    let before = sessions::<Kiro>(&path);
    let connection = rusqlite::Connection::open(&path).unwrap();
    let change =
        "UPDATE conversations_v2 SET updated_at = updated_at + 5 WHERE conversation_id = ?1";
    connection.execute(change, [SAVED]).unwrap();
    drop(connection);
    for after in sessions::<Kiro>(&path) {
        let known = before
            .iter()
            .find(|session| session.id == after.id)
            .unwrap();
        assert_eq!(
            known.revision != after.revision,
            after.id == SAVED,
            "{}",
            after.id
        );
    }
}

#[test]
fn databases_of_others_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let table = [
        "CREATE TABLE conversations (id TEXT, title TEXT)",
        "CREATE TABLE ItemTable (key TEXT, value BLOB)",
        "CREATE TABLE blobs (id TEXT, data BLOB); CREATE TABLE meta (key TEXT, value TEXT)",
    ];
    for (number, schema) in table.iter().enumerate() {
        let path = folder.path().join(format!("{number}.db"));
        let connection = rusqlite::Connection::open(&path).unwrap();
        connection.execute_batch(schema).unwrap();
        drop(connection);
        assert!(sessions::<Kiro>(&path).is_empty(), "{schema}");
    }
}
