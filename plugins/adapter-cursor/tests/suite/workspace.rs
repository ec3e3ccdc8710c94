//! The editor's database per folder: conversations of 2024, and leftovers of later versions.

use acreta_sdk::adapter::testing::{put, sessions};
use adapter_cursor::CursorAgent;

use crate::{Home, attributes, check, session, session_of};

#[test]
fn conversations_of_2024_stand_in_the_items() {
    let home = Home::new();
    let path = home.workspace("1a2b");
    let found = sessions::<CursorAgent>(&path);
    let told: Vec<_> = found
        .iter()
        .map(|session| (&*session.id, session.updated_ms, attributes(session)))
        .collect();
    assert_eq!(
        told,
        [
            (
                "2024-composer-1",
                Some(1_727_000_000_000),
                "title=Currency".to_owned()
            ),
            (
                "2024-composer-2",
                Some(1_727_000_500_000),
                "empty=true".to_owned()
            ),
            ("tab-1", Some(1_727_100_000_000), "title=Regex".to_owned()),
        ]
    );
    for session in &found {
        assert_eq!(session.project_dir.as_deref(), Some("/home/mira/old shop"));
    }
    check(
        &found[0],
        r##"
w-1 user/text "show prices with two decimals"
w-2 assistant/text "Prices have two decimals now."
w-3 user/text "never round them before the total"
"##,
        &[],
    );
    check(&found[1], "", &[]);
    check(
        &found[2],
        r##"
t-1 user/text "a regex for iso dates?"
t-2 assistant/text "\\d{4}-\\d{2}-\\d{2}" model=gpt-4o
"##,
        &[],
    );
}

#[test]
fn what_stands_in_the_database_for_all_folders_is_not_told_twice() {
    let home = Home::new();
    assert!(sessions::<CursorAgent>(&home.workspace("3c4d")).is_empty());
}

#[test]
fn prompts_are_told_where_no_conversation_is_left() {
    let home = Home::new();
    let session = session(&home.workspace("5e6f"));
    assert_eq!(session.project_dir, None);
    check(
        &session,
        r##"
prompts-bfd2b67fbfe9b081:0 user/text "use named exports only"
prompts-bfd2b67fbfe9b081:2 user/text "and no default exports"
"##,
        &[],
    );
}

#[test]
fn each_conversation_has_its_own_revision() {
    let home = Home::new();
    let path = home.workspace("1a2b");
    let before = sessions::<CursorAgent>(&path);
    let connection = rusqlite::Connection::open(&path).unwrap();
    let change = "UPDATE ItemTable SET value = replace(value, 'two decimals now', 'three')
                  WHERE key = 'composer.composerData'";
    connection.execute(change, []).unwrap();
    drop(connection);
    for known in &before {
        let after = session_of(&path, &known.id);
        let is_changed = known.id == "2024-composer-1";
        assert_eq!(known.revision != after.revision, is_changed, "{}", known.id);
    }
}

#[test]
fn a_folder_that_cannot_be_read_costs_no_conversation() {
    let home = Home::new();
    let whole = sessions::<CursorAgent>(&home.global()).len();
    put(
        &home.workspace("3c4d"),
        b"SQLite format 3\0 and then nothing",
    );
    put(
        &home.workspace("1a2b").with_file_name("workspace.json"),
        "{",
    );
    let found = sessions::<CursorAgent>(&home.global());
    assert_eq!(found.len(), whole);
    let inline = session_of(&home.global(), "c3b2a190-7d6e-4f5a-b4c3-d2e1f0a9b8c7");
    assert_eq!(inline.project_dir, None);
}

#[test]
fn the_state_of_another_editor_holds_no_sessions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.vscdb");
    let connection = rusqlite::Connection::open(&path).unwrap();
    let script = "CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
                  INSERT INTO ItemTable VALUES ('workbench.theme', 'dark');
                  INSERT INTO ItemTable VALUES ('composer.composerData', NULL);
                  INSERT INTO ItemTable VALUES ('aiService.prompts', 'not json');";
    connection.execute_batch(script).unwrap();
    drop(connection);
    assert!(sessions::<CursorAgent>(&path).is_empty());
}
