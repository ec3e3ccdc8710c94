//! The SQLite file: creation, refusals, persistence, and migrations from earlier versions. All other promises of the
//! catalog are tested on both databases.

use std::error::Error;
use std::io::Write;
use std::sync::Barrier;
use std::time::Duration;

use acreta_state::{Catalog, CatalogError, CatalogOptions, SessionState, TaskState};
use acreta_types::Identity;
use camino::Utf8Path;

use crate::events::{all, event, names};
use crate::named::{COPY, run};
use crate::support::{NOW, TestCatalog, enqueue, find, job, key, known, project};

fn impatient() -> CatalogOptions {
    CatalogOptions {
        wait: Duration::ZERO,
        ..CatalogOptions::default()
    }
}

#[test]
fn a_new_database_is_the_owners_and_safe() {
    let place = TestCatalog::new();
    let path = place.folder().join("not/yet/there/state.db");
    let catalog = Catalog::open(&path, CatalogOptions::default()).unwrap();
    assert_eq!(catalog.path(), path);
    find(&catalog, "a", "r1", 1);

    let raw = rusqlite::Connection::open(&path).unwrap();
    let pragma = |name: &str| -> String {
        raw.pragma_query_value(None, name, |row| row.get::<_, rusqlite::types::Value>(0))
            .map(|value| match value {
                rusqlite::types::Value::Text(text) => text,
                rusqlite::types::Value::Integer(number) => number.to_string(),
                other => panic!("{other:?}"),
            })
            .unwrap()
    };
    assert_eq!(pragma("journal_mode"), "wal");
    assert_eq!(pragma("user_version"), "13");

    #[cfg(unix)]
    for name in ["state.db", "state.db-wal", "state.db-shm"] {
        use std::os::unix::fs::PermissionsExt;
        let metadata = std::fs::metadata(path.with_file_name(name)).unwrap();
        assert_eq!(metadata.permissions().mode() & 0o777, 0o600, "{name}");
    }
}

/// Copying the log into the file takes syncs, for which a hurried process does not wait.
#[test]
fn a_hurried_connection_leaves_its_log_to_the_next() {
    let place = TestCatalog::new();
    let open = |hurried| {
        let options = CatalogOptions {
            hurried,
            ..CatalogOptions::default()
        };
        Catalog::open(&place.database(), options).unwrap()
    };
    let log = place.folder().join("state.db-wal");
    let logged = || std::fs::metadata(&log).map_or(0, |log| log.len());
    drop(open(false));
    assert_eq!(logged(), 0);
    let hurried = open(true);
    find(&hurried, "a", "r1", 1);
    drop(hurried);
    assert!(logged() > 0);
    let next = open(false);
    assert_eq!(known(&next, "a").session.id, "a");
    drop(next);
    assert_eq!(logged(), 0);
}

/// A daemon goes on while a later version migrates the database under it.
#[test]
fn nothing_is_written_after_a_later_version_migrated() {
    let place = TestCatalog::new();
    let catalog = Catalog::open(&place.database(), CatalogOptions::default()).unwrap();
    find(&catalog, "a", "r1", 1);
    place.raw().pragma_update(None, "user_version", 14).unwrap();
    let registered = catalog.register("/src/b".into(), &Identity::default(), NOW);
    let error = registered.unwrap_err();
    assert!(
        matches!(error, CatalogError::Newer { found: 14, .. }),
        "{error}"
    );
    assert_eq!(known(&catalog, "a").session.revision, "r1");
}

#[test]
fn a_newer_schema_is_refused_and_left_alone() {
    for found in [14, 77, -1] {
        let place = TestCatalog::new();
        let raw = place.raw();
        raw.pragma_update(None, "user_version", found).unwrap();
        drop(raw);
        let before = std::fs::read(place.database()).unwrap();

        let error = Catalog::open(&place.database(), CatalogOptions::default()).unwrap_err();
        let CatalogError::Newer {
            path,
            found: named,
            supported,
        } = &error
        else {
            panic!("{error:?}");
        };
        assert_eq!((path, *named, *supported), (&place.database(), found, 13));
        let message = error.to_string();
        assert!(message.contains(&format!("version {found}")), "{message}");
        assert!(message.contains("up to 13"), "{message}");
        assert!(error.hint().unwrap().contains("update"));
        assert_eq!(std::fs::read(place.database()).unwrap(), before);
    }
}

