//! The sessions that are Kilo's and those that are OpenCode's, and their common form.

use acreta_sdk::adapter::testing::{START, only_session, read, sessions};
use adapter_kilo::Kilo;
use adapter_opencode::OpenCode;

use crate::{database, fixture};

const TASK: &str = "vscode/kilo-vscode/tasks/1767700000000/api_conversation_history.json";

#[test]
fn a_database_is_told_from_opencodes_by_its_tables_or_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("renamed.db");
    std::fs::copy(database(folder.path()), &own).unwrap();
    assert_eq!(sessions::<Kilo>(&own).len(), 1);
    assert!(sessions::<OpenCode>(&own).is_empty());

    // Before Kilo had its own tables.
    for (name, is_kilo) in [
        ("kilo.db", true),
        ("kilo-beta.db", true),
        ("other.db", false),
    ] {
        let path = folder.path().join("old").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::copy(&own, &path).unwrap();
        let connection = rusqlite::Connection::open(&path).unwrap();
        connection.execute_batch("DROP TABLE kilo_board").unwrap();
        assert_eq!(!sessions::<Kilo>(&path).is_empty(), is_kilo, "{name}");
        assert_eq!(sessions::<OpenCode>(&path).is_empty(), is_kilo, "{name}");
    }
}

#[test]
fn sessions_are_kilos_and_say_where_they_were() {
    let folder = tempfile::tempdir().unwrap();
    for path in [database(folder.path()), fixture(TASK)] {
        let session = only_session::<Kilo>(&path);
        assert_eq!(session.agent, "kilo");
        assert_eq!(session.project_dir.as_deref(), Some("/home/mira/kelp-log"));
    }
}

#[test]
fn tasks_of_the_editor_are_read_as_clines() {
    let (told, _) = read::<Kilo>(&only_session::<Kilo>(&fixture(TASK)), &START);
    let own: Vec<_> = told
        .texts()
        .into_iter()
        .filter(|it| it.0 == "user" && it.1 == "text")
        .collect();
    assert_eq!(
        own,
        [
            ("user", "text", "Log the speed in knots"),
            ("user", "text", "Use fathoms nowhere, charts are metric."),
        ]
    );
    assert_eq!(told.by_role(), [9, 7, 3, 0]);
}

#[test]
fn credentials_are_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let session = only_session::<Kilo>(&database(folder.path()));
    let (told, _) = read::<Kilo>(&session, &START);
    assert!(!format!("{session:?} {told:?}").contains("never-read-me"));
}
