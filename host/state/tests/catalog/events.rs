//! Events: order, filters, pruning, and deletion with their session.

use std::collections::BTreeSet;
use std::sync::Barrier;

use acreta_state::{
    Catalog, CatalogError, Event, EventFilter, EventKind, EventLevel, EventOrder, KEPT_EVENTS,
    KEPT_MS, NewEvent, NewRun,
};
use proptest::prelude::*;
use serde_json::json;

use crate::support::{DAY, NOW, TestCatalog, find, key};

pub(crate) fn event(name: &str) -> NewEvent {
    NewEvent {
        at_ms: NOW,
        level: EventLevel::Info,
        kind: EventKind::Event,
        name: name.to_owned(),
        run_id: None,
        request_id: None,
        project: None,
        fields: json!({"count": 3}).as_object().unwrap().clone(),
    }
}

fn of_run(name: &str, run_id: &str) -> NewEvent {
    NewEvent {
        run_id: Some(run_id.to_owned()),
        ..event(name)
    }
}

pub(crate) fn all(catalog: &Catalog) -> Vec<Event> {
    catalog.events(&EventFilter::default()).unwrap()
}

pub(crate) fn names(events: &[Event]) -> Vec<&str> {
    events.iter().map(|one| one.event.name.as_str()).collect()
}

#[test]
fn events_come_back_as_they_were_written() {
    let place = TestCatalog::new();
    let catalog = place.open();
    assert_eq!(catalog.last_event().unwrap(), None);
    catalog.append_events(&[]).unwrap();
    let mut written = Vec::new();
    for (level, kind) in EventLevel::ALL.iter().zip(EventKind::ALL.iter().cycle()) {
        written.push(NewEvent {
            at_ms: u64::MAX / 2,
            level: *level,
            kind: *kind,
            name: format!("{level}.{kind}"),
            run_id: Some("sync-1".to_owned()),
            request_id: Some("r-1".to_owned()),
            project: Some("/src/app".into()),
            fields: json!({"text": "a \"b\"\n\u{1b}", "nested": {"ok": [true, 1.5]}})
                .as_object()
                .unwrap()
                .clone(),
        });
        assert_eq!(EventLevel::named(level.name()), Some(*level));
    }
    catalog.append_events(&written).unwrap();
    let read = all(&catalog);
    let events: Vec<_> = read.iter().map(|one| one.event.clone()).collect();
    assert_eq!(events, written);
    assert!(read.is_sorted_by_key(|one| one.seq));
    assert_eq!(catalog.last_event().unwrap().as_ref(), read.last());
}

#[test]
fn events_are_listed_by_what_is_asked() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let begin = NewEvent {
        kind: EventKind::Begin,
        ..of_run("run", "sync-1")
    };
    let end = NewEvent {
        kind: EventKind::End,
        request_id: Some("r-1".to_owned()),
        ..of_run("run", "sync-1")
    };
    let elsewhere = NewEvent {
        project: Some("/src/other".into()),
        ..of_run("other", "sync-2")
    };
    catalog
        .append_events(&[event("first"), begin, end, elsewhere])
        .unwrap();
    let any = EventFilter::default;
    let run = || Some("sync-1".to_owned());
    let cases: [(EventFilter, &[u64]); 10] = [
        (any(), &[1, 2, 3, 4]),
        (
            EventFilter {
                order: EventOrder::NewestFirst,
                limit: Some(2),
                ..any()
            },
            &[4, 3],
        ),
        (
            EventFilter {
                after_seq: Some(2),
                ..any()
            },
            &[3, 4],
        ),
        (
            EventFilter {
                after_seq: Some(u64::MAX),
                ..any()
            },
            &[],
        ),
        (
            EventFilter {
                run_id: run(),
                ..any()
            },
            &[2, 3],
        ),
        (
            EventFilter {
                run_id: run(),
                order: EventOrder::NewestFirst,
                after_seq: Some(2),
                ..any()
            },
            &[3],
        ),
        (
            EventFilter {
                request_id: Some("r-1".to_owned()),
                ..any()
            },
            &[3],
        ),
        (
            EventFilter {
                project: Some("/src/other".into()),
                ..any()
            },
            &[4],
        ),
        (
            EventFilter {
                kind: Some(EventKind::Begin),
                ..any()
            },
            &[2],
        ),
        (
            EventFilter {
                name: Some("run".to_owned()),
                ..any()
            },
            &[2, 3],
        ),
    ];
    for (filter, expected) in cases {
        let found = catalog.events(&filter).unwrap();
        let places: Vec<_> = found.iter().map(|one| one.seq).collect();
        assert_eq!(places, expected, "{filter:?}");
    }
}

#[test]
fn what_is_logged_gives_a_sync_nothing_to_do() {
    let place = TestCatalog::new();
    let catalog = place.open();
    catalog.settle("quiet").unwrap();
    catalog.append_events(&[event("a")]).unwrap();
    catalog.prune_events(NOW + KEPT_MS + 1).unwrap();
    assert_eq!(catalog.settled().unwrap().as_deref(), Some("quiet"));
}

