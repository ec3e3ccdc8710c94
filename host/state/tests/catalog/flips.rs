//! Flipped bits in the database file and in its log. SQLite has no checksums of pages, so a bit can turn one valid value
//! into another; everything else is an error that says so, and nothing panics or hangs.

use std::panic::{AssertUnwindSafe, catch_unwind};

use acreta_state::{Catalog, CatalogError, CatalogOptions, SessionFilter};

use crate::support::{NOW, TestCatalog, claim, complete, enqueue, find, key, project, wanted};

fn filled() -> TestCatalog {
    let place = TestCatalog::new();
    let catalog = place.open();
    let (app, other) = (
        project(&catalog, "/src/app"),
        project(&catalog, "/src/other"),
    );
    for number in 0..6 {
        enqueue(&catalog, &format!("s{number}"), app, "r1", number);
    }
    enqueue(&catalog, "elsewhere", other, "r1", 9);
    let lease = claim(&catalog, NOW).unwrap();
    complete(&catalog, &lease);
    place
}

fn write(place: &TestCatalog, file: &str, bytes: &[u8]) {
    #[expect(clippy::disallowed_methods, reason = "a test damages a file")]
    std::fs::write(place.folder().join(file), bytes).unwrap();
}

/// Asks everything that a sync asks, and enqueues and claims. Returns the answers as text.
fn everything(place: &TestCatalog) -> Result<String, CatalogError> {
    let catalog = Catalog::open(&place.database(), CatalogOptions::default())?;
    let mut said = format!("{:?}", catalog.projects()?);
    said += &format!("{:?}", catalog.sessions(&SessionFilter::default())?);
    said += &format!("{:?}", catalog.session(&key("s1"))?);
    said += &format!("{:?}", catalog.jobs(&Default::default())?);
    said += &format!("{:?}", catalog.runs(&Default::default())?);
    said += &format!("{:?}", catalog.unassigned()?);
    if let Some(app) = catalog.project_at("/src/app".into())? {
        catalog.enqueue(&wanted("s2", app.id, "r2"), NOW)?;
    }
    let lease = catalog.claim("worker", 60_000, NOW, &Default::default())?;
    said += &format!("{:?}", lease.map(|lease| lease.session));
    Ok(said)
}

/// `ACRETA_TEST_FLIPS` sets how many of the bytes that are not zero are flipped, spread evenly over the file.
#[test]
fn a_flipped_bit_of_the_database_is_an_error_or_another_value() {
    let place = filled();
    let whole = std::fs::read(place.database()).unwrap();
    let expected = everything(&place).unwrap();
    let used: Vec<usize> = (0..whole.len()).filter(|at| whole[*at] != 0).collect();
    let step = used.len() / acreta_testing::count("ACRETA_TEST_FLIPS", 600) + 1;
    let (mut tried, mut errors, mut other) = (0, 0, 0);
    for (number, at) in used.iter().step_by(step).enumerate() {
        let mut bytes = whole.clone();
        bytes[*at] ^= [0x01, 0x20, 0x80][number % 3];
        #[expect(clippy::disallowed_methods, reason = "a test takes files away")]
        for log in ["state.db-wal", "state.db-shm"] {
            let _ = std::fs::remove_file(place.folder().join(log));
        }
        write(&place, "state.db", &bytes);
        let answer = catch_unwind(AssertUnwindSafe(|| everything(&place)));
        tried += 1;
        match answer.unwrap_or_else(|_| panic!("byte {at} panics")) {
            Ok(said) => other += usize::from(said != expected),
            Err(error) => {
                errors += 1;
                let said = error.to_string();
                // Another value may be that of a name.
                let is_unknown = matches!(
                    error,
                    CatalogError::UnknownSession { .. } | CatalogError::UnknownProject { .. }
                );
                let is_told = said.contains("state.db`") && error.hint().is_some();
                assert!(is_unknown || is_told, "byte {at}: {said}");
            }
        }
    }
    println!(
        "{tried} of {} used bytes flipped: {errors} errors, {other} other values, 0 panics",
        used.len()
    );
    assert!(errors > tried / 20, "{errors} of {tried}");
}

/// The log has checksums: what is damaged never happened, and all that came before it did.
#[test]
fn a_flipped_bit_of_the_log_costs_what_came_after_it() {
    let place = TestCatalog::new();
    let catalog = place.open();
    for number in 0..8 {
        find(&catalog, &format!("s{number}"), "r1", number);
    }
    let database = std::fs::read(place.database()).unwrap();
    let log = std::fs::read(place.folder().join("state.db-wal")).unwrap();
    let step = log.len() / acreta_testing::count("ACRETA_TEST_FLIPS", 150) + 1;
    let (mut tried, mut shorter) = (0, 0);
    for at in (0..log.len()).step_by(step) {
        let after = TestCatalog::new();
        write(&after, "state.db", &database);
        let mut damaged = log.clone();
        damaged[at] ^= 0x01;
        write(&after, "state.db-wal", &damaged);
        let catalog = Catalog::open(&after.database(), CatalogOptions::default()).unwrap();
        let sessions = catalog.sessions(&SessionFilter::default()).unwrap();
        let mut ids: Vec<String> = sessions.into_iter().map(|one| one.session.id).collect();
        ids.sort();
        let first: Vec<String> = (0..ids.len()).map(|number| format!("s{number}")).collect();
        assert_eq!(ids, first, "byte {at}");
        shorter += usize::from(ids.len() < 8);
        tried += 1;
    }
    println!("{tried} bytes of the log flipped: {shorter} times later commits were lost, 0 gaps");
    assert!(shorter > 0);
}