#[test]
fn a_damaged_database_is_named_with_a_way_out() {
    type Damage = fn(&mut Vec<u8>);
    let cases: [(&str, Damage); 3] = [
        ("garbage", |bytes| {
            *bytes = b"this is no database at all. ".repeat(200)
        }),
        ("torn", |bytes| bytes.truncate(5_000)),
        ("scrambled", |bytes| bytes[4_096..].fill(0xa5)),
    ];
    for (name, damage) in cases {
        let place = TestCatalog::new();
        let catalog = place.open();
        find(&catalog, "a", "r1", 1);
        drop(catalog);
        let mut bytes = std::fs::read(place.database()).unwrap();
        damage(&mut bytes);
        let mut file = std::fs::File::create(place.database()).unwrap();
        file.write_all(&bytes).unwrap();
        drop(file);

        let opened = Catalog::open(&place.database(), CatalogOptions::default());
        let error = opened
            .and_then(|catalog| catalog.session(&key("a")).map(drop))
            .unwrap_err();
        assert!(
            matches!(error, CatalogError::Damaged { .. }),
            "{name}: {error:?}"
        );
        assert!(error.to_string().contains(place.database().as_str()));
        assert!(error.source().is_some());
        let hint = error.hint().unwrap();
        assert!(hint.contains("move `"), "{hint}");
        assert!(hint.contains("no memory is lost"), "{hint}");
    }
}

#[test]
fn a_value_nobody_writes_is_damage_not_a_panic() {
    let place = TestCatalog::new();
    let catalog = place.open();
    find(&catalog, "a", "r1", 1);
    for bad in ["first_seen_ms = -1", "attrs = 'no json'"] {
        let raw = place.raw();
        raw.execute(&format!("UPDATE sessions SET {bad}"), [])
            .unwrap();
        let error = catalog.session(&key("a")).unwrap_err();
        assert!(
            matches!(error, CatalogError::Damaged { .. }),
            "{bad}: {error:?}"
        );
    }
}

#[test]
fn a_transaction_that_was_cut_off_leaves_nothing() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    let id = enqueue(&catalog, "a", app, "r1", 1);
    drop(catalog);

    // A writer with such a small cache that its changes reach the log before it commits.
    let writer = place.raw();
    writer.pragma_update(None, "cache_size", 1).unwrap();
    writer.pragma_update(None, "cache_spill", 1).unwrap();
    writer.execute_batch("BEGIN IMMEDIATE").unwrap();
    writer
        .execute("UPDATE jobs SET state = 'completed'", [])
        .unwrap();
    for number in 0..500 {
        writer
            .execute(
                "INSERT INTO descriptions VALUES (?1, ?2)",
                (format!("digest-{number}"), "x".repeat(1_000)),
            )
            .unwrap();
    }
    let log = place.folder().join("state.db-wal");
    assert!(std::fs::metadata(&log).unwrap().len() > 100_000);

    // The files as a crash of the machine would leave them.
    let after_crash = TestCatalog::new();
    for file in ["state.db", "state.db-wal"] {
        std::fs::copy(place.folder().join(file), after_crash.folder().join(file)).unwrap();
    }
    // The files as the end of the process leaves them.
    drop(writer);

    for place in [&place, &after_crash] {
        let catalog = place.open_with(impatient());
        assert_eq!(job(&catalog, &id).state, TaskState::Queued);
        assert_eq!(catalog.description("digest-1").unwrap(), None);
        catalog.put_description("digest-1", "{}").unwrap();
    }
}

#[test]
fn one_writes_while_others_read() {
    let place = TestCatalog::new();
    let catalog = place.open_with(impatient());
    find(&catalog, "a", "r1", 1);
    let writer = place.raw();
    writer.execute_batch("BEGIN IMMEDIATE").unwrap();

    assert!(catalog.session(&key("a")).unwrap().is_some());
    let error = catalog.put_description("digest", "{}").unwrap_err();
    assert!(matches!(error, CatalogError::Busy { .. }), "{error:?}");
    assert!(error.hint().is_some());
    assert!(!error.is_sync());

    writer.execute_batch("ROLLBACK").unwrap();
    catalog.put_description("digest", "{}").unwrap();
    assert_eq!(
        catalog.description("digest").unwrap().as_deref(),
        Some("{}")
    );
    catalog.put_description("digest", "[]").unwrap();
    assert_eq!(
        catalog.description("digest").unwrap().as_deref(),
        Some("[]")
    );
}

#[test]
fn a_folder_in_its_place_is_an_error() {
    let place = TestCatalog::new();
    std::fs::create_dir(place.database()).unwrap();
    let error = Catalog::open(&place.database(), CatalogOptions::default()).unwrap_err();
    assert!(
        error.to_string().contains(place.database().as_str()),
        "{error}"
    );
}