#[test]
fn what_is_old_goes_and_no_place_is_given_twice() {
    let place = TestCatalog::new();
    let catalog = place.open();
    assert_eq!(catalog.prune_events(NOW).unwrap(), 0);
    let at = |name: &str, at_ms: u64| NewEvent {
        at_ms,
        ..event(name)
    };
    let events = [
        at("old", NOW - 31 * DAY),
        at("older", NOW - 40 * DAY),
        at("young", NOW - 29 * DAY),
        // Written by a clock that was set back: it is pruned by its position in the order.
        at("out of place", NOW - 50 * DAY),
        at("now", NOW),
    ];
    catalog.append_events(&events).unwrap();
    assert_eq!(catalog.prune_events(NOW).unwrap(), 2);
    assert_eq!(names(&all(&catalog)), ["young", "out of place", "now"]);
    assert_eq!(catalog.prune_events(NOW).unwrap(), 0);
    assert_eq!(catalog.prune_events(NOW + 31 * DAY).unwrap(), 3);
    assert_eq!(catalog.last_event().unwrap(), None);
    catalog.append_events(&[event("next")]).unwrap();
    assert_eq!(catalog.last_event().unwrap().unwrap().seq, 6);
}

#[test]
fn no_more_than_so_many_are_kept() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let extra = 25;
    let events: Vec<_> = (0..KEPT_EVENTS + extra)
        .map(|number| event(&number.to_string()))
        .collect();
    catalog.append_events(&events).unwrap();
    assert_eq!(catalog.prune_events(NOW).unwrap(), extra);
    let kept = all(&catalog);
    assert_eq!(kept.len() as u64, KEPT_EVENTS);
    assert_eq!(kept[0].event.name, extra.to_string());
    assert_eq!(catalog.prune_events(NOW).unwrap(), 0);
}

#[test]
fn fields_that_nobody_writes_are_damage() {
    let place = TestCatalog::new();
    let catalog = place.open();
    catalog.append_events(&[event("a")]).unwrap();
    place.execute("UPDATE events SET fields = '[1]'");
    let error = catalog.last_event().unwrap_err();
    assert!(matches!(error, CatalogError::Damaged { .. }), "{error:?}");
}

#[test]
fn a_purged_session_leaves_no_events() {
    let place = TestCatalog::new();
    let catalog = place.open();
    for (session, run_id) in [("a", "sync-a"), ("b", "sync-b")] {
        find(&catalog, session, "r1", 1);
        let run = NewRun {
            run_id: run_id.to_owned(),
            mode: "sync".to_owned(),
            project_root: "/src/app".into(),
            folder: format!("/src/app/.acreta/workspace/{run_id}").into(),
            session: Some(key(session)),
        };
        catalog.begin_run(&run, NOW).unwrap();
        let mut job = event("job");
        let fields = json!({"agent": "claude", "session": session});
        job.fields = fields.as_object().unwrap().clone();
        catalog
            .append_events(&[of_run(run_id, run_id), job])
            .unwrap();
    }
    catalog.append_events(&[event("nobody's")]).unwrap();
    assert_eq!(catalog.purge_session(&key("a")).unwrap().events, 2);
    let left = all(&catalog);
    assert_eq!(names(&left), ["sync-b", "job", "nobody's"]);
    assert_eq!(left[1].event.fields["session"], "b");
}

#[test]
fn several_write_at_once_and_nothing_is_lost_or_out_of_order() {
    const EACH: usize = 50;
    let place = TestCatalog::new();
    place.open();
    let start = Barrier::new(4);
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let (place, start) = (&place, &start);
            scope.spawn(move || {
                let catalog = place.open();
                start.wait();
                for number in 0..EACH {
                    let one = of_run(&format!("{number:03}"), &format!("run-{writer}"));
                    catalog.append_events(&[one.clone(), one]).unwrap();
                    if number % 10 == 0 {
                        catalog.prune_events(NOW).unwrap();
                    }
                }
            });
        }
    });
    let catalog = place.open();
    let events = all(&catalog);
    assert_eq!(events.len(), 4 * EACH * 2);
    let places: BTreeSet<_> = events.iter().map(|one| one.seq).collect();
    assert_eq!(places.len(), events.len());
    for writer in 0..4 {
        let of_one = catalog
            .events(&EventFilter {
                run_id: Some(format!("run-{writer}")),
                ..EventFilter::default()
            })
            .unwrap();
        assert!(names(&of_one).is_sorted(), "writer {writer}");
        // Events of one batch have adjacent sequence numbers.
        assert!(of_one.chunks(2).all(|two| two[0].seq + 1 == two[1].seq));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Reading on from the last seen sequence number returns every event once, whatever is written and pruned
    /// meanwhile.
    #[test]
    fn reading_on_misses_nothing(batches in prop::collection::vec((0..5_usize, any::<bool>()), 1..20)) {
        let place = TestCatalog::new();
        let catalog = place.open();
        let (mut seen, mut written, mut last) = (Vec::new(), Vec::new(), 0);
        for (size, prunes) in batches {
            let batch: Vec<_> = (0..size)
                .map(|number| event(&(written.len() + number).to_string()))
                .collect();
            written.extend(batch.iter().map(|one| one.name.clone()));
            catalog.append_events(&batch).unwrap();
            let filter = EventFilter { after_seq: Some(last), ..EventFilter::default() };
            for one in catalog.events(&filter).unwrap() {
                last = one.seq;
                seen.push(one.event.name);
            }
            if prunes {
                catalog.prune_events(NOW + KEPT_MS + 1).unwrap();
            }
        }
        prop_assert_eq!(seen, written);
    }
}
