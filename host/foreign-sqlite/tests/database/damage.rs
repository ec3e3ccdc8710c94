//! Damaged files. Each is read or rejected with an error; none stops the host.

use crate::support::{TestProgram, in_place, rows, write};

/// A small database with tables, indexes and overflow pages.
const CONTENT: &str = "
    PRAGMA page_size = 512;
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT UNIQUE, body TEXT);
    CREATE INDEX item_body ON item (body);
    CREATE VIEW names AS SELECT name FROM item;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
    INSERT INTO item SELECT i, 'name ' || i, printf('%*d', 90 * i, i) FROM n;";

const QUERIES: [&str; 5] = [
    "SELECT * FROM item",
    "SELECT count(*) FROM item",
    "SELECT body FROM item ORDER BY name DESC",
    "SELECT id FROM item WHERE body > '1' ORDER BY body",
    "SELECT * FROM names, sqlite_schema",
];

/// Opens the database, and if that succeeds runs all queries. Returns the codes of the errors.
fn try_everything(world: &TestProgram, what: &str) -> Vec<&'static str> {
    let mut codes = Vec::new();
    match world.open() {
        Err(error) => codes.push(error.code()),
        Ok(database) => {
            for sql in QUERIES {
                codes.extend(rows(&database, sql).err().map(|error| error.code()));
            }
        }
    }
    for code in &codes {
        assert!(
            ["corrupt", "not-a-database", "sql"].contains(code),
            "{what}: {code}"
        );
    }
    codes
}

#[test]
fn a_flipped_byte_anywhere_is_found_or_harmless() {
    let world = TestProgram::new();
    world.make(CONTENT);
    let whole = std::fs::read(world.path()).unwrap();
    assert!(try_everything(&world, "whole").is_empty());
    let mut found = 0;
    for page in 0..whole.len() / 512 {
        // The page type, its number of cells, its first cells, and a position in the middle.
        for at in [0, 1, 4, 6, 9, 11, 13, 200, 500] {
            let mut content = whole.clone();
            let at = page * 512 + at;
            content[at] ^= 0xff;
            write(&world.path(), content);
            found += try_everything(&world, &format!("byte {at}")).len();
        }
    }
    assert!(found > 100, "{found}");
    assert_eq!(world.left_over(), Vec::<String>::new());
}

#[test]
fn a_page_of_noise_anywhere_is_found() {
    let world = TestProgram::new();
    world.make(CONTENT);
    let whole = std::fs::read(world.path()).unwrap();
    let mut noise: u32 = 1;
    for page in 0..whole.len() / 512 {
        let mut content = whole.clone();
        for byte in &mut content[page * 512..(page + 1) * 512] {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *byte = noise.to_be_bytes()[0];
        }
        write(&world.path(), content);
        try_everything(&world, &format!("page {page}"));
    }
}

#[test]
fn a_database_that_ends_early_is_refused() {
    let world = TestProgram::new();
    world.make(CONTENT);
    let whole = std::fs::read(world.path()).unwrap();
    let cuts = [
        (0, "not-a-database"),
        (1, "not-a-database"),
        (16, "not-a-database"),
        (99, "not-a-database"),
        (100, "corrupt"),
        (511, "corrupt"),
        (512, "corrupt"),
        (whole.len() / 2, "corrupt"),
        (whole.len() - 512, "corrupt"),
    ];
    for (length, expected) in cuts {
        write(&world.path(), &whole[..length]);
        for limits in [Default::default(), in_place()] {
            let error = world.open_with(limits).unwrap_err();
            assert_eq!(error.code(), expected, "{length}: {error:?}");
            assert!(error.to_string().contains("state.vscdb"), "{error}");
        }
    }
}

#[test]
fn other_files_are_not_taken_for_databases() {
    let noise: Vec<u8> = (0..8_192_u32)
        .map(|index| index.wrapping_mul(2_654_435_761).to_be_bytes()[0])
        .collect();
    let mut future = b"SQLite format 4\0".to_vec();
    future.resize(1_024, 0);
    let cases: [(&str, &[u8]); 4] = [
        ("text", b"{\"this\": \"is a trace\"}\n"),
        ("noise, as encryption leaves it", &noise),
        ("zeros", &[0; 4_096]),
        ("another version", &future),
    ];
    for (name, content) in cases {
        let world = TestProgram::new();
        write(&world.path(), content);
        let error = world.open().unwrap_err();
        assert_eq!(error.code(), "not-a-database", "{name}");
    }
    // A valid start followed by garbage.
    let world = TestProgram::new();
    let mut content = noise;
    content[..16].copy_from_slice(b"SQLite format 3\0");
    write(&world.path(), content);
    assert_eq!(world.open().unwrap_err().code(), "not-a-database");
}

#[test]
fn a_damaged_log_counts_up_to_the_damage() {
    let world = TestProgram::new();
    let writer = world.writer("wal");
    writer
        .execute_batch("CREATE TABLE item (id); PRAGMA wal_checkpoint(TRUNCATE);")
        .unwrap();
    for id in 0..10 {
        writer.execute("INSERT INTO item VALUES (?)", [id]).unwrap();
    }
    let listing = world.listing();
    let log = &listing["state.vscdb-wal"].0;
    let other = TestProgram::new();
    write(&other.path(), &listing["state.vscdb"].0);
    let log_path = other.agent().join("state.vscdb-wal");
    let frame = (log.len() - 32) / 10;
    for damaged in 0..=10 {
        for cut in [false, true] {
            let mut content = log.clone();
            if let Some(byte) = content.get_mut(32 + damaged * frame + frame / 2) {
                *byte ^= 0xff;
            }
            if cut {
                content.truncate(32 + damaged * frame + frame / 2);
            }
            write(&log_path, content);
            let database = other.open().unwrap();
            let found = rows(&database, "SELECT id FROM item").unwrap().len();
            assert_eq!(found, damaged, "cut: {cut}");
        }
    }
    // A log that is invalid, or of another database.
    for content in [&b"noise"[..], &[0xff; 5_000], &log[..40]] {
        write(&log_path, content);
        let database = other.open().unwrap();
        assert_eq!(rows(&database, "SELECT id FROM item").unwrap().len(), 0);
    }
}
