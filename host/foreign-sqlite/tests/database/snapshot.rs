//! Reading a database that is being written, without its program noticing.

use std::time::{Duration, Instant};

#[cfg(unix)]
use acreta_foreign_sqlite::Database;
use acreta_foreign_sqlite::{DatabaseLimits, SnapshotKind};
#[cfg(unix)]
use acreta_fs::NoFaults;

use crate::support::{MIB, TestProgram, in_place, is_linked, number};

/// Creates a database with one row in the main file and one in the log, and its open writer.
fn with_log() -> (TestProgram, rusqlite::Connection) {
    let world = TestProgram::new();
    let writer = world.writer("wal");
    writer
        .execute_batch(
            "CREATE TABLE item (id INTEGER PRIMARY KEY, body TEXT);
             INSERT INTO item (body) VALUES ('in the main file');
             PRAGMA wal_checkpoint(TRUNCATE);
             INSERT INTO item (body) VALUES ('in the log');",
        )
        .unwrap();
    (world, writer)
}

#[test]
fn committed_rows_of_the_log_are_seen_and_others_are_not_and_nothing_is_touched() {
    for limits in [DatabaseLimits::default(), in_place()] {
        let (world, writer) = with_log();
        // So many rows that the transaction is in the log already, only not committed.
        let log_before = world.listing()["state.vscdb-wal"].0.len();
        writer
            .execute_batch(
                "PRAGMA cache_size = 1;
                 BEGIN IMMEDIATE;
                 WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
                 INSERT INTO item (body) SELECT printf('%1000d', i) FROM n;",
            )
            .unwrap();
        let before = world.listing();
        assert!(before["state.vscdb-wal"].0.len() > log_before + 100_000);

        let database = world.open_with(limits).unwrap();
        assert_eq!(number(&database, "SELECT count(*) FROM item"), 2);
        assert_eq!(
            number(
                &database,
                "SELECT count(*) FROM item WHERE body = 'in the log'"
            ),
            1
        );
        assert_eq!(world.listing(), before);

        // The program continues; the snapshot stays.
        writer.execute_batch("COMMIT").unwrap();
        assert_eq!(number(&database, "SELECT count(*) FROM item"), 2);
        drop(database);
        assert_eq!(
            number(&world.open().unwrap(), "SELECT count(*) FROM item"),
            502
        );
        assert_eq!(world.left_over(), Vec::<String>::new());
    }
}

#[test]
fn the_writer_finds_no_lock() {
    for limits in [DatabaseLimits::default(), in_place()] {
        let (world, writer) = with_log();
        let database = world.open_with(limits).unwrap();
        let mut rows = database.query("SELECT * FROM item", &[]).unwrap();
        assert_eq!(rows.next(1, 1_000).unwrap().len(), 1);

        writer
            .execute_batch("INSERT INTO item (body) VALUES ('during')")
            .unwrap();
        let busy: i64 = writer
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))
            .unwrap();
        assert_eq!(busy, 0);
        // Both need exclusive access to the database.
        let mode: String = writer
            .query_row("PRAGMA journal_mode = delete", [], |row| row.get(0))
            .unwrap();
        assert_eq!(mode, "delete");
        writer.execute_batch("VACUUM").unwrap();
        drop(rows);
        drop(database);
        writer
            .execute_batch("INSERT INTO item (body) VALUES ('after')")
            .unwrap();
        assert_eq!(
            number(&world.open().unwrap(), "SELECT count(*) FROM item"),
            4
        );
    }
}

#[test]
fn a_database_read_in_place_is_good_until_it_changes() {
    let (world, writer) = with_log();
    let database = world.open_with(in_place()).unwrap();
    let mut rows = database.query("SELECT id FROM item", &[]).unwrap();
    assert_eq!(rows.next(1, 1_000).unwrap().len(), 1);

    // A commit goes to the program's log, which is not read here.
    writer
        .execute_batch("INSERT INTO item (body) VALUES ('later')")
        .unwrap();
    assert_eq!(number(&database, "SELECT count(*) FROM item"), 2);

    // A checkpoint goes to the main file, which is.
    writer
        .execute_batch("PRAGMA wal_checkpoint(PASSIVE)")
        .unwrap();
    let page = rows.next(1, 1_000);
    let query = database.query("SELECT 1", &[]);
    if is_linked(&database) {
        for error in [page.unwrap_err(), query.unwrap_err()] {
            assert_eq!((error.code(), error.is_retryable()), ("changed", true));
            assert!(error.hint().is_some());
        }
    } else {
        assert_eq!(page.unwrap().len(), 1);
        query.unwrap();
    }
    let again = world.open_with(in_place()).unwrap();
    assert_eq!(number(&again, "SELECT count(*) FROM item"), 3);
}

