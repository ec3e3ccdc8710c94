//! Readings: stored state, waits for a model, and which one is repeated next.

use acreta_state::{
    Catalog, Enqueued, NewReading, ProjectId, RereadFilter, SessionState, WaitingReadings,
};
use acreta_types::{Reading, ReadingStrength, Shortfall};

use crate::support::{HOUR, NOW, TestCatalog, begin, claim, enqueue, key, known, project, wanted};

fn short(code: &str) -> Shortfall {
    Shortfall {
        code: code.to_owned(),
        reason: format!("because of {code}"),
        model: "claude/haiku".to_owned(),
        retry_at_ms: None,
    }
}

fn by_model() -> Reading {
    Reading {
        strength: ReadingStrength::Model,
        reader: "claude/haiku".to_owned(),
        complete: true,
    }
}

fn reading(reading: Reading, could_ask: bool, waits: Option<(&str, u64)>) -> NewReading {
    NewReading {
        revision: "r1".to_owned(),
        reading,
        could_ask,
        run_id: "sync-1".to_owned(),
        waits: waits.map(|(code, at)| (short(code), at)),
        yields: false,
    }
}

/// Stores a session that ran, with this reading if any.
fn ran(catalog: &Catalog, id: &str, app: ProjectId, updated_ms: u64, new: Option<NewReading>) {
    enqueue(catalog, id, app, "r1", updated_ms);
    catalog.assign(&[(key(id), Some(app))]).unwrap();
    let lease = claim(catalog, NOW).unwrap();
    assert_eq!(lease.session, key(id));
    let mut completion = begin(catalog, &lease);
    completion.reading = new;
    catalog.complete(&lease, &completion, NOW).unwrap();
}

fn filter(app: ProjectId) -> RereadFilter {
    RereadFilter {
        projects: vec![app],
        catch_up: 20,
        ..RereadFilter::default()
    }
}

fn next(catalog: &Catalog, filter: &RereadFilter, now_ms: u64) -> Option<String> {
    let next = catalog.next_reread(filter, now_ms).unwrap();
    next.map(|(key, _, _)| key.id)
}

#[test]
fn the_newest_that_waits_long_enough_is_next() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    let waits = |at| {
        Some(reading(
            Reading::by_rules(),
            true,
            Some(("rate-limited", at)),
        ))
    };
    ran(&catalog, "old", app, 1, waits(NOW + HOUR));
    ran(&catalog, "new", app, 3, waits(NOW + 2 * HOUR));
    ran(
        &catalog,
        "read",
        app,
        4,
        Some(reading(by_model(), true, None)),
    );
    ran(
        &catalog,
        "silent",
        app,
        5,
        Some(reading(Reading::by_rules(), true, None)),
    );
    let wanted_now = filter(app);
    let table = [
        (NOW, None),
        (NOW + HOUR, Some("old")),
        (NOW + 2 * HOUR, Some("new")),
    ];
    for (now, expected) in table {
        let found = next(&catalog, &wanted_now, now);
        assert_eq!(found.as_deref(), expected, "{}", now - NOW);
    }
    let other_agent = RereadFilter {
        agent: Some("codex".to_owned()),
        ..filter(app)
    };
    assert_eq!(next(&catalog, &other_agent, NOW + DAYS), None);
    let elsewhere = RereadFilter {
        projects: Vec::new(),
        ..filter(app)
    };
    assert_eq!(next(&catalog, &elsewhere, NOW + DAYS), None);
    let tried = RereadFilter {
        except: vec![key("new")],
        ..filter(app)
    };
    assert_eq!(next(&catalog, &tried, NOW + DAYS).as_deref(), Some("old"));
    let waiting = catalog.waiting_readings().unwrap();
    let expected = WaitingReadings {
        shortfall: Shortfall {
            retry_at_ms: Some(NOW + HOUR),
            ..short("rate-limited")
        },
        sessions: 2,
    };
    assert_eq!(waiting, [expected]);
}

const DAYS: u64 = 48 * HOUR;