#[test]
fn opening_waits_for_one_that_writes() {
    let place = TestCatalog::new();
    let writer = place.raw();
    let begun = "CREATE TABLE other (text TEXT); BEGIN IMMEDIATE";
    writer.execute_batch(begun).unwrap();
    let start = Barrier::new(2);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            start.wait();
            for number in 0..3_000 {
                writer
                    .execute("INSERT INTO other VALUES (?1)", [number.to_string()])
                    .unwrap();
            }
            writer.execute_batch("COMMIT").unwrap();
            drop(writer);
        });
        start.wait();
        // The journal is still in the other mode: SQLite alone would not wait here.
        find(&place.open(), "a", "r1", 1);
    });
}

#[test]
fn a_database_from_before_gets_the_table() {
    let place = TestCatalog::new();
    find(&place.open(), "a", "r1", 1);
    let raw = place.raw();
    raw.execute_batch(
        "DROP TABLE offers; DROP TABLE cure_signatures; DROP TABLE cures; DROP TABLE collected_cures;
         DROP TABLE spending; DROP TABLE spending_reservations; DROP TABLE purged_sessions; DROP TABLE notes; DROP TABLE reviews; DROP TABLE notices;
         DROP TABLE events; DROP TABLE readings; DROP TABLE pending; DROP TABLE pending_states;
         DROP TABLE old_confirmations; ALTER TABLE sessions DROP COLUMN ran_project;
         PRAGMA user_version = 2",
    )
    .unwrap();
    drop(raw);
    let catalog = place.open();
    catalog.append_events(&[event("a")]).unwrap();
    assert_eq!(names(&all(&catalog)), ["a"]);
    assert!(catalog.session(&key("a")).unwrap().is_some());
}

/// Earlier versions recorded a named file like an agent's own.
#[test]
fn a_session_that_a_named_file_captured_is_looked_for_again() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let (own, other) = (
        project(&catalog, "/src/own"),
        project(&catalog, "/src/other"),
    );
    find(&catalog, "b", "r1", 1);
    catalog.assign(&[(key("b"), Some(own))]).unwrap();
    catalog.mark_ran(&key("b"), "r1", NOW).unwrap();
    run(&catalog, COPY, "r9", other);
    drop(catalog);
    let raw = place.raw();
    raw.execute_batch(
        "DROP TABLE offers; DROP TABLE cure_signatures; DROP TABLE cures; DROP TABLE collected_cures;
         DROP TABLE spending; DROP TABLE spending_reservations; DROP TABLE purged_sessions; DROP TABLE notes; DROP TABLE reviews; DROP TABLE notices;
         ALTER TABLE sessions DROP COLUMN ran_project;
         UPDATE sessions SET gone_ms = 5 WHERE id = 'a';
         INSERT INTO files (adapter, path, size, mtime_ns, ctime_ns, inode, seen_ms, outcome)
         VALUES ('claude', '/tmp/copy.jsonl', 0, 0, 0, 0, 7, 'sessions');
         PRAGMA user_version = 6",
    )
    .unwrap();
    drop(raw);

    let catalog = place.open();
    let seen = catalog.seen_files("claude").unwrap();
    assert_eq!(seen.len(), 1, "the copy is nobody's file");
    assert_eq!(seen["/home/u/b.jsonl"].seen_ms, 0, "looked into again");
    assert_eq!(known(&catalog, "a").gone_ms, None);
    let done = known(&catalog, "b");
    assert_eq!(
        (done.state, done.ran_project),
        (SessionState::Done, Some(own))
    );
}

/// Confirmations in state files are migrated for the projects that exist at the upgrade, and never for one that is
/// registered later.
#[test]
fn old_confirmations_are_those_of_projects_that_were_there() {
    let place = TestCatalog::new();
    let catalog = place.open();
    project(&catalog, "/src/app");
    catalog
        .note_project(Utf8Path::new("/src/seen"), &Identity::default(), 1)
        .unwrap();
    assert_eq!(
        catalog.old_confirmations().unwrap(),
        [""],
        "nothing is old in a new database"
    );
    drop(catalog);
    let raw = place.raw();
    raw.execute_batch(
        "DROP TABLE offers; DROP TABLE cure_signatures; DROP TABLE cures; DROP TABLE collected_cures;
         DROP TABLE spending; DROP TABLE spending_reservations; DROP TABLE purged_sessions; DROP TABLE notes; DROP TABLE reviews; DROP TABLE notices;
         DROP TABLE old_confirmations; ALTER TABLE sessions DROP COLUMN ran_project;
         PRAGMA user_version = 5",
    )
    .unwrap();
    drop(raw);

    let catalog = place.open();
    project(&catalog, "/src/later");
    assert_eq!(catalog.old_confirmations().unwrap(), ["", "/src/app"]);
    catalog
        .forget_old_confirmations(Utf8Path::new("/src/app"))
        .unwrap();
    drop(catalog);
    assert_eq!(place.open().old_confirmations().unwrap(), [""]);
}
