//! Properties of a thread before it is read, and compressed threads.

use acreta_sdk::adapter::Adapter;
use acreta_sdk::adapter::testing::{ReadResult, START, read, sessions};
use adapter_zed::Zed;

use crate::database;

/// Compresses every thread, as Zed does.
fn compress(path: &std::path::Path) {
    let connection = rusqlite::Connection::open(path).unwrap();
    let rows: Vec<(String, String)> = connection
        .prepare("SELECT id, data FROM threads")
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    for (id, data) in rows {
        let data = zstd::encode_all(data.as_bytes(), 3).unwrap();
        let sql = "UPDATE threads SET data_type = 'zstd', data = ?1 WHERE id = ?2";
        connection
            .execute(sql, rusqlite::params![data, id])
            .unwrap();
    }
}

#[test]
fn a_thread_says_where_and_when_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let found = sessions::<Zed>(&database(folder.path()));
    let table = [
        (
            "/home/mira/kelp-log",
            Some(1_780_819_200_000),
            Some(1_780_819_260_000),
        ),
        ("/home/mira/old-map", None, Some(1_746_086_400_000)),
        (
            "/home/mira/kelp-log",
            Some(1_780_819_220_000),
            Some(1_780_819_230_000),
        ),
    ];
    for (session, (directory, started, updated)) in found.iter().zip(table) {
        assert_eq!(session.project_dir.as_deref(), Some(directory));
        assert_eq!((session.started_ms, session.updated_ms), (started, updated));
    }
    assert_eq!(found[2].parent.as_deref(), Some(&*found[0].id));
}

#[test]
fn compressed_threads_tell_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = database(folder.path());
    let all = |path: &std::path::Path| -> Vec<_> {
        let found = sessions::<Zed>(path);
        let told = found
            .iter()
            .map(|session| read::<Zed>(session, &START).0.events);
        told.collect()
    };
    let plain = all(&path);
    let before = sessions::<Zed>(&path);
    compress(&path);
    assert_eq!(format!("{:?}", all(&path)), format!("{plain:?}"));
    assert_ne!(sessions::<Zed>(&path)[0].revision, before[0].revision);
}

#[test]
fn a_damaged_thread_costs_itself() {
    let folder = tempfile::tempdir().unwrap();
    let path = database(folder.path());
    compress(&path);
    let connection = rusqlite::Connection::open(&path).unwrap();
    let sql = "UPDATE threads SET data = substr(data, 1, 40) WHERE id LIKE '%a'";
    connection.execute_batch(sql).unwrap();
    let found = sessions::<Zed>(&path);
    assert_eq!(found.len(), 3);
    let failed = Zed::read(&found[0], &START, &mut ReadResult::default());
    assert_eq!(failed.unwrap_err().code, "unreadable");
    assert!(!read::<Zed>(&found[1], &START).0.events.is_empty());
}