#[test]
fn sessions_read_before_there_was_a_model_are_caught_up_with_so_far_back() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    for (number, id) in ["a", "b", "c", "d"].iter().enumerate() {
        // The last two were read before readings were stored.
        let known = (number < 2).then(|| reading(Reading::by_rules(), false, None));
        ran(&catalog, id, app, 10 - number as u64, known);
    }
    let back = |catch_up| RereadFilter {
        catch_up,
        ..filter(app)
    };
    assert_eq!(next(&catalog, &back(0), NOW), None);
    assert_eq!(next(&catalog, &back(3), NOW).as_deref(), Some("a"));
    for (expected, after) in [("a", "b"), ("b", "c")] {
        assert_eq!(next(&catalog, &back(3), NOW).as_deref(), Some(expected));
        let done = reading(by_model(), true, None);
        catalog.put_reading(&key(expected), &done, NOW).unwrap();
        assert_eq!(next(&catalog, &back(3), NOW).as_deref(), Some(after));
    }
    let done = reading(by_model(), true, None);
    catalog.put_reading(&key("c"), &done, NOW).unwrap();
    assert_eq!(next(&catalog, &back(3), NOW), None, "`d` is too far back");
}

#[test]
fn a_session_is_queued_again_once_and_its_wait_ends_with_a_complete_reading() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    let waits = reading(Reading::by_rules(), true, Some(("budget", NOW)));
    ran(&catalog, "a", app, 1, Some(waits.clone()));
    assert_eq!(known(&catalog, "a").state, SessionState::Done);
    let again = wanted("a", app, "r1");
    assert_eq!(catalog.enqueue(&again, NOW).unwrap(), Enqueued::AlreadyRan);
    let Enqueued::New(job) = catalog.enqueue_again(&again, NOW).unwrap() else {
        panic!("not enqueued");
    };
    let twice = catalog.enqueue_again(&again, NOW).unwrap();
    assert_eq!(twice, Enqueued::AlreadyQueued(job));
    assert_eq!(next(&catalog, &filter(app), NOW), None, "it has a live job");

    let lease = claim(&catalog, NOW).unwrap();
    let mut completion = begin(&catalog, &lease);
    completion.reading = Some(NewReading {
        waits: Some((short("budget"), NOW + HOUR)),
        ..waits
    });
    catalog.complete(&lease, &completion, NOW).unwrap();
    let known_now = catalog.reading(&key("a")).unwrap().unwrap();
    let wait = known_now.waits.unwrap();
    assert_eq!((wait.attempts, wait.retry_at_ms), (2, NOW + HOUR));

    let weaker = NewReading {
        yields: true,
        revision: "r2".to_owned(),
        ..reading(Reading::by_rules(), false, None)
    };
    catalog.put_reading(&key("a"), &weaker, NOW).unwrap();
    let known_now = catalog.reading(&key("a")).unwrap().unwrap();
    assert_eq!(known_now.revision, "r2");
    assert!(known_now.waits.is_some(), "it still waits");

    let complete = reading(by_model(), true, None);
    catalog.put_reading(&key("a"), &complete, NOW).unwrap();
    let known_now = catalog.reading(&key("a")).unwrap().unwrap();
    assert_eq!((known_now.reading, known_now.waits), (by_model(), None));
    assert_eq!(catalog.waiting_readings().unwrap(), []);
}

#[test]
fn a_session_that_cannot_be_read_any_more_stops_waiting() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    let waits = reading(Reading::by_rules(), true, Some(("timeout", NOW)));
    ran(&catalog, "a", app, 2, Some(waits));
    ran(&catalog, "b", app, 1, None);
    for id in ["a", "b"] {
        assert_eq!(next(&catalog, &filter(app), NOW).as_deref(), Some(id));
        catalog.stop_waiting(&key(id), NOW).unwrap();
    }
    assert_eq!(next(&catalog, &filter(app), NOW), None);
    assert_eq!(catalog.waiting_readings().unwrap(), []);
}

#[test]
fn a_skipped_session_is_not_read_again() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    let job = enqueue(&catalog, "a", app, "r1", 1);
    catalog.assign(&[(key("a"), Some(app))]).unwrap();
    catalog.skip(&job, NOW).unwrap();
    assert_eq!(next(&catalog, &filter(app), NOW), None);
}

#[test]
fn whoever_wants_to_be_alone_waits_for_every_other_job() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let (app, other) = (project(&catalog, "/src/app"), project(&catalog, "/src/b"));
    enqueue(&catalog, "a", app, "r1", 2);
    enqueue(&catalog, "b", other, "r1", 1);
    let alone = acreta_state::ClaimFilter {
        alone: true,
        ..Default::default()
    };
    let first = catalog.claim("one", HOUR, NOW, &alone).unwrap().unwrap();
    assert_eq!(catalog.claim("two", HOUR, NOW, &alone).unwrap(), None);
    assert!(claim(&catalog, NOW).is_some(), "others need not be");
    let completion = begin(&catalog, &first);
    catalog.complete(&first, &completion, NOW).unwrap();
    assert_eq!(catalog.claim("two", HOUR, NOW, &alone).unwrap(), None);
}
