//! Databases with a rollback journal: an unfinished transaction is rolled back in the copy, and the program's files
//! stay unchanged.

use acreta_foreign_sqlite::DatabaseLimits;
use camino::Utf8PathBuf;
use rusqlite::Connection;

use crate::support::{TestProgram, in_place, number, write};

/// Creates a program that has changed every row of its database and written part of that to the main file, but has not
/// committed. The connection keeps the transaction open.
fn in_transaction() -> (TestProgram, Connection) {
    let world = TestProgram::new();
    let writer = world.writer("delete");
    writer
        .execute_batch(
            "CREATE TABLE item (generation INTEGER, body TEXT);
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
             INSERT INTO item SELECT 0, printf('%1000d', i) FROM n;",
        )
        .unwrap();
    let before = world.listing()["state.vscdb"].0.clone();
    writer
        .execute_batch(
            "PRAGMA cache_size = 1;
             BEGIN IMMEDIATE;
             UPDATE item SET generation = 1;",
        )
        .unwrap();
    assert_ne!(world.listing()["state.vscdb"].0, before);
    (world, writer)
}

/// Like `in_transaction`, after the program was killed.
fn killed() -> TestProgram {
    let (running, _writer) = in_transaction();
    let world = TestProgram::new();
    for (name, (content, _)) in running.listing() {
        write(&world.agent().join(name), content);
    }
    world
}

fn journal(world: &TestProgram) -> Utf8PathBuf {
    world.agent().join("state.vscdb-journal")
}

#[test]
fn an_unfinished_transaction_is_undone_in_the_copy_alone() {
    let (running, writer) = in_transaction();
    for world in [&running, &killed()] {
        for limits in [DatabaseLimits::default(), in_place()] {
            let before = world.listing();
            let database = world.open_with(limits).unwrap();
            assert_eq!(number(&database, "SELECT max(generation) FROM item"), 0);
            assert_eq!(number(&database, "SELECT count(*) FROM item"), 500);
            drop(database);
            assert_eq!(world.listing(), before);
            assert_eq!(world.left_over(), Vec::<String>::new());
        }
    }
    writer.execute_batch("COMMIT").unwrap();
    let database = running.open().unwrap();
    assert_eq!(number(&database, "SELECT min(generation) FROM item"), 1);
}

#[test]
fn a_journal_that_is_over_is_passed_by() {
    for mode in ["persist", "truncate"] {
        let world = TestProgram::new();
        let writer = world.writer(mode);
        writer
            .execute_batch("CREATE TABLE item (id); INSERT INTO item VALUES (1);")
            .unwrap();
        assert!(journal(&world).exists());
        for limits in [DatabaseLimits::default(), in_place()] {
            let database = world.open_with(limits).unwrap();
            assert_eq!(number(&database, "SELECT id FROM item"), 1, "{mode}");
        }
    }
}

#[test]
fn a_journal_that_names_another_file_is_not_followed() {
    let world = killed();
    let victim = world.agent().join("other.db-mj012345678");
    write(&victim, "of no concern to us");

    // Ends the journal like that of a transaction over several databases.
    let name = victim.as_str().as_bytes();
    let checksum: u32 = name.iter().map(|byte| u32::from(*byte)).sum();
    let mut content = std::fs::read(journal(&world)).unwrap();
    let magic = content[..8].to_vec();
    content.extend(0x4000_0000_u32.to_be_bytes());
    content.extend(name);
    content.extend(u32::try_from(name.len()).unwrap().to_be_bytes());
    content.extend(checksum.to_be_bytes());
    content.extend(magic);
    write(&journal(&world), content);

    let before = world.listing();
    let error = world.open().unwrap_err();
    assert_eq!((error.code(), error.is_retryable()), ("busy", true));
    assert!(error.to_string().contains("several databases"), "{error}");
    assert_eq!(world.listing(), before);
}

#[test]
fn a_journal_cannot_make_the_copy_grow_beyond_what_may_be_copied() {
    let world = killed();
    let mut content = std::fs::read(journal(&world)).unwrap();
    content[16..20].copy_from_slice(&u32::MAX.to_be_bytes());
    write(&journal(&world), content);
    assert_eq!(world.open().unwrap_err().code(), "too-large");
}

#[test]
fn damage_to_a_journal_is_found_or_harmless() {
    let world = killed();
    let whole = std::fs::read(journal(&world)).unwrap();
    for at in (0..whole.len()).step_by(whole.len() / 25) {
        for cut in [false, true] {
            let mut content = whole.clone();
            if cut {
                content.truncate(at);
            } else {
                content[at] ^= 0xff;
            }
            write(&journal(&world), &content);
            // Either result is valid, as long as there is one.
            match world.open() {
                Ok(database) => {
                    let _ = database.query("SELECT count(*) FROM item", &[]);
                }
                Err(error) => assert!(
                    ["corrupt", "not-a-database", "too-large"].contains(&error.code()),
                    "byte {at}: {error:?}"
                ),
            }
        }
    }
    assert_eq!(world.left_over(), Vec::<String>::new());
}
