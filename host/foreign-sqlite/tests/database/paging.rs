//! Results in pages: each row once, in order, with the requested page size.

use acreta_foreign_sqlite::{Database, Rows, Value};

use crate::support::{TestProgram, number};

fn hundred_thousand() -> (TestProgram, Database) {
    let world = TestProgram::new();
    world.make(
        "CREATE TABLE item (id INTEGER PRIMARY KEY, body TEXT);
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
         INSERT INTO item SELECT i, printf('%100d', i) FROM n;",
    );
    let database = world.open().unwrap();
    (world, database)
}

fn ids(page: &[Vec<Value>]) -> Vec<i64> {
    page.iter()
        .map(|row| match row.first() {
            Some(Value::Integer(id)) => *id,
            other => panic!("{other:?}"),
        })
        .collect()
}

#[test]
fn each_row_comes_once_and_in_order() {
    let (_world, database) = hundred_thousand();
    let mut rows = database
        .query("SELECT id, body FROM item ORDER BY id", &[])
        .unwrap();
    assert_eq!(rows.columns(), ["id", "body"]);
    let mut next = 1;
    for _ in 0..100 {
        let page = rows.next(1_000, u32::MAX).unwrap();
        assert_eq!(ids(&page), (next..next + 1_000).collect::<Vec<_>>());
        next += 1_000;
    }
    for _ in 0..3 {
        assert_eq!(
            rows.next(1_000, u32::MAX).unwrap(),
            Vec::<Vec<Value>>::new()
        );
    }
}

#[test]
fn a_page_is_no_larger_than_asked_unless_one_row_is() {
    let world = TestProgram::new();
    world.make(
        "CREATE TABLE item (body BLOB);
         INSERT INTO item SELECT zeroblob(value)
         FROM json_each('[10, 10, 50, 10, 10, 10, 10, 500, 10]');",
    );
    let database = world.open().unwrap();
    let sizes = |max_rows, max_bytes| {
        let mut rows = database.query("SELECT body FROM item", &[]).unwrap();
        let mut pages = Vec::new();
        loop {
            let page = rows.next(max_rows, max_bytes).unwrap();
            if page.is_empty() {
                return pages;
            }
            pages.push(page.len());
        }
    };
    // Each row counts 32 bytes more than its blob.
    assert_eq!(sizes(100, 100), [2, 1, 2, 2, 1, 1]);
    assert_eq!(sizes(2, 1_000), [2, 2, 2, 2, 1]);
    assert_eq!(sizes(100, 10_000), [9]);
    assert_eq!(sizes(0, 0), [1; 9]);
}

#[test]
fn a_page_is_never_larger_than_sixteen_megabytes() {
    let world = TestProgram::new();
    world.make(
        "CREATE TABLE item (body BLOB);
         INSERT INTO item SELECT zeroblob(1000000)
         FROM json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]');",
    );
    let database = world.open().unwrap();
    let mut rows = database.query("SELECT body FROM item", &[]).unwrap();
    for expected in [16, 4, 0] {
        assert_eq!(rows.next(u32::MAX, u32::MAX).unwrap().len(), expected);
    }
}

#[test]
fn results_do_not_disturb_each_other() {
    let (_world, database) = hundred_thousand();
    let mut up = database
        .query("SELECT id FROM item ORDER BY id", &[])
        .unwrap();
    let mut down = database
        .query("SELECT id FROM item ORDER BY id DESC", &[])
        .unwrap();
    for step in 0..50 {
        assert_eq!(
            ids(&up.next(2, 1_000).unwrap()),
            [2 * step + 1, 2 * step + 2]
        );
        assert_eq!(ids(&down.next(1, 1_000).unwrap()), [100_000 - step]);
        assert_eq!(number(&database, "SELECT count(*) FROM item"), 100_000);
    }
    drop(up);
    assert_eq!(ids(&down.next(1, 1_000).unwrap()), [99_950]);
}

#[test]
fn handles_can_be_sent_and_dropped_in_any_order() {
    fn sendable<T: Send + 'static>(value: T) -> T {
        value
    }
    let (world, database) = hundred_thousand();
    let rows: Vec<Rows> = (0..4)
        .map(|_| sendable(database.query("SELECT id FROM item", &[]).unwrap()))
        .collect();
    drop(sendable(database));
    let threads: Vec<_> = rows
        .into_iter()
        .map(|mut rows| {
            std::thread::spawn(move || {
                let mut count = 0;
                loop {
                    let page = rows.next(5_000, u32::MAX).unwrap();
                    if page.is_empty() {
                        return count;
                    }
                    count += page.len();
                }
            })
        })
        .collect();
    for thread in threads {
        assert_eq!(thread.join().unwrap(), 100_000);
    }
    assert_eq!(world.left_over(), Vec::<String>::new());
}

#[test]
fn values_come_as_they_are_kept() {
    for encoding in ["UTF-8", "UTF-16le", "UTF-16be"] {
        let world = TestProgram::new();
        world.make(&format!(
            "PRAGMA encoding = '{encoding}';
             CREATE TABLE item (id INTEGER PRIMARY KEY, value);
             INSERT INTO item (value) VALUES
                 (NULL), (-9223372036854775808), (1.5), ('grüße 🦀'), (x'00ff'), (''), (x''),
                 ('a' || char(0) || 'b');"
        ));
        let database = world.open().unwrap();
        let mut rows = database
            .query("SELECT value FROM item ORDER BY id", &[])
            .unwrap();
        let values: Vec<Value> = rows
            .next(100, 10_000)
            .unwrap()
            .into_iter()
            .flatten()
            .collect();
        let expected = [
            Value::Null,
            Value::Integer(i64::MIN),
            Value::Real(1.5),
            Value::Text("grüße 🦀".to_owned()),
            Value::Blob(vec![0x00, 0xff]),
            Value::Text(String::new()),
            Value::Blob(Vec::new()),
            Value::Text("a\0b".to_owned()),
        ];
        assert_eq!(values, expected, "{encoding}");

        // The same values as parameters.
        for value in expected.iter().filter(|value| **value != Value::Null) {
            let sql = "SELECT count(*) FROM item WHERE value = ?";
            let mut rows = database.query(sql, std::slice::from_ref(value)).unwrap();
            assert_eq!(
                rows.next(1, 100).unwrap(),
                [[Value::Integer(1)]],
                "{value:?}"
            );
        }
    }
}

#[test]
fn text_that_is_not_utf8_is_shown_as_well_as_can_be() {
    let world = TestProgram::new();
    world.make("CREATE TABLE item (value); INSERT INTO item VALUES (CAST(x'61ff62' AS TEXT));");
    let database = world.open().unwrap();
    let mut rows = database.query("SELECT value FROM item", &[]).unwrap();
    let expected = Value::Text("a\u{fffd}b".to_owned());
    assert_eq!(rows.next(1, 100).unwrap(), [[expected]]);
}