#[test]
fn a_file_whose_writes_could_go_unnoticed_is_not_read_in_place() {
    let (world, _writer) = with_log();
    let later = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(4_000_000_000);
    std::fs::File::options()
        .write(true)
        .open(world.path())
        .unwrap()
        .set_modified(later)
        .unwrap();
    match world.open_with(in_place()) {
        Err(error) => assert_eq!((error.code(), error.is_retryable()), ("busy", true)),
        Ok(database) => assert!(!is_linked(&database)),
    }
    assert_eq!(world.left_over(), Vec::<String>::new());
}

#[test]
fn no_more_is_copied_than_allowed() {
    let (world, writer) = with_log();
    let main = std::fs::metadata(world.path()).unwrap().len();
    let log = world.listing()["state.vscdb-wal"].0.len() as u64;
    let cases = [
        ("all of it", u64::MAX, main + log, None),
        (
            "one byte short of the log",
            u64::MAX,
            main + log - 1,
            Some("too-large"),
        ),
        (
            "not even the main file",
            u64::MAX,
            main - 1,
            Some("too-large"),
        ),
        ("in place, the log", 0, log, None),
        ("in place, not the log", 0, log - 1, Some("too-large")),
    ];
    for (name, small_bytes, snapshot_bytes, expected) in cases {
        let limits = DatabaseLimits {
            small_bytes,
            snapshot_bytes,
            ..DatabaseLimits::default()
        };
        let opened = world.open_with(limits);
        let code = opened.as_ref().err().map(|error| error.code());
        assert_eq!(code, expected, "{name}");
        if let Err(error) = opened {
            assert!(error.to_string().contains("state.vscdb"), "{error}");
            assert!(error.hint().is_some());
        }
    }
    assert_eq!(world.left_over(), Vec::<String>::new());
    drop(writer);
}

#[cfg(unix)]
#[test]
fn a_copy_is_private_and_goes_away() {
    use std::os::unix::fs::PermissionsExt;

    let (world, _writer) = with_log();
    let database = world.open().unwrap();
    let [folder] = world.left_over().try_into().unwrap();
    let folder = world.scratch(NoFaults::shared()).path().join(folder);
    let mode = |path: &camino::Utf8Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    let mut files = 0;
    for entry in folder.read_dir_utf8().unwrap() {
        assert_eq!(mode(entry.unwrap().path()), 0o600);
        files += 1;
    }
    assert_eq!(files, 2);

    // Rows keep it alive, and dropping the last handle removes it.
    let mut rows = database.query("SELECT id FROM item", &[]).unwrap();
    drop(database);
    assert_eq!(rows.next(10, 1_000).unwrap().len(), 2);
    drop(rows);
    assert_eq!(world.left_over(), Vec::<String>::new());
}

#[cfg(unix)]
#[test]
fn only_regular_files_are_opened() {
    use std::os::unix::fs::symlink;

    let (world, _writer) = with_log();
    let agent = world.agent();
    symlink("state.vscdb", agent.join("link.db")).unwrap();
    std::fs::create_dir(agent.join("folder.db")).unwrap();
    std::fs::copy(world.path(), agent.join("linked-log.db")).unwrap();
    symlink("state.vscdb-wal", agent.join("linked-log.db-wal")).unwrap();
    let made = std::process::Command::new("mkfifo")
        .arg(agent.join("pipe.db").as_std_path())
        .status();
    assert!(made.unwrap().success());
    for name in [
        "link.db",
        "folder.db",
        "linked-log.db",
        "pipe.db",
        "missing.db",
    ] {
        for limits in [DatabaseLimits::default(), in_place()] {
            let scratch = world.scratch(NoFaults::shared());
            let error = Database::open(&agent.join(name), &scratch, limits).unwrap_err();
            assert_eq!(error.code(), "io", "{name}");
            assert!(error.to_string().contains(name), "{error}");
        }
    }
    assert_eq!(world.left_over(), Vec::<String>::new());
}

#[test]
fn a_large_database_opens() {
    let world = TestProgram::new();
    world.make(
        "CREATE TABLE item (id INTEGER PRIMARY KEY, body BLOB);
         PRAGMA journal_mode = OFF;
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
         INSERT INTO item SELECT i, zeroblob(1048576) FROM n;",
    );
    let writer = world.writer("wal");
    writer
        .execute_batch("INSERT INTO item (body) VALUES ('in the log')")
        .unwrap();
    let bytes = std::fs::metadata(world.path()).unwrap().len();
    assert!(bytes > 200 * MIB);
    for (limits, copied) in [(DatabaseLimits::default(), true), (in_place(), false)] {
        let started = Instant::now();
        let database = world.open_with(limits).unwrap();
        assert_eq!(number(&database, "SELECT max(id) FROM item"), 201);
        println!(
            "{:?}: {:?} for {bytes} bytes",
            database.snapshot(),
            started.elapsed()
        );
        assert_eq!(database.snapshot() == SnapshotKind::Copied, copied);
    }
}
