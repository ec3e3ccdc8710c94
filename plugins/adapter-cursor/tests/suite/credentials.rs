//! The editor's databases hold credentials under other keys, which must never be read.

use std::path::Path;

use acreta_sdk::adapter::testing::{START, assert_same, files, read, sessions};
use adapter_cursor::CursorAgent;
use rusqlite::Connection;

use crate::Home;

/// The keys that may be read: composers and the bubbles of the two that have any.
const PAIRS: &str = "key GLOB 'composerData:*'
    OR key GLOB 'bubbleId:a0c1d2e3-5f60-4718-9a2b-3c4d5e6f7081:*'
    OR key GLOB 'bubbleId:b7e6d5c4-1a2b-4c3d-8e9f-0a1b2c3d4e5f:*'";
const ITEMS: &str = "key IN ('composer.composerData', 'aiService.prompts',
    'workbench.panel.aichat.view.aichat.chatdata')";

/// Makes a table fail when a value under another key is read.
fn guard(path: &Path, table: &str, keys: &str) {
    let connection = Connection::open(path).unwrap();
    let script = format!(
        "ALTER TABLE {table} RENAME TO Hidden{table};
         CREATE VIEW {table} AS SELECT key, CASE WHEN {keys} THEN value
             ELSE json_extract('forbidden', '$') END AS value FROM Hidden{table};"
    );
    connection.execute_batch(&script).unwrap();
}

#[test]
fn a_value_under_another_key_is_never_read() {
    let (plain, guarded) = (Home::new(), Home::new());
    guard(&guarded.global(), "cursorDiskKV", PAIRS);
    guard(&guarded.global(), "ItemTable", ITEMS);
    for name in ["1a2b", "3c4d", "5e6f"] {
        guard(&guarded.workspace(name), "ItemTable", ITEMS);
    }
    // The guard works: reading everything fails.
    let connection = Connection::open(guarded.global()).unwrap();
    let all = connection.query_row("SELECT max(value) FROM ItemTable", [], |_| Ok(()));
    assert!(all.is_err());
    drop(connection);

    let pairs = [(plain.global(), guarded.global())].into_iter().chain(
        ["1a2b", "3c4d", "5e6f"].map(|name| (plain.workspace(name), guarded.workspace(name))),
    );
    for (plain, guarded) in pairs {
        let found = sessions::<CursorAgent>(&guarded);
        assert_eq!(
            found.len(),
            sessions::<CursorAgent>(&plain).len(),
            "{guarded:?}"
        );
        for session in found {
            let told = read::<CursorAgent>(&session, &START).0;
            let mut same = session.clone();
            same.path = plain.to_string_lossy().into_owned();
            let expected = read::<CursorAgent>(&same, &START).0;
            assert_same(&told.events, &expected.events, &session.id);
        }
    }
}

#[test]
fn listing_reads_no_bubble() {
    let home = Home::new();
    guard(&home.global(), "cursorDiskKV", "key GLOB 'composerData:*'");
    assert_eq!(sessions::<CursorAgent>(&home.global()).len(), 5);
}

#[test]
fn what_is_told_holds_no_credential() {
    let home = Home::new();
    let mut planted = 0;
    for path in files(home.path()) {
        let bytes = std::fs::read(&path).unwrap();
        planted += usize::from(bytes.windows(18).any(|part| part == b"planted-credential"));
        for session in sessions::<CursorAgent>(&path) {
            let told = read::<CursorAgent>(&session, &START).0;
            let all = format!("{session:?} {told:?}");
            assert!(!all.contains("planted-credential"), "{path:?}");
        }
    }
    assert_eq!(planted, 4);
}

#[test]
fn every_statement_stands_where_it_is_guarded() {
    let sources = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    for path in sources {
        let source = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        let may_ask = ["vault.rs", "store.rs"].contains(&name);
        assert!(
            may_ask || !source.contains("SELECT "),
            "{name} asks a database"
        );
        let names_table = source.contains("cursorDiskKV") || source.contains("ItemTable");
        assert!(name == "vault.rs" || !names_table, "{name} names a table");
    }
}
