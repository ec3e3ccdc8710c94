//! Operations that are refused, whether they come from the query or from the schema.

use acreta_foreign_sqlite::{Database, Value};

use crate::support::{TestProgram, number, rows, write};

const CONTENT: &str = "
    CREATE TABLE item (id INTEGER PRIMARY KEY, body TEXT);
    CREATE INDEX item_body ON item (body);
    INSERT INTO item VALUES (1, '{\"name\": \"first\", \"tags\": [1, 2]}'), (2, NULL);";

fn opened() -> (TestProgram, Database) {
    let world = TestProgram::new();
    world.make(CONTENT);
    let database = world.open().unwrap();
    (world, database)
}

#[test]
fn everything_but_select_is_refused_by_name() {
    let (world, database) = opened();
    let before = world.listing();
    let refused = [
        ("INSERT INTO item VALUES (3, '')", "INSERT into `item`"),
        ("REPLACE INTO item VALUES (1, '')", "INSERT into `item`"),
        ("UPDATE item SET body = ''", "UPDATE of `item`"),
        ("DELETE FROM item", "DELETE from `item`"),
        ("DELETE FROM item RETURNING id", "DELETE from `item`"),
        ("CREATE TABLE other (id)", "schema"),
        ("CREATE TEMP TABLE other (id)", "schema"),
        ("CREATE INDEX other ON item (body)", "schema"),
        ("CREATE VIEW other AS SELECT 1", "schema"),
        (
            "CREATE TRIGGER other AFTER INSERT ON item BEGIN SELECT 1; END",
            "schema",
        ),
        ("CREATE VIRTUAL TABLE other USING fts5(body)", "schema"),
        ("DROP TABLE item", "schema"),
        ("ALTER TABLE item RENAME TO other", "schema"),
        ("ATTACH '/nowhere/other.db' AS other", "ATTACH"),
        ("DETACH main", "DETACH"),
        ("PRAGMA writable_schema = ON", "PRAGMA `writable_schema`"),
        ("PRAGMA journal_mode = DELETE", "PRAGMA `journal_mode`"),
        ("PRAGMA query_only = OFF", "PRAGMA `query_only`"),
        ("PRAGMA trusted_schema = ON", "PRAGMA `trusted_schema`"),
        ("PRAGMA table_info(item)", "PRAGMA `table_info`"),
        ("PRAGMA wal_checkpoint", "PRAGMA `wal_checkpoint`"),
        ("VACUUM", "anything but SELECT"),
        ("VACUUM INTO '/nowhere/other.db'", "anything but SELECT"),
        ("REINDEX", "REINDEX"),
        ("ANALYZE", "schema"),
        ("BEGIN", "a transaction"),
        ("SAVEPOINT here", "SAVEPOINT"),
        ("EXPLAIN SELECT 1", "EXPLAIN"),
        ("EXPLAIN QUERY PLAN SELECT 1", "EXPLAIN"),
        ("", "anything but SELECT"),
        ("-- nothing", "anything but SELECT"),
        ("SELECT 1; SELECT 2", "more than one statement"),
        ("SELECT 1; DROP TABLE item", "schema"),
        ("SELECT load_extension('x')", "function `load_extension`"),
        (
            "SELECT fts3_tokenizer('simple')",
            "function `fts3_tokenizer`",
        ),
        ("SELECT randomblob(1)", "function `randomblob`"),
        ("SELECT zeroblob(1)", "function `zeroblob`"),
        ("SELECT datetime('now')", "function `datetime`"),
        ("SELECT current_timestamp", "function `current_timestamp`"),
        (
            "SELECT sqlite_compileoption_get(1)",
            "function `sqlite_compileoption_get`",
        ),
        ("SELECT instr(body, 'x') FROM item", "function `instr`"),
        (
            "SELECT * FROM item WHERE body MATCH 'x'",
            "function `match`",
        ),
        (
            "SELECT 1 WHERE EXISTS (SELECT trim('x', 'y'))",
            "function `trim`",
        ),
    ];
    for (sql, what) in refused {
        let error = rows(&database, sql).unwrap_err();
        assert_eq!(error.code(), "refused", "{sql}: {error:?}");
        assert!(error.to_string().contains(what), "{sql}: {error}");
        assert!(error.to_string().contains("state.vscdb"), "{error}");
    }
    // SQLite does not know these at all.
    let unknown = [
        ("SELECT readfile('/etc/passwd')", "readfile"),
        ("SELECT writefile('/nowhere/other', 'x')", "writefile"),
        ("SELECT edit('x')", "edit"),
        ("SELECT * FROM json_each('[1]')", "json_each"),
        ("SELECT * FROM dbstat", "dbstat"),
        (
            "SELECT * FROM pragma_table_info('item')",
            "pragma_table_info",
        ),
        ("SELECT * FROM nowhere", "nowhere"),
        ("SELEKT 1", "SELEKT"),
    ];
    for (sql, what) in unknown {
        let failure = rows(&database, sql).unwrap_err().to_failure();
        assert_eq!(failure.code, "sql", "{sql}: {failure:?}");
        assert!(failure.message.contains(what), "{sql}: {failure:?}");
        assert!(!failure.retryable);
    }
    assert_eq!(world.listing(), before);
    assert_eq!(number(&database, "SELECT count(*) FROM item"), 2);
}

