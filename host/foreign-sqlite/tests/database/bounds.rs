//! Queries that would not end, or not fit, are stopped by a limit. The error names it.

use std::time::Duration;

use acreta_foreign_sqlite::{Database, DatabaseError, DatabaseLimits, Value};

use crate::support::{TestProgram, number, rows, write};

const ENDLESS: &str = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n)
                       SELECT count(*) FROM n";

fn opened(limits: DatabaseLimits) -> (TestProgram, Database) {
    let world = TestProgram::new();
    world.make(
        "CREATE TABLE item (id INTEGER PRIMARY KEY, body TEXT);
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
         INSERT INTO item SELECT i, printf('%92d', i) FROM n;",
    );
    let database = world.open_with(limits).unwrap();
    (world, database)
}

fn assert_over(error: &DatabaseError, what: &str) {
    assert_eq!(
        (error.code(), error.is_retryable()),
        ("limit", false),
        "{error:?}"
    );
    assert!(error.to_string().contains(what), "{error}");
}

#[test]
fn an_endless_query_runs_out_of_steps() {
    let (_world, database) = opened(DatabaseLimits {
        steps: 100_000,
        ..DatabaseLimits::default()
    });
    let mut other = database.query("SELECT id FROM item", &[]).unwrap();
    assert_eq!(other.next(1, 100).unwrap(), [[Value::Integer(1)]]);

    let mut endless = database.query(ENDLESS, &[]).unwrap();
    assert_over(
        &endless.next(1, 100).unwrap_err(),
        "100000 steps in one call",
    );
    assert_eq!(endless.next(1, 100).unwrap_err().code(), "ended");

    // Every call has its own steps, and other results continue.
    assert_eq!(other.next(1, 100).unwrap(), [[Value::Integer(2)]]);
    assert_eq!(number(&database, "SELECT count(*) FROM item"), 100);
}

#[test]
fn an_endless_query_runs_out_of_time() {
    let (_world, database) = opened(DatabaseLimits {
        steps: u64::MAX,
        call_time: Duration::from_secs(2),
        ..DatabaseLimits::default()
    });
    let mut other = database.query("SELECT id FROM item", &[]).unwrap();
    other.next(1, 100).unwrap();

    let mut endless = database.query(ENDLESS, &[]).unwrap();
    assert_over(&endless.next(1, 100).unwrap_err(), "longer than 2s");
    for ended in [&mut endless, &mut other] {
        assert_eq!(ended.next(1, 100).unwrap_err().code(), "ended");
    }
    assert_eq!(number(&database, "SELECT max(id) FROM item"), 100);
}

/// A table whose pages refer to each other so that there are 71 to the power of 13 paths to a row. SQLite counts rows
/// in a single step, so that only the clock can stop it.
#[test]
fn a_tree_that_multiplies_runs_out_of_time() {
    const PAGE: usize = 512;
    const LEVELS: usize = 14;
    let world = TestProgram::new();
    world.make(
        "PRAGMA page_size = 512;
         CREATE TABLE item (body);
         INSERT INTO item VALUES (zeroblob(10000));",
    );
    let mut content = std::fs::read(world.path()).unwrap();
    for level in 0..LEVELS {
        let child = u32::try_from(level + 3).unwrap();
        let page = &mut content[(level + 1) * PAGE..(level + 2) * PAGE];
        page.fill(0);
        if level + 1 == LEVELS {
            // A leaf with one row, which holds NULL.
            page[..8].copy_from_slice(&[0x0d, 0, 0, 0, 1, 0x01, 0xfc, 0]);
            page[8..10].copy_from_slice(&508_u16.to_be_bytes());
            page[508..].copy_from_slice(&[2, 1, 2, 0]);
            continue;
        }
        let cells: u16 = 71;
        let start = PAGE - usize::from(cells) * 5;
        page[0] = 0x05;
        page[3..5].copy_from_slice(&cells.to_be_bytes());
        page[5..7].copy_from_slice(&u16::try_from(start).unwrap().to_be_bytes());
        page[8..12].copy_from_slice(&child.to_be_bytes());
        for cell in 0..usize::from(cells) {
            let at = start + cell * 5;
            page[12 + 2 * cell..14 + 2 * cell]
                .copy_from_slice(&u16::try_from(at).unwrap().to_be_bytes());
            page[at..at + 4].copy_from_slice(&child.to_be_bytes());
            page[at + 4] = u8::try_from(cell).unwrap();
        }
    }
    write(&world.path(), content);

    let database = world
        .open_with(DatabaseLimits {
            call_time: Duration::from_millis(100),
            ..DatabaseLimits::default()
        })
        .unwrap();
    let error = rows(&database, "SELECT count(*) FROM item").unwrap_err();
    assert_over(&error, "longer than 100ms");
    let error = rows(&database, "SELECT sum(length(body)) FROM item").unwrap_err();
    assert_over(&error, "longer than 100ms");
}

