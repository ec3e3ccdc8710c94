//! The sessions that are Crush's, and detection of every change.

use acreta_sdk::adapter::testing::sessions;
use adapter_crush::Crush;
use adapter_opencode::OpenCode;

use crate::{database, fixture};

#[test]
fn a_database_is_told_from_opencodes_by_its_columns() {
    let folder = tempfile::tempdir().unwrap();
    let own = database(folder.path());
    let found = sessions::<Crush>(&own);
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|session| session.agent == "crush"));
    assert!(sessions::<OpenCode>(&own).is_empty());

    let other = folder.path().join("opencode.db");
    let sql = fixture("../opencode/go.sql");
    acreta_sdk::adapter::testing::database(&sql, &other);
    assert!(sessions::<Crush>(&other).is_empty());
    assert!(!sessions::<OpenCode>(&other).is_empty());
}

#[test]
fn a_reply_that_grows_within_a_second_gives_another_revision() {
    let folder = tempfile::tempdir().unwrap();
    let path = database(folder.path());
    let before = sessions::<Crush>(&path);
    let connection = rusqlite::Connection::open(&path).unwrap();
    let sql = "UPDATE messages SET parts = replace(parts, 'chart.', 'chart and by size.')";
    connection.execute_batch(sql).unwrap();
    let after = sessions::<Crush>(&path);
    assert_ne!(after[0].revision, before[0].revision);
    assert_eq!(after[1].revision, before[1].revision);
}
