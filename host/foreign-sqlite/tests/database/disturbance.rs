//! Files that change while they are copied: the result is one state or an error, never a mix.

use std::io;

use acreta_foreign_sqlite::{Database, DatabaseLimits};
use rusqlite::Connection;

use crate::support::{Meanwhile, TestProgram, number, rows};

/// Every row has the generation of the last commit, on pages throughout three megabytes, so that a mix of two states is
/// noticed.
const CONTENT: &str = "
    CREATE TABLE item (generation INTEGER, body TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
    INSERT INTO item SELECT 0, printf('%3000d', i) FROM n;";

fn commit(writer: &Connection) {
    writer
        .execute_batch("UPDATE item SET generation = generation + 1")
        .unwrap();
}

fn checkpoint(writer: &Connection, mode: &str) {
    let busy: i64 = writer
        .query_row(&format!("PRAGMA wal_checkpoint({mode})"), [], |row| {
            row.get(0)
        })
        .unwrap();
    assert!(busy == 0 || mode == "PASSIVE");
}

/// Opens the database while `act` runs before each piece that is copied of its main file; `act` gets the number of
/// earlier pieces. Returns the generation that was read and the number of attempts.
fn opened_during(
    world: &TestProgram,
    mut act: impl FnMut(usize) + Send + 'static,
) -> (Result<i64, &'static str>, usize) {
    let mut pieces = 0;
    let meanwhile = Meanwhile::new(move |operation| {
        if operation.path.as_str().ends_with("main.db") && !operation.bytes.is_empty() {
            act(pieces);
            pieces += 1;
        }
        Ok(())
    });
    let scratch = world.scratch(meanwhile.clone());
    let opened = Database::open(&world.path(), &scratch, DatabaseLimits::default());
    let generation = opened.map_err(|error| error.code()).map(|database| {
        assert_eq!(number(&database, "SELECT count(*) FROM item"), 1000);
        let lowest = number(&database, "SELECT min(generation) FROM item");
        assert_eq!(
            number(&database, "SELECT max(generation) FROM item"),
            lowest
        );
        lowest
    });
    assert_eq!(world.left_over(), Vec::<String>::new());
    (generation, meanwhile.attempts())
}

fn world_with(journal_mode: &str) -> (TestProgram, Connection) {
    let world = TestProgram::new();
    let writer = world.writer(journal_mode);
    writer
        .execute_batch("PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = OFF;")
        .unwrap();
    writer.execute_batch(CONTENT).unwrap();
    (world, writer)
}

#[test]
fn commits_to_the_log_do_no_harm() {
    let (world, writer) = world_with("wal");
    checkpoint(&writer, "TRUNCATE");
    commit(&writer);
    let (generation, attempts) = opened_during(&world, move |_| commit(&writer));
    // Three pieces and a bit, a commit before each, all of them in the log when it was copied.
    assert_eq!((generation, attempts), (Ok(5), 1));
}

#[test]
fn checkpoints_do_no_harm_as_long_as_the_log_goes_on() {
    let (world, writer) = world_with("wal");
    checkpoint(&writer, "TRUNCATE");
    commit(&writer);
    // While the log has a reader, it does not start over.
    let path = world.path();
    let read = move || {
        let reader = Connection::open(&path).unwrap();
        reader
            .execute_batch("BEGIN; SELECT count(*) FROM item;")
            .unwrap();
        reader
    };
    let mut reader = read();
    let before = world.listing()["state.vscdb"].0.clone();
    let (generation, attempts) = opened_during(&world, move |_| {
        commit(&writer);
        drop(std::mem::replace(&mut reader, read()));
        checkpoint(&writer, "PASSIVE");
    });
    assert_eq!((generation, attempts), (Ok(5), 1));
    assert_ne!(world.listing()["state.vscdb"].0, before);
}

#[test]
fn a_log_that_starts_over_is_read_again() {
    let start_over = |writer: &Connection| {
        commit(writer);
        checkpoint(writer, "TRUNCATE");
        commit(writer);
    };
    let cases: [(&str, usize, Result<i64, &str>, usize); 3] = [
        ("once", 1, Ok(3), 2),
        ("twice", 5, Ok(11), 3),
        ("always", usize::MAX, Err("busy"), 3),
    ];
    for (name, times, expected, expected_attempts) in cases {
        let (world, writer) = world_with("wal");
        checkpoint(&writer, "TRUNCATE");
        commit(&writer);
        let (generation, attempts) = opened_during(&world, move |pieces| {
            if pieces < times {
                start_over(&writer);
            }
        });
        assert_eq!(
            (generation, attempts),
            (expected, expected_attempts),
            "{name}"
        );
    }
}

#[test]
fn a_log_that_comes_or_goes_is_read_again() {
    // The log appears: the first commit after the database was closed.
    let (world, writer) = world_with("wal");
    drop(writer);
    let path = world.path();
    let mut writer = None;
    let (generation, attempts) = opened_during(&world, move |pieces| {
        if pieces == 1 {
            commit(writer.insert(Connection::open(&path).unwrap()));
        }
    });
    assert_eq!((generation, attempts), (Ok(1), 2));

    // The log disappears: the program closes its database.
    let (world, writer) = world_with("wal");
    checkpoint(&writer, "TRUNCATE");
    commit(&writer);
    let mut writer = Some(writer);
    let (generation, attempts) = opened_during(&world, move |pieces| {
        if pieces == 1 {
            drop(writer.take());
        }
    });
    assert_eq!((generation, attempts), (Ok(1), 2));
    assert!(!world.listing().contains_key("state.vscdb-wal"));
}

#[test]
fn a_main_file_that_changes_is_read_again() {
    let cases = [
        ("once", 1, Ok(1), 2),
        ("always", usize::MAX, Err("busy"), 3),
    ];
    for (name, times, expected, expected_attempts) in cases {
        let (world, writer) = world_with("delete");
        let (generation, attempts) = opened_during(&world, move |pieces| {
            if pieces < times {
                commit(&writer);
            }
        });
        assert_eq!(
            (generation, attempts),
            (expected, expected_attempts),
            "{name}"
        );
    }
}

#[test]
fn a_disk_that_is_full_leaves_nothing_behind() {
    let (world, _writer) = world_with("wal");
    let meanwhile = Meanwhile::new(|operation| {
        if operation.path.as_str().ends_with("-wal") {
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(())
    });
    let scratch = world.scratch(meanwhile.clone());
    let error = Database::open(&world.path(), &scratch, DatabaseLimits::default()).unwrap_err();
    assert_eq!((error.code(), error.is_retryable()), ("io", false));
    assert!(error.to_string().contains("no space left"), "{error}");
    assert_eq!(meanwhile.attempts(), 1);
    assert_eq!(world.left_over(), Vec::<String>::new());
    assert_eq!(rows(&world.open().unwrap(), "SELECT 1").unwrap().len(), 1);
}