#[test]
fn reading_is_allowed() {
    let (_world, database) = opened();
    let allowed = [
        ("SELECT count(*) FROM item WHERE body IS NULL", 1),
        (
            "SELECT count(*) FROM item WHERE body LIKE '{%' AND id GLOB '*'",
            1,
        ),
        (
            "SELECT json_array_length(body, '$.tags') FROM item WHERE id = 1",
            2,
        ),
        (
            "SELECT json_extract(body, '$.tags[1]') FROM item WHERE id = 1",
            2,
        ),
        ("SELECT body ->> '$.tags[0]' FROM item WHERE id = 1", 1),
        ("SELECT count(*) FROM sqlite_schema", 2),
        (
            "SELECT max(n) FROM (SELECT row_number() OVER (ORDER BY id DESC) AS n FROM item)",
            2,
        ),
        (
            "WITH c AS (SELECT id FROM item) SELECT count(*) FROM c JOIN item USING (id)",
            2,
        ),
        (
            "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 10)
             SELECT sum(i) FROM n;  -- and a comment",
            55,
        ),
        ("VALUES (7)", 7),
    ];
    for (sql, expected) in allowed {
        assert_eq!(number(&database, sql), expected, "{sql}");
    }
}

#[test]
fn parameters_are_values_and_must_all_be_there() {
    let (_world, database) = opened();
    let hostile = Value::Text("'; DROP TABLE item; --".to_owned());
    let sql = "SELECT count(*) FROM item WHERE body = ? OR id = ?";
    let parameters = [hostile.clone(), Value::Integer(2)];
    let mut found = database.query(sql, &parameters).unwrap();
    assert_eq!(found.next(10, 100).unwrap(), [[Value::Integer(1)]]);
    for parameters in [vec![], vec![hostile; 3]] {
        let error = database.query(sql, &parameters).unwrap_err();
        assert_eq!(error.code(), "sql");
    }
}

#[test]
fn a_schema_gets_no_more_than_a_query() {
    let world = TestProgram::new();
    world.make(&format!(
        "{CONTENT}
         CREATE VIEW fine AS SELECT upper(body) AS body FROM item;
         CREATE VIEW loads AS SELECT load_extension('x');
         CREATE VIEW trims AS SELECT trim(body, 'x') FROM item;
         CREATE VIEW asks AS SELECT * FROM pragma_table_info('item');
         CREATE TABLE computed (
             body, found AS (instr(body, 'x')), cut AS (replace(body, 'x', 'y'))
         );
         INSERT INTO computed VALUES ('x');
         CREATE VIRTUAL TABLE words USING fts5(body);
         CREATE VIRTUAL TABLE boxes USING rtree(id, low, high);"
    ));
    let database = world.open().unwrap();
    assert_eq!(number(&database, "SELECT count(*) FROM fine"), 2);
    assert_eq!(number(&database, "SELECT length(body) FROM computed"), 1);
    let cases = [
        ("SELECT * FROM loads", "sql", "load_extension"),
        ("SELECT * FROM trims", "refused", "trim"),
        ("SELECT * FROM asks", "sql", "pragma_table_info"),
        ("SELECT found FROM computed", "sql", "instr"),
        ("SELECT cut FROM computed", "sql", "replace"),
        ("SELECT * FROM words", "sql", "words"),
        ("SELECT * FROM words('x')", "sql", "words"),
        ("SELECT * FROM boxes", "sql", "boxes"),
    ];
    for (sql, code, what) in cases {
        let failure = rows(&database, sql).unwrap_err().to_failure();
        assert_eq!(failure.code, code, "{sql}: {failure:?}");
        assert!(failure.message.contains(what), "{sql}: {failure:?}");
    }
}

#[test]
fn names_that_are_not_text_are_damage() {
    let world = TestProgram::new();
    world.make("CREATE TABLE item (id, \"column name\"); INSERT INTO item VALUES (1, 2);");
    let content = std::fs::read(world.path()).unwrap();
    let at = content
        .windows(11)
        .position(|window| window == b"column name")
        .unwrap();
    let mut content = content;
    content[at] = 0xff;
    write(&world.path(), content);
    let error = world.open().unwrap_err();
    assert_eq!(error.code(), "corrupt", "{error:?}");
}