#[test]
fn rows_and_bytes_are_counted_over_the_whole_life() {
    // Each row counts 32 bytes for its id, and 32 and 92 for its text.
    let sql = "SELECT id, body FROM item";
    let cases = [
        ("rows", u64::MAX, 50, "50 rows"),
        ("bytes", 50 * 156 + 155, u64::MAX, "7955 bytes"),
    ];
    for (name, bytes, row_count, what) in cases {
        let (_world, database) = opened(DatabaseLimits {
            rows: row_count,
            bytes,
            ..DatabaseLimits::default()
        });
        let mut first = database.query(sql, &[]).unwrap();
        assert_eq!(first.next(20, u32::MAX).unwrap().len(), 20, "{name}");
        let mut second = database.query(sql, &[]).unwrap();
        assert_eq!(second.next(100, u32::MAX).unwrap().len(), 30, "{name}");
        assert_over(&second.next(1, u32::MAX).unwrap_err(), what);
        assert_over(&first.next(1, u32::MAX).unwrap_err(), what);
    }
}

#[test]
fn values_and_rows_have_a_largest_size() {
    let (_world, database) = opened(DatabaseLimits {
        value_bytes: 10_000,
        ..DatabaseLimits::default()
    });
    let fits = "SELECT length(printf('%9000d', 1))";
    assert_eq!(number(&database, fits), 9_000);
    let cases = [
        ("SELECT printf('%20000d', 1)", "10000 bytes in one value"),
        (
            "SELECT group_concat(printf('%5000d', id)) FROM item",
            "10000 bytes in one value",
        ),
        (
            "SELECT printf('%6000d', 1), printf('%6000d', 1)",
            "10000 bytes in one row",
        ),
    ];
    for (sql, what) in cases {
        assert_over(&rows(&database, sql).unwrap_err(), what);
    }
    let error = database
        .query("SELECT ?", &[Value::Blob(vec![0; 20_000])])
        .unwrap_err();
    assert_over(&error, "10000 bytes in one value");
}

#[test]
fn a_query_cannot_take_all_memory() {
    let (_world, database) = opened(DatabaseLimits::default());
    // A thousand columns of thirty megabytes each, and a sort of as much.
    let big = "WITH big(x) AS MATERIALIZED (SELECT printf('%30000000d', 1))";
    let columns = vec!["x || '.'"; 1_000].join(", ");
    let wide = format!("{big} SELECT {columns} FROM big");
    let sorted = format!("{big} SELECT x || id FROM big, item ORDER BY 1 DESC");
    for sql in [wide, sorted] {
        assert_over(&rows(&database, &sql).unwrap_err(), "bytes of memory");
    }
    assert_eq!(number(&database, "SELECT count(*) FROM item"), 100);
}

#[test]
fn statements_have_a_size_too() {
    let (_world, database) = opened(DatabaseLimits {
        open_results: 2,
        ..DatabaseLimits::default()
    });
    let long = format!("SELECT '{}'", "x".repeat(64 * 1024));
    assert_over(
        &database.query(&long, &[]).unwrap_err(),
        "65536 bytes of SQL",
    );
    let deep = format!("SELECT {}1", "1 + ".repeat(300));
    assert_eq!(database.query(&deep, &[]).unwrap_err().code(), "sql");
    let pattern = format!("SELECT 1 FROM item WHERE body LIKE '{}'", "%x".repeat(200));
    assert_eq!(rows(&database, &pattern).unwrap_err().code(), "sql");

    let first = database.query("SELECT 1", &[]).unwrap();
    let _second = database.query("SELECT 2", &[]).unwrap();
    assert_over(
        &database.query("SELECT 3", &[]).unwrap_err(),
        "2 open results",
    );
    drop(first);
    database.query("SELECT 3", &[]).unwrap();
}
