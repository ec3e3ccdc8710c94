//! Opening: what is made, what is refused, and what survives.

use std::error::Error;
use std::io::Write;
use std::time::Duration;

use acreta_catalog::{Catalog, CatalogError, CatalogOptions, TaskState};

use crate::support::{NOW, Place, enqueue, find, job, key, project};

fn impatient() -> CatalogOptions {
    CatalogOptions {
        wait: Duration::ZERO,
        ..CatalogOptions::default()
    }
}

#[test]
fn a_new_database_is_the_owners_and_safe() {
    let place = Place::new();
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
    assert_eq!(pragma("user_version"), "10");

    #[cfg(unix)]
    for name in ["state.db", "state.db-wal", "state.db-shm"] {
        use std::os::unix::fs::PermissionsExt;
        let metadata = std::fs::metadata(path.with_file_name(name)).unwrap();
        assert_eq!(metadata.permissions().mode() & 0o777, 0o600, "{name}");
    }
}

#[test]
fn what_was_written_is_there_after_reopening() {
    let place = Place::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    let id = enqueue(&catalog, "a", app, "r1", 1);
    drop(catalog);

    let catalog = place.open();
    assert_eq!(job(&catalog, &id).state, TaskState::Queued);
    assert!(catalog.session(&key("a")).unwrap().is_some());
}

#[test]
fn a_newer_schema_is_refused_and_left_alone() {
    for found in [11, 77, -1] {
        let place = Place::new();
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
        assert_eq!((path, *named, *supported), (&place.database(), found, 10));
        let message = error.to_string();
        assert!(message.contains(&format!("version {found}")), "{message}");
        assert!(message.contains("up to 10"), "{message}");
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
        let place = Place::new();
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
        assert!(hint.contains("nothing of memory is lost"), "{hint}");
    }
}

#[test]
fn a_value_nobody_writes_is_damage_not_a_panic() {
    let place = Place::new();
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
    let place = Place::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    let id = enqueue(&catalog, "a", app, "r1", 1);
    drop(catalog);

    // A writer with so little room in memory that the log has its changes before it commits.
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

    // What a crash of the machine would leave: the files as they are now.
    let after_crash = Place::new();
    for file in ["state.db", "state.db-wal"] {
        std::fs::copy(place.folder().join(file), after_crash.folder().join(file)).unwrap();
    }
    // And what the end of the process leaves.
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
    let place = Place::new();
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
    let place = Place::new();
    std::fs::create_dir(place.database()).unwrap();
    let error = Catalog::open(&place.database(), CatalogOptions::default()).unwrap_err();
    assert!(
        error.to_string().contains(place.database().as_str()),
        "{error}"
    );
}

#[test]
fn ids_sort_by_time_and_are_never_given_twice() {
    let place = Place::new();
    // Two processes that start from the same seed at the same moment.
    let (left, right) = (place.open(), place.open());
    let app = project(&left, "/src/app");
    let mut ids = Vec::new();
    for number in 0..20 {
        let catalog = if number % 2 == 0 { &left } else { &right };
        ids.push(enqueue(catalog, &format!("s{number}"), app, "r1", 1));
    }
    let mut unique = ids.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), ids.len());
    let of_one: Vec<_> = ids.iter().step_by(2).collect();
    assert!(of_one.is_sorted(), "{of_one:?}");
    assert!(ids[0].as_str() < ulid_of(NOW + 1).as_str());
    assert!(ids[0].as_str() > ulid_of(NOW - 1).as_str());
}

fn ulid_of(time_ms: u64) -> String {
    ulid::Ulid::from_parts(time_ms, 0).to_string()
}
